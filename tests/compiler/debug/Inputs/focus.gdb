break main
run
info cuda kernels
break focus.cu:19 if threadIdx.x == 7 && blockIdx.x == 5
continue
print out[7 * 64 ] + 0
info cuda kernels
info cuda blocks
info cuda threads
cuda thread (2,0,0)
print threadIdx
print other
cuda block (5,0,0) thread (20,0,0)
backtrace
print threadIdx
cuda continue
print threadIdx
python
for command in "cuda block (6,0,0)", "cuda thread (64,0,0)":
    try:
        gdb.execute(command)
    except gdb.error as error:
        print(error)
end
kill
