// OpenBLAS hands out memory to work in. Builds with threads take a lock for that; serial builds, as
// Debian has them, don't, so that two threads can get the same, and both compute something else.
//
// A build with threads is used like a serial one: the calls are what runs in parallel.
#include "openblas/openblas.h"

#include <stdio.h>

int openblas_get_parallel(void);
void openblas_set_num_threads(int count);

__attribute__((constructor)) static void use_one_thread(void) {
    openblas_set_num_threads(1);
}

bool gcl_openblas_is_safe(void) {
    enum { SERIAL = 0 };
    if (openblas_get_parallel() != SERIAL)
        return true;
    fputs("gcluster: error: this process has loaded a serial OpenBLAS, which gives wrong results "
          "when several threads call it; install libopenblas0-pthread, and link the program with "
          "that one or with none\n",
          stderr);
    return false;
}
