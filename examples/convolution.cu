// A Gaussian blur. The kernel's weights are in constant memory, since all threads read the same
// one at the same time. A two-dimensional Gaussian is the product of two one-dimensional ones, so
// two passes of 2 r + 1 products replace one of (2 r + 1)^2; the host does it the long way.
#include "common/check.h"

#include <algorithm>
#include <vector>

constexpr int radius = 4;
constexpr int taps = 2 * radius + 1;

__constant__ float weights[taps];

__device__ int clamped(int position, int count) {
    return min(max(position, 0), count - 1); // beyond the edge counts what is at the edge
}

// One pass, along x or along y: a template, so that each direction is a kernel without branches.
// The pitch is the distance of two rows in elements.
template <bool along_x>
__global__ void blur(const float *in, float *out, int width, int height, size_t pitch) {
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height)
        return;
    float sum = 0;
    for (int k = 0; k < taps; k++) {
        int from_x = along_x ? clamped(x + k - radius, width) : x;
        int from_y = along_x ? y : clamped(y + k - radius, height);
        sum += weights[k] * in[from_y * pitch + from_x];
    }
    out[y * pitch + x] = sum;
}

static std::vector<float> gaussian() {
    std::vector<float> values(taps);
    float sum = 0;
    for (int k = 0; k < taps; k++)
        sum += values[k] = std::exp(-0.125f * (k - radius) * (k - radius));
    for (float &value : values)
        value /= sum;
    return values;
}

static std::vector<double> blur_on_host(const std::vector<float> &image, int width, int height,
                                        const std::vector<float> &values) {
    std::vector<double> out(image.size());
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++)
            for (int j = 0; j < taps; j++)
                for (int i = 0; i < taps; i++) {
                    int from_x = std::clamp(x + i - radius, 0, width - 1);
                    int from_y = std::clamp(y + j - radius, 0, height - 1);
                    out[y * width + x] +=
                        (double)values[i] * values[j] * image[from_y * width + from_x];
                }
    return out;
}

int main() {
    const int width = 333, height = 217;
    const size_t row_size = width * sizeof(float);

    std::vector<float> image(width * height), blurred(image.size());
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++)
            image[y * width + x] = (x / 16 + y / 16) % 2 + 0.001f * x;
    std::vector<float> values = gaussian();
    CHECK(cudaMemcpyToSymbol(weights, values.data(), taps * sizeof(float)));

    // Pitched rows begin at aligned addresses, whatever the width. The pitch follows from the
    // width, so both images have the same.
    float *in, *between;
    size_t pitch;
    CHECK(cudaMallocPitch(&in, &pitch, row_size, height));
    CHECK(cudaMallocPitch(&between, &pitch, row_size, height));
    CHECK(
        cudaMemcpy2D(in, pitch, image.data(), row_size, row_size, height, cudaMemcpyHostToDevice));

    dim3 block(32, 4);
    dim3 grid((width + block.x - 1) / block.x, (height + block.y - 1) / block.y);
    blur<true><<<grid, block>>>(in, between, width, height, pitch / sizeof(float));
    CHECK(cudaGetLastError());
    blur<false><<<grid, block>>>(between, in, width, height, pitch / sizeof(float));
    CHECK(cudaGetLastError());

    CHECK(cudaMemcpy2D(blurred.data(), row_size, in, pitch, row_size, height,
                       cudaMemcpyDeviceToHost));
    CHECK(cudaFree(in));
    CHECK(cudaFree(between));

    std::vector<double> reference = blur_on_host(image, width, height, values);
    return verdict("convolution", largest_error(blurred.data(), reference.data(), image.size()),
                   1e-5);
}
