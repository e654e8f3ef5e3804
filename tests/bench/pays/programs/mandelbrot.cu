// Escape times: blocks differ by two orders of magnitude in what they take.
#include "pays.h"

__global__ void escape(int *pixels, int width, int height, int limit) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height)
        return;
    float cr = 3.0f * x / width - 2.0f, ci = 2.0f * y / height - 1.0f, zr = 0, zi = 0;
    int i = 0;
    for (; i < limit && zr * zr + zi * zi <= 4; i++) {
        float next = zr * zr - zi * zi + cr;
        zi = 2 * zr * zi + ci;
        zr = next;
    }
    pixels[y * width + x] = i;
}

int main(int argc, char **argv) {
    const int width = by_size(argc, argv, 960, 1920, 3840), height = width * 2 / 3;
    start_clock();
    int *pixels = allocate<int>((size_t)width * height);
    escape<<<dim3((width + 15) / 16, (height + 15) / 16), dim3(16, 16)>>>(pixels, width, height,
                                                                          500);
    return report(pixels, (size_t)width * height);
}
