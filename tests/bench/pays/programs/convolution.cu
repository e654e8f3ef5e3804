// A filter of 7 x 7 from constant memory over a pitched image, several times.
#include "pays.h"

#include <utility>

constexpr int radius = 3, side = 2 * radius + 1;
__constant__ float weights[side * side];

__global__ void filter(const float *in, size_t in_pitch, float *out, size_t out_pitch, int width,
                       int height) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height)
        return;
    float sum = 0;
    for (int dy = -radius; dy <= radius; dy++)
        for (int dx = -radius; dx <= radius; dx++) {
            int sx = min(max(x + dx, 0), width - 1), sy = min(max(y + dy, 0), height - 1);
            const float *row = (const float *)((const char *)in + sy * in_pitch);
            sum += row[sx] * weights[(dy + radius) * side + dx + radius];
        }
    ((float *)((char *)out + y * out_pitch))[x] = sum;
}

int main(int argc, char **argv) {
    const int width = by_size(argc, argv, 1000, 2000, 3000), height = width * 3 / 4;
    const int steps = by_size(argc, argv, 5, 10, 16);
    const size_t row = width * sizeof(float);
    const std::vector<float> start = uniforms((size_t)width * height);
    std::vector<float> kernel = uniforms(side * side);
    for (float &weight : kernel)
        weight /= side * side;
    std::vector<float> result(start.size());
    start_clock();
    check(cudaMemcpyToSymbol(weights, kernel.data(), kernel.size() * sizeof(float)));
    float *in, *out;
    size_t in_pitch, out_pitch;
    check(cudaMallocPitch(&in, &in_pitch, row, height));
    check(cudaMallocPitch(&out, &out_pitch, row, height));
    check(cudaMemcpy2D(in, in_pitch, start.data(), row, row, height, cudaMemcpyHostToDevice));
    for (int i = 0; i < steps; i++) {
        filter<<<dim3((width + 31) / 32, (height + 7) / 8), dim3(32, 8)>>>(
            in, in_pitch, out, out_pitch, width, height);
        std::swap(in, out);
        std::swap(in_pitch, out_pitch);
    }
    check(cudaMemcpy2D(result.data(), row, in, in_pitch, row, height, cudaMemcpyDeviceToHost));
    return report(result);
}
