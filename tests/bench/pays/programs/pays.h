// What the programs share: their sizes, their data, the clock, and what they print.
#pragma once
#include <cuda_runtime.h>

#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

inline void check(cudaError_t error) {
    if (error == cudaSuccess)
        return;
    fprintf(stderr, "CUDA: %s\n", cudaGetErrorString(error));
    exit(2);
}

/// One of three values, by the program's argument: 0, 1 or 2; the first one without an argument.
inline int by_size(int argc, char **argv, int small, int middle, int large) {
    const int sizes[] = {small, middle, large};
    const int size = argc > 1 ? atoi(argv[1]) : 0;
    if (size < 0 || size > 2) {
        fprintf(stderr, "usage: %s [0|1|2]\n", argv[0]);
        exit(2);
    }
    return sizes[size];
}

/// Bits that look random and depend only on `i`.
__host__ __device__ inline unsigned noise(unsigned i) {
    i = (i ^ i >> 16) * 0x7feb352du;
    i = (i ^ i >> 15) * 0x846ca68bu;
    return i ^ i >> 16;
}

/// Number in [0, 1) that looks random and depends only on `i`.
__host__ __device__ inline float uniform(unsigned i) {
    return (float)(noise(i) >> 8) / 16777216.0f;
}

inline std::vector<float> uniforms(size_t count) {
    std::vector<float> values(count);
    for (size_t i = 0; i < count; i++)
        values[i] = uniform((unsigned)i);
    return values;
}

inline double now() {
    using namespace std::chrono;
    return duration<double>(steady_clock::now().time_since_epoch()).count();
}

inline double clock_start;

/// Waits for the device and starts the clock: before the program's first allocation.
inline void start_clock() {
    check(cudaFree(nullptr));
    clock_start = now();
}

template <class T> T *allocate(size_t count) {
    T *memory;
    check(cudaMalloc(&memory, count * sizeof(T)));
    return memory;
}

template <class T> T *zeros(size_t count) {
    T *memory = allocate<T>(count);
    check(cudaMemset(memory, 0, count * sizeof(T)));
    return memory;
}

template <class T> T *copy_of(const std::vector<T> &from) {
    T *memory = allocate<T>(from.size());
    check(cudaMemcpy(memory, from.data(), from.size() * sizeof(T), cudaMemcpyHostToDevice));
    return memory;
}

/// Stops the clock, and prints the time and a checksum of the result's bytes; returns main's
/// result.
template <class T> int report(const std::vector<T> &result) {
    check(cudaDeviceSynchronize());
    fprintf(stderr, "seconds: %.6f\n", now() - clock_start);
    uint64_t sum = 0xcbf29ce484222325u; // FNV-1a, 32 bits at a time
    for (const T &value : result) {
        static_assert(sizeof(T) == sizeof(uint32_t), "a checksum is of words");
        uint32_t word;
        memcpy(&word, &value, sizeof(word));
        sum = (sum ^ word) * 0x100000001b3u;
    }
    printf("checksum: %016llx\n", (unsigned long long)sum);
    return 0;
}

/// Copies the result from the device, which belongs to the program's work, and reports it.
template <class T> int report(const T *memory, size_t count) {
    std::vector<T> result(count);
    check(cudaGetLastError());
    check(cudaMemcpy(result.data(), memory, count * sizeof(T), cudaMemcpyDeviceToHost));
    return report(result);
}
