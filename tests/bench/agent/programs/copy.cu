// Page-locked memory to the device and back, sizes from 4 KiB up to MiB: for each size the best
// time of a pair, in microseconds. Argument: the largest size, in MiB.
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>

static double now() {
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch())
        .count();
}

int main(int argc, char **argv) {
    size_t most = (size_t)atoi(argv[argc - 1]) << 20;
    char *host, *device;
    if (cudaMallocHost(&host, most) != cudaSuccess || cudaMalloc(&device, most) != cudaSuccess)
        return 1;
    memset(host, 1, most);
    for (size_t size = 4096; size <= most; size *= 4) {
        double best = 1e9, end = now() + 0.3;
        for (int i = 0; i < 5 || now() < end; i++) {
            double begin = now();
            cudaMemcpy(device, host, size, cudaMemcpyHostToDevice);
            cudaMemcpy(host, device, size, cudaMemcpyDeviceToHost);
            double taken = now() - begin;
            best = taken < best ? taken : best;
        }
        printf("%zu %g\n", size, best * 1e6);
    }
    return 0;
}
