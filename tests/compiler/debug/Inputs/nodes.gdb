break nodes.cu:14 if blockIdx.x == 1 && threadIdx.x == 3
break nodes.cu:14 if blockIdx.x == 6 && threadIdx.x == 5
continue
print mine
delete 1
continue
print mine
cuda thread (9,0,0)
print mine
delete
continue
