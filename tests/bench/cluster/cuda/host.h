// The host side of the CUDA programs.
#pragma once
#include <cuda_runtime.h>

#include <vector>

#include "../problem/common.h"

inline void check(cudaError_t error) {
    if (error == cudaSuccess)
        return;
    fprintf(stderr, "CUDA: %s\n", cudaGetErrorString(error));
    exit(2);
}

template <class T> T *allocate(size_t count) {
    T *memory;
    check(cudaMalloc(&memory, count * sizeof(T)));
    return memory;
}

template <class T> T *copy_of(const std::vector<T> &from) {
    T *memory = allocate<T>(from.size());
    check(cudaMemcpy(memory, from.data(), from.size() * sizeof(T), cudaMemcpyHostToDevice));
    return memory;
}

template <class T> std::vector<T> host_copy(const T *from, size_t count) {
    std::vector<T> to(count);
    check(cudaMemcpy(to.data(), from, count * sizeof(T), cudaMemcpyDeviceToHost));
    return to;
}

/// Waits for all launches, and returns the time.
inline double finished() {
    check(cudaGetLastError());
    check(cudaDeviceSynchronize());
    return now();
}
