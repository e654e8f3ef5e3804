// A stencil of 16 x 256 blocks whose rows of 4 KiB are cut over nodes: columns of blocks would be
// fewer, and more would stay where it is at first. In a dry run nothing runs, so all is zero at
// the end, and the exit status is 3.
#include <cstdio>
#include <utility>
#include <vector>

constexpr int width = 1024, height = 1024, steps = 50;

__global__ void step(const float *in, float *out) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (y > 0 && y < height - 1)
        out[y * width + x] = in[(y - 1) * width + x] + in[(y + 1) * width + x] + 1;
}

int main() {
    const size_t bytes = width * height * sizeof(float);
    std::vector<float> host(width * height, 1);
    float *in, *out;
    cudaMalloc(&in, bytes);
    cudaMalloc(&out, bytes);
    cudaMemcpy(in, host.data(), bytes, cudaMemcpyHostToDevice);
    cudaMemcpy(out, host.data(), bytes, cudaMemcpyHostToDevice);
    for (int i = 0; i < steps; i++) {
        step<<<dim3(width / 64, height / 4), dim3(64, 4)>>>(in, out);
        std::swap(in, out);
    }
    if (cudaMemcpy(host.data(), in, bytes, cudaMemcpyDeviceToHost) != cudaSuccess)
        return 1;
    for (float value : host) {
        if (value != 0)
            return 2;
    }
    return 3;
}
