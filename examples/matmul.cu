// Matrix product C = A B by tiles. A block computes one tile of C; its threads bring a tile of A
// and one of B into shared memory together, so that each element is read from global memory once
// a tile instead of once a product.
#include "common/check.h"

#include <vector>

constexpr int tile = 16;

// A is rows x inner, B is inner x columns, C is rows x columns, all row by row.
__global__ void multiply(const float *a, const float *b, float *c, int rows, int inner,
                         int columns) {
    __shared__ float tile_a[tile][tile];
    __shared__ float tile_b[tile][tile];
    int x = threadIdx.x, y = threadIdx.y;
    int row = blockIdx.y * tile + y;
    int column = blockIdx.x * tile + x;
    float sum = 0;

    for (int begin = 0; begin < inner; begin += tile) {
        // Zeros beyond the edges add nothing, and every thread reaches both barriers.
        bool in_a = row < rows && begin + x < inner;
        bool in_b = begin + y < inner && column < columns;
        tile_a[y][x] = in_a ? a[row * inner + begin + x] : 0;
        tile_b[y][x] = in_b ? b[(begin + y) * columns + column] : 0;
        __syncthreads(); // both tiles are complete
        for (int k = 0; k < tile; k++)
            sum += tile_a[y][k] * tile_b[k][x];
        __syncthreads(); // nobody needs them any more
    }
    if (row < rows && column < columns)
        c[row * columns + column] = sum;
}

static std::vector<double> multiply_on_host(const std::vector<float> &a,
                                            const std::vector<float> &b, int rows, int inner,
                                            int columns) {
    std::vector<double> c((size_t)rows * columns);
    for (int row = 0; row < rows; row++)
        for (int k = 0; k < inner; k++)
            for (int column = 0; column < columns; column++)
                c[row * columns + column] += (double)a[row * inner + k] * b[k * columns + column];
    return c;
}

int main() {
    const int rows = 200, inner = 333, columns = 250; // no multiples of the tile

    std::vector<float> a(rows * inner), b(inner * columns), c(rows * columns);
    for (size_t i = 0; i < a.size(); i++)
        a[i] = (float)(i % 17) / 17 - 0.4f;
    for (size_t i = 0; i < b.size(); i++)
        b[i] = (float)(i % 23) / 23 - 0.6f;

    float *device_a, *device_b, *device_c;
    CHECK(cudaMalloc(&device_a, a.size() * sizeof(float)));
    CHECK(cudaMalloc(&device_b, b.size() * sizeof(float)));
    CHECK(cudaMalloc(&device_c, c.size() * sizeof(float)));
    CHECK(cudaMemcpy(device_a, a.data(), a.size() * sizeof(float), cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(device_b, b.data(), b.size() * sizeof(float), cudaMemcpyHostToDevice));

    dim3 block(tile, tile);
    dim3 grid((columns + tile - 1) / tile, (rows + tile - 1) / tile);
    multiply<<<grid, block>>>(device_a, device_b, device_c, rows, inner, columns);
    CHECK(cudaGetLastError());

    CHECK(cudaMemcpy(c.data(), device_c, c.size() * sizeof(float), cudaMemcpyDeviceToHost));
    CHECK(cudaFree(device_a));
    CHECK(cudaFree(device_b));
    CHECK(cudaFree(device_c));

    std::vector<double> reference = multiply_on_host(a, b, rows, inner, columns);
    return verdict("matmul", largest_error(c.data(), reference.data(), c.size()), 1e-5);
}
