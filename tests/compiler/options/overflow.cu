// RUN: %gcluster-cc -O2 %s -o %t && %t
// RUN: %gcluster-cc -O2 -Xcompiler -fno-wrapv -Xcompiler -ftrapv %s -o %t && not --crash %t
// Signed numbers of the host wrap, unless the user wants something else.
#include <stdlib.h>

static bool grows(int x) {
    return x + 1 > x;
}

int main(int argc, char **) {
    int seed = 1;
    for (int i = 0; i < 100; i++) // what programs do to make numbers
        seed = seed * 1103515245 + 12345;
    return grows(0x7ffffffe + argc) || seed == 0;
}
