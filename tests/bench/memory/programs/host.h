// The host side of the programs: where arrays lie, how often a step runs, and what is said of it.
//
//     PROGRAM MIB STEPS [FOLDER]
//
// MIB is of all arrays together. With a FOLDER they aren't device memory but shared mappings of
// files there, which the system pages. Prints what a step takes in the middle, in seconds, and a
// sum of the result's bits, which doesn't depend on the order of blocks.
#pragma once
#include <cuda_runtime.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <string>
#include <sys/mman.h>
#include <unistd.h>
#include <vector>

inline size_t all_bytes;
inline int step_count;
inline const char *folder;

inline void check(cudaError_t error) {
    if (error == cudaSuccess)
        return;
    fprintf(stderr, "CUDA: %s\n", cudaGetErrorString(error));
    exit(2);
}

inline void check(bool ok, const char *what) {
    if (ok)
        return;
    perror(what);
    exit(2);
}

inline void start(int argc, char **argv) {
    if (argc < 3) {
        fprintf(stderr, "usage: %s MIB STEPS [FOLDER]\n", argv[0]);
        exit(2);
    }
    all_bytes = strtoull(argv[1], nullptr, 10) << 20;
    step_count = atoi(argv[2]);
    folder = argc > 3 ? argv[3] : nullptr;
}

/// A mapping of a file that has no name any more.
inline void *map_file(size_t size) {
    std::string name = std::string(folder) + "/XXXXXX";
    int file = mkstemp(name.data());
    check(file >= 0 && unlink(name.c_str()) == 0 && ftruncate(file, (off_t)size) == 0, folder);
    void *data = mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    check(data != MAP_FAILED, "mmap");
    close(file);
    return data;
}

/// An array that kernels use. The process' end frees it.
template <class T> class array {
  public:
    explicit array(size_t count) : count_(count) {
        if (folder)
            data_ = static_cast<T *>(map_file(count * sizeof(T)));
        else
            check(cudaMalloc(&data_, count * sizeof(T)));
    }
    operator T *() const {
        return data_;
    }
    size_t size() const {
        return count_;
    }

  private:
    T *data_;
    size_t count_;
};

__host__ __device__ inline unsigned hash(unsigned x) {
    x = (x ^ (x >> 16)) * 0x45d9f3bu;
    x = (x ^ (x >> 16)) * 0x45d9f3bu;
    return x ^ (x >> 16);
}

/// Like `hash`, by more steps than are taken to find what a kernel reads before it starts.
__device__ inline unsigned shuffle(unsigned x) {
    for (int round = x++ % 2; round < 8; round++) {
        x ^= x << 13;
        x ^= x >> 17;
        x ^= x << 5;
    }
    return x;
}

/// Small numbers, of which sums are exact enough to be the same in any type.
template <class T> __global__ void fill(T *to, size_t count, unsigned seed) {
    size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
    if (i < count)
        to[i] = (T)(hash((unsigned)i ^ seed) % 1024) / 1024;
}

template <class T> __global__ void add_bits(const T *from, size_t count, unsigned long long *sum) {
    size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
    if (i >= count)
        return;
    T value = from[i];
    unsigned bits[sizeof(T) / sizeof(unsigned)];
    memcpy(bits, &value, sizeof value);
    for (unsigned part : bits)
        atomicAdd(sum, (unsigned long long)hash(part ^ (unsigned)i));
}

inline unsigned blocks(size_t count) {
    return (unsigned)((count + 255) / 256);
}

template <class T> void fill(const array<T> &to, unsigned seed) {
    fill<T><<<blocks(to.size()), 256>>>(to, to.size(), seed);
}

/// Runs a step to warm up, then `step_count` of them, and prints. Each is prepared first, which
/// isn't timed.
template <class Prepare, class Step, class T>
int measure(Prepare prepare, Step step, const array<T> &result) {
    std::vector<double> seconds;
    unsigned long long *sum, bits;
    for (int i = 0; i <= step_count; i++) {
        prepare();
        check(cudaDeviceSynchronize());
        auto begin = std::chrono::steady_clock::now();
        step();
        check(cudaDeviceSynchronize());
        std::chrono::duration<double> took = std::chrono::steady_clock::now() - begin;
        if (i > 0)
            seconds.push_back(took.count());
    }
    std::sort(seconds.begin(), seconds.end());
    check(cudaMalloc(&sum, sizeof *sum));
    check(cudaMemset(sum, 0, sizeof *sum));
    add_bits<T><<<blocks(result.size()), 256>>>(result, result.size(), sum);
    check(cudaMemcpy(&bits, sum, sizeof bits, cudaMemcpyDeviceToHost));
    printf("%.6f %016llx\n", seconds[seconds.size() / 2], bits);
    return 0;
}

template <class Step, class T> int measure(Step step, const array<T> &result) {
    return measure([] {}, step, result);
}
