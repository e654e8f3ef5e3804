int count = 0;
for (int i = 0; i < 3; i++)
    count++;
