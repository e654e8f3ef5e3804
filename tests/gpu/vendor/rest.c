// What the library for tests doesn't do, which our cuBLAS then does itself.
#include "vendor/functions.h"

#define REFUSE(name)                                                                               \
    __attribute__((weak)) int name(void);                                                          \
    __attribute__((weak)) int name(void) {                                                         \
        enum { NOT_SUPPORTED = 15 };                                                               \
        return NOT_SUPPORTED;                                                                      \
    }
GCL_BLAS_VENDOR_FUNCTIONS(REFUSE)
