#include "../problem/matmul.h"
#include "host.h"

#include <utility>

enum { TILE = 32 };

__global__ void multiply(const float *a, const float *b, float *c, int n) {
    __shared__ float tile_a[TILE][TILE], tile_b[TILE][TILE];
    int x = blockIdx.x * TILE + threadIdx.x, y = blockIdx.y * TILE + threadIdx.y;
    float sum = 0;
    for (int t = 0; t < n; t += TILE) {
        tile_a[threadIdx.y][threadIdx.x] = a[y * n + t + threadIdx.x];
        tile_b[threadIdx.y][threadIdx.x] = b[(t + threadIdx.y) * n + x];
        __syncthreads();
        for (int k = 0; k < TILE; k++)
            sum += tile_a[threadIdx.y][k] * tile_b[k][threadIdx.x];
        __syncthreads();
    }
    c[y * n + x] = sum;
}

int main(int argc, char **argv) {
    problem p(is_quick(argc, argv));
    const size_t count = (size_t)p.n * p.n;
    std::vector<float> a(count), b(count);
    for (int y = 0; y < p.n; y++)
        for (int x = 0; x < p.n; x++) {
            a[(size_t)y * p.n + x] = p.a(y, x);
            b[(size_t)y * p.n + x] = p.b(y, x);
        }
    float *matrix = copy_of(a), *from = copy_of(b), *to = allocate<float>(count);
    dim3 grid(p.n / TILE, p.n / TILE), block(TILE, TILE);
    multiply<<<grid, block>>>(matrix, from, to, p.n); // data comes to where it is needed
    double begin = finished();
    for (int i = 0; i < p.steps; i++) {
        multiply<<<grid, block>>>(matrix, from, to, p.n);
        std::swap(from, to);
    }
    double seconds = finished() - begin;
    return report(seconds, p.check(host_copy(from, count).data(), 0, p.n));
}
