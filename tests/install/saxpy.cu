#include <cstdio>
#include <vector>

#include "check.h"

__global__ void saxpy(int n, float a, const float *x, float *y) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        y[i] = a * x[i] + y[i];
}

int main() {
    const int n = 1000;
    std::vector<float> x(n, 3), y(n, 1);
    float *device_x, *device_y;
    cudaMalloc(&device_x, n * sizeof(float));
    cudaMalloc(&device_y, n * sizeof(float));
    cudaMemcpy(device_x, x.data(), n * sizeof(float), cudaMemcpyHostToDevice);
    cudaMemcpy(device_y, y.data(), n * sizeof(float), cudaMemcpyHostToDevice);
    saxpy<<<(n + 127) / 128, 128>>>(n, 2, device_x, device_y);
    cudaMemcpy(y.data(), device_y, n * sizeof(float), cudaMemcpyDeviceToHost);
    cudaFree(device_x);
    cudaFree(device_y);
    bool good = all_equal(y.data(), n, 7);
    puts(good ? "right" : "wrong");
    return good ? 0 : 1;
}
