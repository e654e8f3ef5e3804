// RUN: %gcluster-cc --device=cpu -arch=sm_80 -O1 %s -o %t && %t
// RUN: %gcluster-cc --device=cpu -O1 %s -o %t && %t
// RUN: %gcluster-cc --device=cuda -arch=sm_80 --dump=ptx %s | FileCheck %s
// Copies to shared memory in batches; and errors by name in device code.
#include "../device/check.h"
#include <cuda_pipeline.h>

namespace ahead = nvcuda::experimental;

struct Pair {
    float x;
    double y;
};

// CHECK-LABEL: .entry {{.*}}sums
// CHECK: cp.async.cg.shared.global [{{.*}}], [{{.*}}], 16,
// CHECK: cp.async.commit_group;
// CHECK: cp.async.wait_group 1;
// CHECK: cp.async.wait_group 0;
__global__ void sums(const int4 *in, int *out, int stages) {
    __shared__ int4 tiles[2][32];
    int t = threadIdx.x, sum = 0;
    __pipeline_memcpy_async(&tiles[0][t], &in[t], sizeof(int4));
    __pipeline_commit();
    for (int s = 0; s < stages; s++) {
        if (s + 1 < stages) {
            __pipeline_memcpy_async(&tiles[(s + 1) % 2][t], &in[32 * (s + 1) + t], sizeof(int4),
                                    t == 5 ? 8 : 0);
            __pipeline_commit();
            __pipeline_wait_prior(1);
        } else {
            __pipeline_wait_prior(0);
        }
        __syncthreads();
        int4 v = tiles[s % 2][31 - t];
        sum += v.x + v.y + v.z + v.w;
        __syncthreads();
    }
    out[t] = sum;
}

__global__ void batches(const Pair *in, const short *small, int *wrong) {
    __shared__ Pair pairs[32];
    __shared__ short shorts[4];
    int t = threadIdx.x;
    ahead::pipeline pipe;
    ahead::memcpy_async(pairs[t], in[t], pipe);
    size_t first = pipe.commit();
    if (t == 0)
        ahead::memcpy_async(ahead::segment<4>(shorts), ahead::segment<3>(small), pipe);
    pipe.commit_and_wait();
    pipe.wait(first);
    __syncthreads();
    bool right = pairs[31 - t].y == 31 - t && first == 0 && shorts[2] == small[2] && shorts[3] == 0;
    const char *name = cudaGetErrorName(cudaErrorInvalidValue);
    const char *text = cudaGetErrorString(cudaErrorInvalidValue);
    if (!right || name[5] != 'r' || text[0] != 'i')
        atomicAdd(wrong, 1);
}

int main() {
    int4 *in = managed<int4>(128);
    int *out = managed<int>(32);
    for (int i = 0; i < 128; i++)
        in[i] = {i, 1, 2, 3};
    sums<<<1, 32>>>(in, out, 4);
    SYNC();
    for (int t = 0; t < 32; t++)
        CHECK(out[t] == 4 * (31 - t) + 32 * 6 + 24 - (t == 26 ? 3 * 5 : 0));
    Pair *pairs = managed<Pair>(32);
    short *small = managed<short>(3);
    for (int i = 0; i < 32; i++)
        pairs[i] = {0, (double)i};
    small[2] = 77;
    out[0] = 0;
    batches<<<1, 32>>>(pairs, small, out);
    SYNC();
    CHECK(out[0] == 0);
}
