// Alignment of two sequences (Needleman-Wunsch): a launch an anti-diagonal of tiles.
#include "pays.h"

#include <algorithm>

constexpr int tile = 16;

__global__ void align(const int *a, const int *b, int *score, int n, int first_row, int diagonal) {
    const int width = n + 1;
    const int row = first_row + blockIdx.x, column = diagonal - row;
    __shared__ int cells[tile + 1][tile + 1];
    const int t = threadIdx.x;
    const int top = row * tile, left = column * tile;
    cells[0][t + 1] = score[top * width + left + t + 1];
    cells[t + 1][0] = score[(top + t + 1) * width + left];
    if (t == 0)
        cells[0][0] = score[top * width + left];
    __syncthreads();
    for (int d = 0; d < 2 * tile - 1; d++) {
        int x = t, y = d - t;
        if (y >= 0 && y < tile) {
            int match = cells[y][x] + (a[left + x] == b[top + y] ? 3 : -1);
            cells[y + 1][x + 1] = max(match, max(cells[y][x + 1], cells[y + 1][x]) - 2);
        }
        __syncthreads();
    }
    for (int y = 0; y < tile; y++)
        score[(top + y + 1) * width + left + t + 1] = cells[y + 1][t + 1];
}

int main(int argc, char **argv) {
    const int n = by_size(argc, argv, 1024, 3072, 6144), tiles = n / tile;
    std::vector<int> a(n), b(n), start((size_t)(n + 1) * (n + 1));
    for (int i = 0; i < n; i++) {
        a[i] = noise(i) % 4;
        b[i] = noise(i + n) % 4;
    }
    for (int i = 0; i <= n; i++)
        start[i] = start[(size_t)i * (n + 1)] = -2 * i;
    start_clock();
    int *device_a = copy_of(a), *device_b = copy_of(b), *score = copy_of(start);
    for (int diagonal = 0; diagonal < 2 * tiles - 1; diagonal++) {
        int first = std::max(0, diagonal - tiles + 1), last = std::min(diagonal, tiles - 1);
        align<<<last - first + 1, tile>>>(device_a, device_b, score, n, first, diagonal);
    }
    return report(score + (size_t)n * (n + 1), n + 1);
}
