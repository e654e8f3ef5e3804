// What the self-checking programs share: managed memory by element count, and a check that says
// where it failed.
#pragma once
#include <cuda_runtime.h>
#include <stdio.h>
#include <stdlib.h>

#define CHECK(condition)                                                                           \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            fprintf(stderr, "%s:%d: wrong: %s\n", __FILE__, __LINE__, #condition);                 \
            exit(1);                                                                               \
        }                                                                                          \
    } while (0)

#define SYNC() CHECK(cudaDeviceSynchronize() == cudaSuccess)

template <class T> static T *managed(size_t count) {
    T *pointer = nullptr;
    CHECK(cudaMallocManaged(&pointer, count * sizeof(T)) == cudaSuccess);
    for (size_t i = 0; i < count; i++)
        pointer[i] = T();
    return pointer;
}
