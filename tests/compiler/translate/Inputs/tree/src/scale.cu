#include "buffer.h"

__global__ void multiply(float *data, int n, float by) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        data[i] *= by;
}

void scale(buffer &b, float by) {
    fill_all(b, 2);
    multiply <<< dim3((b.count + 63) / 64), 64 >>> (b.data, b.count, by);
    CHECK(cudaGetLastError());
}
