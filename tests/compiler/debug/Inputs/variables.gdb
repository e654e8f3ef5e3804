break variables.cu:21 if threadIdx.x == 3
run
next
print cells[3]
print cells[4].half
print fixed
print counter
next
print counter
print table
set var cells[3].half = 0.5 - table[2] + 1
print cells[3].half + table[3]
kill
