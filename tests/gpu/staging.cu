// Copies of memory that isn't page-locked, there and back, of sizes and at addresses that fit
// nothing, and of addresses that a kernel follows then. Prints "right" if all is.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

static void check(cudaError_t error) {
    if (error != cudaSuccess) {
        printf("%s\n", cudaGetErrorString(error));
        exit(1);
    }
}

__global__ void increase(unsigned char *bytes, size_t size) {
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (i < size)
        bytes[i]++;
}

__global__ void follow(int *const *places, int *out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = *places[(size_t)i * 8191];
}

/// changed: by a kernel in between, so many bytes of the first 256.
static void there_and_back(size_t size, size_t offset, size_t changed) {
    std::vector<unsigned char> in(size + offset), out(size + offset);
    unsigned char *device;
    unsigned state = (unsigned)size;
    for (unsigned char &byte : in)
        byte = (unsigned char)((state = state * 1664525u + 1013904223u) >> 24);
    check(cudaMalloc(&device, size + offset));
    check(cudaMemcpy(device + offset, in.data() + offset, size, cudaMemcpyHostToDevice));
    if (changed > 0)
        increase<<<1, 256>>>(device + offset, changed);
    check(cudaMemcpy(out.data() + offset, device + offset, size, cudaMemcpyDeviceToHost));
    check(cudaFree(device));
    for (size_t i = 0; i < size; i++) {
        if (out[offset + i] != (unsigned char)(in[offset + i] + (i < changed))) {
            printf("byte %zu of %zu\n", i, size);
            exit(1);
        }
    }
}

static void addresses() {
    const int n = 160, count = n * 8191;
    int *numbers, *out;
    int **places;
    std::vector<int> expected(n), found(n);
    check(cudaMalloc(&numbers, count * sizeof *numbers));
    check(cudaMalloc(&places, count * sizeof *places));
    check(cudaMalloc(&out, n * sizeof *out));
    std::vector<int> values(count);
    std::vector<int *> pointers(count);
    for (int i = 0; i < count; i++) {
        values[i] = 3 * i + 1;
        pointers[i] = numbers + (count - 1 - i);
    }
    for (int i = 0; i < n; i++)
        expected[i] = values[count - 1 - i * 8191];
    check(cudaMemcpy(numbers, values.data(), count * sizeof(int), cudaMemcpyHostToDevice));
    check(cudaMemcpy(places, pointers.data(), count * sizeof(int *), cudaMemcpyHostToDevice));
    follow<<<n, 1>>>(places, out, n);
    check(cudaMemcpy(found.data(), out, n * sizeof(int), cudaMemcpyDeviceToHost));
    if (found != expected) {
        printf("addresses\n");
        exit(1);
    }
}

static void page_locked(size_t size) {
    unsigned char *host, *device;
    check(cudaMallocHost(&host, size));
    check(cudaMalloc(&device, size));
    memset(host, 6, size);
    check(cudaMemcpy(device, host, size, cudaMemcpyHostToDevice));
    increase<<<(unsigned)(size / 256), 256>>>(device, size);
    check(cudaMemcpy(host, device, size, cudaMemcpyDeviceToHost));
    if (host[0] != 7 || memcmp(host, host + 1, size - 1) != 0) {
        printf("page-locked\n");
        exit(1);
    }
}

int main(int argc, char **argv) {
    if (argc > 2) {
        page_locked(strtoul(argv[1], NULL, 10));
    } else if (argc > 1) { // one copy each way, of so many bytes, and nothing else that waits
        there_and_back(strtoul(argv[1], NULL, 10), 0, 0);
    } else {
        for (size_t size : {1000, 65537, 1 << 20, (4 << 20) + 1, (9 << 20) + 4095})
            there_and_back(size, size % 8, 256);
        addresses();
    }
    printf("right\n");
}
