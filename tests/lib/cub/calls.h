// What tests of CUB's device functions share.
#ifndef CALLS_H
#define CALLS_H

#include <cuda_runtime.h>

#include <cstdio>
#include <vector>

/// Calls a function of CUB's twice, as it wants.
template <class Function> bool call(Function function) {
    void *temp = nullptr;
    size_t size = 0;
    bool good = function(temp, size) == cudaSuccess && size > 0;
    cudaMalloc(&temp, size);
    good &= function(temp, size) == cudaSuccess;
    return good & (cudaFree(temp) == cudaSuccess);
}

template <class T> std::vector<T> get(const T *device, size_t count) {
    std::vector<T> values(count);
    cudaMemcpy(values.data(), device, count * sizeof(T), cudaMemcpyDeviceToHost);
    return values;
}

template <class T> T *room(size_t count) {
    T *device = nullptr;
    cudaMalloc(&device, (count + 1) * sizeof(T));
    return device;
}

template <class T> T *put(const std::vector<T> &values) {
    T *device = room<T>(values.size());
    cudaMemcpy(device, values.data(), values.size() * sizeof(T), cudaMemcpyHostToDevice);
    return device;
}

static int failed;

static inline void check(const char *what, bool good) {
    if (!good)
        printf("%s is wrong\n", what);
    failed += !good;
}

#endif
