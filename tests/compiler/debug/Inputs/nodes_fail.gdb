continue
print mine
