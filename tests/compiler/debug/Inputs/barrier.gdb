break barrier.cu:18 if threadIdx.x == 3 && blockIdx.x == 5
run
print threadIdx
print mine
next
print mine
print part
print threadIdx
next
next
next
print part[3]
break wait_for_all if threadIdx.x == 3 && blockIdx.x == 5
continue
backtrace 2
print threadIdx
finish
next
print all
next
print next
kill
