// Fourier transform, a launch a stage (Stockham): strides double from stage to stage.
#include "pays.h"

#include <utility>

__global__ void butterfly(const float2 *in, float2 *out, int n, int stride) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n / 2)
        return;
    float2 a = in[i], b = in[i + n / 2], w;
    int k = i / stride * stride;
    sincosf(-6.2831853f * k / n, &w.y, &w.x);
    float dx = a.x - b.x, dy = a.y - b.y;
    int to = 2 * k + i % stride;
    out[to] = make_float2(a.x + b.x, a.y + b.y);
    out[to + stride] = make_float2(dx * w.x - dy * w.y, dx * w.y + dy * w.x);
}

int main(int argc, char **argv) {
    const int n = by_size(argc, argv, 1 << 19, 1 << 21, 1 << 23);
    const std::vector<float> start = uniforms((size_t)n * 2);
    start_clock();
    float *in = copy_of(start), *out = allocate<float>((size_t)n * 2);
    for (int stride = 1; stride < n; stride *= 2) {
        butterfly<<<n / 512, 256>>>(reinterpret_cast<float2 *>(in), reinterpret_cast<float2 *>(out),
                                    n, stride);
        std::swap(in, out);
    }
    return report(in, (size_t)n * 2);
}
