break rows.cu:9 if blockIdx.x == 3 && threadIdx.x == 0
run
delete
next
watch -location half
watch -location part[2]
continue
print t
continue
print t
delete
kill
