// Rank-k updates of a matrix whose tiles lie block-cyclically: tile (i, j) where a grid of 2 x 2
// processes would have it.
#include "pays.h"

constexpr int tile = 32, side = 2;

// Where the element is: by process, then by tile within the process, then within the tile.
__device__ int place(int y, int x, int n) {
    int ty = y / tile, tx = x / tile, own = n / tile / side;
    int process = ty % side * side + tx % side, local = ty / side * own + tx / side;
    return ((process * own * own + local) * tile + y % tile) * tile + x % tile;
}

__global__ void update(float *c, int n, int panel) {
    __shared__ float rows[tile][tile], columns[tile][tile];
    int first = (panel + 1) * tile, ty = threadIdx.y, tx = threadIdx.x;
    int by = first + blockIdx.y * tile, x = first + blockIdx.x * tile + tx;
    for (int y = ty; y < tile; y += blockDim.y) {
        rows[y][tx] = c[place(by + y, panel * tile + tx, n)];
        columns[y][tx] = c[place(panel * tile + y, x, n)];
    }
    __syncthreads();
    for (int y = ty; y < tile; y += blockDim.y) {
        float sum = 0;
        for (int k = 0; k < tile; k++)
            sum += rows[y][k] * columns[k][tx];
        c[place(by + y, x, n)] -= sum / n;
    }
}

int main(int argc, char **argv) {
    const int n = by_size(argc, argv, 384, 704, 1024), tiles = n / tile;
    const std::vector<float> start = uniforms((size_t)n * n);
    start_clock();
    float *c = copy_of(start);
    for (int panel = 0; panel + 1 < tiles; panel++)
        update<<<dim3(tiles - panel - 1, tiles - panel - 1), dim3(tile, 8)>>>(c, n, panel);
    return report(c, (size_t)n * n);
}
