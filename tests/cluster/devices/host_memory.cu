// Memory that the host shares, on several devices; and what only the first device can use.
#include "check.h"

__managed__ int shared = 3;

__global__ void increase(int *values, int n, int by) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        values[i] += by;
}

__global__ void use_shared(int *out) {
    *out = ++shared;
}

// Each device in turn, and the host between them.
static void take_turns(int *values, int n, int count) {
    for (int i = 0; i < n; i++)
        values[i] = i;
    int sum = 0;
    for (int i = 0; i < 2 * count; i++) {
        CHECK(cudaSetDevice(i % count));
        increase<<<(n + 255) / 256, 256>>>(values, n, i);
        CHECK(cudaDeviceSynchronize());
        sum += i;
        REQUIRE(values[0] == sum && values[n - 1] == n - 1 + sum);
        values[n / 2]++;
        REQUIRE(values[n / 2] == n / 2 + sum + i + 1);
    }
}

int main() {
    int count = device_count(), n = 20000, *values, *out;
    CHECK(cudaSetDevice(count - 1));
    CHECK(cudaMallocManaged(&values, n * sizeof(int)));
    take_turns(values, n, count);
    CHECK(cudaFree(values));
    CHECK(cudaMallocHost(&values, n * sizeof(int)));
    take_turns(values, n, count);
    CHECK(cudaFreeHost(values));

    // The first device is the program's own process; the others refuse.
    std::vector<int> own(n);
    CHECK(cudaHostRegister(own.data(), n * sizeof(int), 0));
    for (int i = 0; i < count; i++) {
        cudaError_t expected = i == 0 ? cudaSuccess : cudaErrorNotSupported;
        CHECK(cudaSetDevice(i));
        CHECK(cudaMalloc(&out, sizeof *out));
        use_shared<<<1, 1>>>(out);
        EXPECT(cudaGetLastError(), expected);
        increase<<<(n + 255) / 256, 256>>>(own.data(), n, 1);
        EXPECT(cudaGetLastError(), expected);
        CHECK(cudaDeviceSynchronize());
        REQUIRE(shared == 4 && own[n - 1] == 1);
        CHECK(cudaMemcpy(out, own.data(), sizeof *out, cudaMemcpyDefault)); // copies may
        REQUIRE(fetch(out, 1)[0] == 1);
    }
    puts("right");
}
