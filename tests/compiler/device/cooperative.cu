// RUN: %gcluster-cc -O2 %s -o %t && %t
// Grid barriers of a cooperative launch; the same kernel launched otherwise says what is wrong.
#include "check.h"
#include <cooperative_groups.h>
namespace cg = cooperative_groups;

__global__ void prefix(int *data, int n) {
    cg::grid_group grid = cg::this_grid();
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    for (int step = 1; step < n; step *= 2) {
        int add = i >= step && i < n ? data[i - step] : 0;
        grid.sync();
        if (i < n)
            data[i] += add;
        grid.sync();
    }
}

int main() {
    int n = 1000, *data = managed<int>(n);
    for (int i = 0; i < n; i++)
        data[i] = i % 7;
    void *arguments[] = {&data, &n};
    CHECK(cudaLaunchCooperativeKernel((void *)prefix, dim3(8), dim3(128), arguments, 0, 0) ==
          cudaSuccess);
    SYNC();
    for (int i = 0, sum = 0; i < n; i++) {
        sum += i % 7;
        CHECK(data[i] == sum);
    }
    prefix<<<8, 128>>>(data, n);
    CHECK(cudaDeviceSynchronize() != cudaSuccess);
}
