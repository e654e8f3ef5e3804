#include "../problem/transpose.h"
#include "host.h"

enum { TILE = 32, ROWS = 8 };

// One more column keeps a warp's accesses apart in shared memory's banks.
__global__ void transpose(const float *in, float *out, int n) {
    __shared__ float tile[TILE][TILE + 1];
    int x = blockIdx.x * TILE + threadIdx.x;
    int y = blockIdx.y * TILE + threadIdx.y;
    for (int row = 0; row < TILE; row += ROWS)
        tile[threadIdx.y + row][threadIdx.x] = in[(y + row) * n + x];
    __syncthreads();
    x = blockIdx.y * TILE + threadIdx.x;
    y = blockIdx.x * TILE + threadIdx.y;
    for (int row = 0; row < TILE; row += ROWS)
        out[(y + row) * n + x] = tile[threadIdx.x][threadIdx.y + row];
}

int main(int argc, char **argv) {
    bench::start(argc, argv);
    problem p;
    device_array<float> in(p.in), out(p.count);
    measure([&] { transpose<<<dim3(p.n / TILE, p.n / TILE), dim3(TILE, ROWS)>>>(in, out, p.n); });
    out.get(p.out);
    return bench::report(p);
}
