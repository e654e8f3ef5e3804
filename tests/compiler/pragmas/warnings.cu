// clang doesn't take our pragmas for unknown ones, and says so of others as ever.
// RUN: %gcluster-cc -Xcompiler -Wall,-Werror=unknown-pragmas -I%S/Inputs -c %s -o %t.o 2>&1 | count 0
// RUN: %gcluster-cc -Xcompiler -Wall,-Werror=unknown-pragmas -I%S/Inputs -rdc=true -DLAUNCH -c %s -o %t.o 2>&1 | count 0
// RUN: %gcluster-cc -Xcompiler -Wall -I%S/Inputs -DOTHER -c %s -o %t.o 2>&1 | FileCheck %s
// RUN: %gcluster-cc -Xcompiler -Wall -DWRONG -I%S/Inputs -c %s -o %t.o 2>&1 | FileCheck --check-prefix=NAMES %s
#include <kernels.h>
#ifdef OTHER
// CHECK-NOT: kernels.h
// CHECK: warnings.cu:[[#@LINE+2]]:9: warning: unknown pragma ignored [-Wunknown-pragmas]
// CHECK-NOT: warning
#pragma gclusters single
#endif

#pragma gcluster single
__global__ void kernel(int *p) {
}
_Pragma("gcluster single") __global__ void second(int *p) {
}

#ifdef LAUNCH
int main() {
    kernel<<<1, 1>>>(nullptr);
    return cudaDeviceSynchronize();
}
#endif

#ifdef WRONG
// The word gcluster doesn't turn messages into those for gcluster's own API.
// NAMES: warning: unused variable 'stream'
// NAMES-NOT: gclStream
void f() {
    cudaStream_t stream;
}
#endif
