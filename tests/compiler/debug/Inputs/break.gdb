break shift
run
backtrace 2
delete
break break.cu:19 if threadIdx.x == 3 && threadIdx.y == 1 && blockIdx.x == 2
continue
print threadIdx
print blockIdx
print blockDim
print gridDim
print i
print in[i]
print by
set scheduler-locking on
step
next
print scaled
backtrace 2
finish
next
print weighed
kill
