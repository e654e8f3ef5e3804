// Code for whole vectors in blocks of any size: made where launches may need it, and only there.
// RUN: %gcluster-cc -march=x86-64-v3 --dump=vector %s | FileCheck %s
// RUN: %gcluster-cc -march=x86-64-v3 --dump=vector -DANY %s | FileCheck --check-prefix=ANY %s
#include <cuda_runtime.h>
__global__ void scale(float *x, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        x[i] *= 2;
}
// CHECK: define {{.*}} @_Z5scalePfi.region0.lane.1.x86-64-v3.full(
// CHECK-NOT: define {{.*}} @_Z5scalePfi.region0.lane.x86-64-v3.full(
// ANY: define {{.*}} @_Z5scalePfi.region0.lane.1.x86-64-v3.full(
// ANY: define {{.*}} @_Z5scalePfi.region0.lane.x86-64-v3.full(
void launch(int threads) {
    scale<<<1, 256>>>(nullptr, 0);
#ifdef ANY
    scale<<<1, threads>>>(nullptr, 0);
#endif
}
