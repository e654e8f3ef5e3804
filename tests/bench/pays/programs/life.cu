// The Game of Life on a torus: each edge's neighbours are at the other end of the array.
#include "pays.h"

#include <utility>

__global__ void step(const int *in, int *out, int n) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    int left = (x + n - 1) % n, right = (x + 1) % n;
    int up = (y + n - 1) % n * n, down = (y + 1) % n * n, row = y * n;
    int count = in[up + left] + in[up + x] + in[up + right] + in[row + left] + in[row + right] +
                in[down + left] + in[down + x] + in[down + right];
    out[row + x] = count == 3 || (count == 2 && in[row + x]);
}

int main(int argc, char **argv) {
    const int n = by_size(argc, argv, 256, 512, 1024), steps = by_size(argc, argv, 100, 60, 60);
    std::vector<int> start((size_t)n * n);
    for (size_t i = 0; i < start.size(); i++)
        start[i] = noise((unsigned)i) % 3 == 0;
    start_clock();
    int *in = copy_of(start), *out = allocate<int>((size_t)n * n);
    for (int i = 0; i < steps; i++) {
        step<<<dim3(n / 32, n / 8), dim3(32, 8)>>>(in, out, n);
        std::swap(in, out);
    }
    return report(in, (size_t)n * n);
}
