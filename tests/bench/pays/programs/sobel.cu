// Edges of images, one after the other, and how many pixels are above a threshold.
#include "pays.h"

__global__ void edges(const unsigned char *in, int *out, int n) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < 1 || y < 1 || x >= n - 1 || y >= n - 1)
        return;
    const unsigned char *p = in + y * n + x;
    int gx = p[-n + 1] + 2 * p[1] + p[n + 1] - p[-n - 1] - 2 * p[-1] - p[n - 1];
    int gy = p[n - 1] + 2 * p[n] + p[n + 1] - p[-n - 1] - 2 * p[-n] - p[-n + 1];
    out[y * n + x] = (int)sqrtf((float)(gx * gx + gy * gy));
}

__global__ void count_above(const int *edges, int threshold, unsigned *counter, int count) {
    unsigned own = 0;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += gridDim.x * blockDim.x)
        own += edges[i] > threshold;
    for (int distance = 16; distance > 0; distance /= 2)
        own += __shfl_down_sync(0xffffffff, own, distance);
    if (threadIdx.x % 32 == 0)
        atomicAdd(counter, own);
}

int main(int argc, char **argv) {
    const int n = by_size(argc, argv, 512, 1024, 2048), images = by_size(argc, argv, 40, 80, 40);
    const size_t count = (size_t)n * n;
    std::vector<unsigned char> image(count);
    for (size_t i = 0; i < count; i++)
        image[i] = (unsigned char)(noise((unsigned)i) % 64 + i / 64 % 128);
    start_clock();
    unsigned char *in = allocate<unsigned char>(count);
    int *out = zeros<int>(count);
    unsigned *counters = zeros<unsigned>(images);
    for (int i = 0; i < images; i++) {
        check(cudaMemcpy(in, image.data(), count, cudaMemcpyHostToDevice));
        edges<<<dim3(n / 32, n / 8), dim3(32, 8)>>>(in, out, n);
        count_above<<<64, 256>>>(out, 64 + i, counters + i, (int)count);
    }
    return report(counters, images);
}
