// Sweeps over a plane, from one array to the other and back: a step is four.
#include "host.h"

enum { WIDTH = 8192 };

__global__ void sweep(float *to, const float *from, int height) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < 1 || x >= WIDTH - 1 || y < 1 || y >= height - 1)
        return;
    size_t i = (size_t)y * WIDTH + x;
    to[i] = 0.2f * (from[i] + from[i - 1] + from[i + 1] + from[i - WIDTH] + from[i + WIDTH]);
}

int main(int argc, char **argv) {
    start(argc, argv);
    int height = (int)(all_bytes / 2 / sizeof(float) / WIDTH) / 8 * 8;
    array<float> a((size_t)WIDTH * height), b((size_t)WIDTH * height);
    fill(a, 1);
    fill(b, 1);
    dim3 block(32, 8), grid(WIDTH / 32, height / 8);
    auto step = [&] {
        for (int i = 0; i < 2; i++) {
            sweep<<<grid, block>>>(b, a, height);
            sweep<<<grid, block>>>(a, b, height);
        }
    };
    return measure(step, a);
}
