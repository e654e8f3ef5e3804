// RUN: %gcluster-cc --dump=vector %s | FileCheck %s
// Kernels get code that finds their accesses where these depend on what memory holds, vectorised,
// for each kind of processor with long vectors; accesses at the same places share it, as do those
// that are the same number of bytes apart in all threads, and kernels that need none have none, nor have
// accesses under so many conditions that LLVM's passes wouldn't come to an end.
#include <cuda_runtime.h>

// CHECK-NOT: define {{.*}}@shift.look
// CHECK: define internal {{.*}} @gather.look.[[X:[0-9]+]].x86-64-v4(
// CHECK: call <8 x i32> @llvm.masked.load
// CHECK: define internal {{.*}} @gather.look.[[X]].x86-64-v3(
// CHECK-NOT: define {{.*}}@gather.look
// CHECK: define internal {{.*}} @rows.look.{{[0-9]+}}.x86-64-v4(
// CHECK: call <8 x i32> @llvm.masked
// CHECK: define internal {{.*}} @fields.look.[[F:[0-9]+]].x86-64-v4(
// CHECK: define internal {{.*}} @fields.look.[[F]].x86-64-v3(
// CHECK-NOT: define {{.*}}@fields.look
// CHECK-NOT: define {{.*}}@tangled.look
// CHECK-NOT: define {{.*}}x86-64-v2
extern "C" __global__ void gather(const float *x, const float *y, const int *index, float *out,
                                  int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = x[index[i]] + y[index[i]];
}

extern "C" __global__ void rows(const int *begin, const int *column, const float *x, float *out,
                                int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0;
    if (i >= n)
        return;
    for (int k = begin[i]; k < begin[i + 1]; k++)
        sum += x[column[k]];
    out[i] = sum;
}

struct particle {
    float mass, charge[3], unused;
};

extern "C" __global__ void fields(const struct particle *x, const int *index, float *out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    const struct particle *p = &x[index[i]];
    out[i] = p->mass + p->charge[0] * p->charge[2];
}

extern "C" __global__ void shift(const float *x, float *out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i + 1 < n)
        out[i] = x[i + 1];
}

extern "C" __global__ void tangled(const float *x, const int *index, float *out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
#pragma unroll
    for (int k = 3; k < 67; k++)
        if ((i * k + n) % (k + 64) == k)
            return;
    out[i] = x[index[i]];
}
