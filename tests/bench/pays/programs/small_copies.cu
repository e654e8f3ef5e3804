// A few bytes to the device and back between launches, as a program that steers from the host.
#include "pays.h"

struct control {
    float scale;
    int shift;
};

__global__ void apply(const control *control, float *a, float *first, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        a[i] = control->scale * a[i] + 0.001f * ((i + control->shift) % 7);
    if (i == 0)
        *first = a[i];
}

int main(int argc, char **argv) {
    const int n = 1 << 16, steps = by_size(argc, argv, 400, 3000, 12000);
    const std::vector<float> start = uniforms(n);
    start_clock();
    float *a = copy_of(start), *first = allocate<float>(1);
    control *device_control = allocate<control>(1), host = {0.5f, 0};
    for (int i = 0; i < steps; i++) {
        float value;
        check(cudaMemcpy(device_control, &host, sizeof(host), cudaMemcpyHostToDevice));
        apply<<<n / 256, 256>>>(device_control, a, first, n);
        check(cudaMemcpy(&value, first, sizeof(value), cudaMemcpyDeviceToHost));
        host = {value > 0.003f ? 0.5f : 1.5f, i};
    }
    return report(a, n);
}
