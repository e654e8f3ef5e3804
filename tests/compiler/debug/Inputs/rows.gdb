break rows.cu:12 if blockIdx.x == 3 && threadIdx.x == 0
run
print half
print part[0]@half
continue
print half
print part[0]@half
continue 2
print half
print part[0]@3
info cuda threads
cuda thread (2,0,0)
print half
print t
cuda thread (5,0,0)
kill
