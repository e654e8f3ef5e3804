#include "../problem/lu.h"
#include "host.h"

enum { TILE = 32 };

// Factors the tile on the diagonal: one block, a thread a row.
__global__ void factor_diagonal(float *a, int n, int begin) {
    __shared__ float tile[TILE][TILE + 1];
    int t = threadIdx.x;
    a += begin * n + begin;
    for (int row = 0; row < TILE; row++)
        tile[row][t] = a[row * n + t];
    __syncthreads();
    for (int k = 0; k < TILE - 1; k++) {
        if (t > k) {
            float factor = tile[t][k] / tile[k][k];
            tile[t][k] = factor;
            for (int column = k + 1; column < TILE; column++)
                tile[t][column] -= factor * tile[k][column];
        }
        __syncthreads();
    }
    for (int row = 0; row < TILE; row++)
        a[row * n + t] = tile[row][t];
}

// Tiles right of the diagonal (blockIdx.y = 0): a thread solves for a column with L. Tiles below it
// (blockIdx.y = 1): a thread solves for a row with U.
__global__ void solve_panels(float *a, int n, int begin) {
    __shared__ float diagonal[TILE][TILE + 1], tile[TILE][TILE + 1];
    int t = threadIdx.x, other = begin + (blockIdx.x + 1) * TILE;
    const float *from = a + begin * n + begin;
    float *to = a + (blockIdx.y == 0 ? begin * n + other : other * n + begin);
    for (int row = 0; row < TILE; row++) {
        diagonal[row][t] = from[row * n + t];
        tile[row][t] = to[row * n + t];
    }
    __syncthreads();
    if (blockIdx.y == 0) {
        for (int row = 1; row < TILE; row++) {
            float sum = tile[row][t];
            for (int k = 0; k < row; k++)
                sum -= diagonal[row][k] * tile[k][t];
            tile[row][t] = sum;
        }
    } else {
        for (int column = 0; column < TILE; column++) {
            float sum = tile[t][column];
            for (int k = 0; k < column; k++)
                sum -= tile[t][k] * diagonal[k][column];
            tile[t][column] = sum / diagonal[column][column];
        }
    }
    __syncthreads();
    for (int row = 0; row < TILE; row++)
        to[row * n + t] = tile[row][t];
}

// Subtracts the panels' product from the rest: a tile a block, an element a thread.
__global__ void update_rest(float *a, int n, int begin) {
    __shared__ float left[TILE][TILE], above[TILE][TILE];
    int x = threadIdx.x, y = threadIdx.y;
    int row = begin + (blockIdx.y + 1) * TILE + y;
    int column = begin + (blockIdx.x + 1) * TILE + x;
    left[y][x] = a[row * n + begin + x];
    above[y][x] = a[(begin + y) * n + column];
    __syncthreads();
    float sum = 0;
    for (int k = 0; k < TILE; k++)
        sum += left[y][k] * above[k][x];
    a[row * n + column] -= sum;
}

int main(int argc, char **argv) {
    bench::start(argc, argv);
    problem p;
    device_array<float> a(p.count);
    measure(
        [&] {
            for (int begin = 0; begin < p.n; begin += TILE) {
                factor_diagonal<<<1, TILE>>>(a, p.n, begin);
                int rest = (p.n - begin) / TILE - 1;
                if (rest == 0)
                    break;
                solve_panels<<<dim3(rest, 2), TILE>>>(a, p.n, begin);
                update_rest<<<dim3(rest, rest), dim3(TILE, TILE)>>>(a, p.n, begin);
            }
        },
        [&] { a.set(p.start.data()); });
    a.get(p.a);
    return bench::report(p);
}
