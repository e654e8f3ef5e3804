// Memory of the program's own that is page-locked in parts, which a GPU's driver doesn't copy at
// once; and allocations that fail, after which the GPU goes on. Argument: how many of the
// allocations are to fail.
#include <cstdio>
#include <cstdlib>
#include <vector>

#define CHECK(call)                                                                                \
    do {                                                                                           \
        cudaError_t error = (call);                                                                \
        if (error != cudaSuccess) {                                                                \
            printf("line %d: %s\n", __LINE__, cudaGetErrorName(error));                            \
            exit(1);                                                                               \
        }                                                                                          \
    } while (0)

__global__ void increase(char *bytes, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        bytes[i]++;
}

static const int page = 4096, size = 40 * page;

// Copies bytes there and back, each increased by 1.
static void go_round(char *bytes, int n, char *device) {
    for (int i = 0; i < n; i++)
        bytes[i] = (char)(i * 7);
    CHECK(cudaMemcpy(device, bytes, n, cudaMemcpyHostToDevice));
    increase<<<(n + 255) / 256, 256>>>(device, n);
    CHECK(cudaMemcpy(bytes, device, n, cudaMemcpyDeviceToHost));
    for (int i = 0; i < n; i++) {
        if (bytes[i] != (char)(i * 7 + 1)) {
            printf("byte %d of %d is wrong\n", i, n);
            exit(1);
        }
    }
}

static void go_round_in_rows(char *bytes, char *device) {
    int width = page - 96, rows = size / page;
    for (int i = 0; i < size; i++)
        bytes[i] = (char)(i * 5);
    CHECK(cudaMemcpy2D(device, width, bytes, page, width, rows, cudaMemcpyHostToDevice));
    increase<<<size / 256, 256>>>(device, width * rows);
    CHECK(cudaMemcpy2D(bytes, page, device, width, width, rows, cudaMemcpyDeviceToHost));
    for (int i = 0; i < size; i++) {
        if (bytes[i] != (char)(i * 5 + (i % page < width))) {
            printf("byte %d of rows is wrong\n", i);
            exit(1);
        }
    }
}

int main(int argc, char **argv) {
    int failed = 0, wanted = argc > 1 ? atoi(argv[1]) : 0;
    char *device = nullptr, *host = (char *)aligned_alloc(page, size);
    for (int i = 0; i < 4; i++) {
        char *bytes = nullptr;
        cudaError_t error = cudaMalloc(&bytes, 4 << 20);
        if (error != cudaSuccess && error != cudaErrorMemoryAllocation)
            CHECK(error);
        failed += error != cudaSuccess;
        device = bytes ? bytes : device;
    }
    go_round(host, size, device);
    // Two that share a page, with memory before, between and behind that isn't locked.
    CHECK(cudaHostRegister(host + page / 2, 3 * page, cudaHostRegisterDefault));
    CHECK(cudaHostRegister(host + page / 2 + 3 * page, 5 * page, cudaHostRegisterDefault));
    CHECK(cudaHostRegister(host + 20 * page, page, cudaHostRegisterDefault));
    go_round(host, size, device);
    go_round(host + page, 9 * page, device);
    go_round(host + 19 * page + 1, 3 * page, device);
    go_round_in_rows(host, device);
    CHECK(cudaHostUnregister(host + page / 2 + 3 * page));
    go_round(host, size, device);
    CHECK(cudaHostUnregister(host + page / 2));
    CHECK(cudaHostUnregister(host + 20 * page));
    go_round(host, size, device);
    puts(failed == wanted ? "right" : "other allocations failed");
}
