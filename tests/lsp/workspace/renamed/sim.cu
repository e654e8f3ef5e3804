#include "field.cuh"
#include "run.h"
#define RUN(o) simulate(o, 0)
template <typename T> __global__ void fill(field<T> f, T value) {
    f.at(threadIdx.x, blockIdx.x) = value;
}
#pragma gcluster reads(in[blockIdx.x * n : n]) writes(out[blockIdx.x * n : n])
__global__ void copy(const float *in, float *out, int n) {
    for (int i = threadIdx.x; i < n; i += blockDim.x)
        out[blockIdx.x * n + i] = in[blockIdx.x * n + i];
}
__global__ void clear(field<double> f) {
    f.at(threadIdx.x, 0) = 0;
}
__device__ int twice(int a) { return 2 * a; }
__device__ float twice(float a) { return 2 * a; }
template <typename T> __device__ T four_times(T a) { return twice(twice(a)); }
#if 0
int other = simulate(0, 0);
#endif
int simulate(const options *o, float *out) {
    fill<<<1, 1>>>(field<float>(out, 1), 1.f);
    return o->steps;
}
struct base {
    virtual int size() { return 0; }
};
