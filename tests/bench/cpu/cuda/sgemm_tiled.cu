#include "../problem/sgemm.h"
#include "host.h"

__global__ void sgemm(const float *a, const float *b, float *c, int n) {
    __shared__ float a_tile[TILE][TILE];
    __shared__ float b_tile[TILE][TILE];
    int tx = threadIdx.x, ty = threadIdx.y;
    int row = blockIdx.y * TILE + ty;
    int column = blockIdx.x * TILE + tx;
    float sum = 0;
    for (int t = 0; t < n; t += TILE) {
        a_tile[ty][tx] = a[row * n + t + tx];
        b_tile[ty][tx] = b[(t + ty) * n + column];
        __syncthreads();
        for (int k = 0; k < TILE; k++)
            sum += a_tile[ty][k] * b_tile[k][tx];
        __syncthreads();
    }
    c[row * n + column] = sum;
}

int main(int argc, char **argv) {
    bench::start(argc, argv);
    problem p;
    device_array<float> a(p.a), b(p.b), c(p.count);
    measure([&] { sgemm<<<dim3(p.n / TILE, p.n / TILE), dim3(TILE, TILE)>>>(a, b, c, p.n); });
    c.get(p.c);
    return bench::report(p);
}
