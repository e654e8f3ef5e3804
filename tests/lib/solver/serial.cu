// In a process that has loaded a serial OpenBLAS, as this one says it has, no library that calls it
// from several threads gives a handle.
// RUN: %gcluster-cc -O1 %s -rdynamic -o %t -lcusolver
// RUN: %t
#include <cusolverDn.h>
#include <cusolverSp.h>

#include "../check.h"

extern "C" int openblas_get_parallel() {
    return 0;
}

int main() {
    cusolverDnHandle_t dense = nullptr;
    cusolverSpHandle_t sparse = nullptr;
    EXPECT(cusolverDnCreate(&dense) == CUSOLVER_STATUS_NOT_INITIALIZED);
    EXPECT(cusolverSpCreate(&sparse) == CUSOLVER_STATUS_NOT_INITIALIZED);
    EXPECT(!dense && !sparse);
    return 0;
}
