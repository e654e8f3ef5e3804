// What launches and copies cost on a GPU, apart from kernels: medians of many, a name and a value
// each. Launches in microseconds, copies in GB/s.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <vector>

constexpr int launches = 1000, rounds = 21;
constexpr size_t bytes = size_t(256) << 20;

__global__ void empty(int *, int) {
}

static void check(cudaError_t error, const char *what) {
    if (error == cudaSuccess)
        return;
    fprintf(stderr, "%s: %s\n", what, cudaGetErrorString(error));
    exit(1);
}

// The median of the seconds that `run` takes until the device is done.
template <typename Run> static double seconds(Run run) {
    std::vector<double> times;
    for (int round = 0; round <= rounds; round++) {
        auto begin = std::chrono::steady_clock::now();
        run();
        check(cudaDeviceSynchronize(), "synchronize");
        times.push_back(
            std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count());
    }
    times.erase(times.begin()); // warms up
    std::nth_element(times.begin(), times.begin() + rounds / 2, times.end());
    return times[rounds / 2];
}

static void rate(const char *name, void *to, const void *from, cudaMemcpyKind kind) {
    double time = seconds([=] { check(cudaMemcpy(to, from, bytes, kind), name); });
    printf("%s %.1f\n", name, bytes / time / 1e9);
}

int main() {
    void *device, *second, *pinned;
    check(cudaMalloc(&device, bytes), "cudaMalloc");
    check(cudaMalloc(&second, bytes), "cudaMalloc");
    check(cudaMallocHost(&pinned, bytes), "cudaMallocHost");
    std::vector<char> pageable(bytes, 1);

    double one = seconds([=] { empty<<<1, 32>>>((int *)device, 1); });
    double many = seconds([=] {
        for (int i = 0; i < launches; i++)
            empty<<<128, 128>>>((int *)device, i);
    });
    printf("launch_and_wait_us %.2f\nqueued_launch_us %.3f\n", one * 1e6, many / launches * 1e6);
    rate("pinned_to_device", device, pinned, cudaMemcpyHostToDevice);
    rate("device_to_pinned", pinned, device, cudaMemcpyDeviceToHost);
    rate("pageable_to_device", device, pageable.data(), cudaMemcpyHostToDevice);
    rate("device_to_pageable", pageable.data(), device, cudaMemcpyDeviceToHost);
    rate("device_to_device", second, device, cudaMemcpyDeviceToDevice);
    double small = seconds([=] {
        for (int i = 0; i < 100; i++)
            cudaMemcpy(device, pinned, 4096, cudaMemcpyHostToDevice);
    });
    printf("small_copy_us %.2f\n", small / 100 * 1e6);
    cudaFree(device), cudaFree(second), cudaFreeHost(pinned);
    return 0;
}
