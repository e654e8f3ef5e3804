// Shared by host code and kernels; the guard of CUDA makes its second half dead for the host.
#ifndef BUFFER_H
#define BUFFER_H
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>

#define CHECK(call)                                                                                \
    do {                                                                                           \
        cudaError_t error = (call);                                                                \
        if (error != cudaSuccess) {                                                                \
            std::printf("%s: %s\n", #call, cudaGetErrorString(error));                             \
            std::exit(1);                                                                          \
        }                                                                                          \
    } while (0)

struct buffer {
    float *data; /* on the device */
    int count;
    explicit buffer(int n) : count(n) { CHECK(cudaMalloc(&data, n * sizeof(float))); }
    ~buffer() { cudaFree(data); }
};

void scale(buffer &b, float by);

#ifdef __CUDACC__
template <class T> __global__ void fill(T *data, int n, T value) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        data[i] = value;
}
inline void fill_all(buffer &b, float value) {
    fill<float><<<(b.count + 127) / 128, 128>>>(b.data, b.count, value); // all of it
}
#endif
#endif
