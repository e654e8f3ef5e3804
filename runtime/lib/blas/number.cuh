// Arithmetic that kernels of all types share.
#ifndef GCL_BLAS_NUMBER_CUH
#define GCL_BLAS_NUMBER_CUH

#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include "kernels.h"

#define FOR_PLAIN(X) X(int) X(float) X(double)
#define FOR_COMPLEX(X) X(float2) X(double2)

#define PLAIN(T)                                                                                   \
    __device__ inline T times(T a, T b) {                                                          \
        return a * b;                                                                              \
    }                                                                                              \
    __device__ inline T plus(T a, T b) {                                                           \
        return a + b;                                                                              \
    }                                                                                              \
    __device__ inline T conjugate_if(long long, T a) {                                             \
        return a;                                                                                  \
    }                                                                                              \
    __device__ inline T real_if(bool, T a) {                                                       \
        return a;                                                                                  \
    }
FOR_PLAIN(PLAIN)

#define COMPLEX(T)                                                                                 \
    __device__ inline T times(T a, T b) {                                                          \
        return {a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x};                                     \
    }                                                                                              \
    __device__ inline T plus(T a, T b) {                                                           \
        return {a.x + b.x, a.y + b.y};                                                             \
    }                                                                                              \
    __device__ inline T conjugate_if(long long condition, T a) {                                   \
        return {a.x, condition ? -a.y : a.y};                                                      \
    }                                                                                              \
    __device__ inline T real_if(bool condition, T a) {                                             \
        return {a.x, condition ? 0 : a.y};                                                         \
    }
FOR_COMPLEX(COMPLEX)

template <class To, class From> __device__ To convert(From value) {
    return static_cast<To>(value);
}
template <> __device__ inline float2 convert<float2, double2>(double2 value) {
    return {static_cast<float>(value.x), static_cast<float>(value.y)};
}

__device__ inline void take(const union gcl_blas_scalar &from, int &to) {
    to = from.i;
}
__device__ inline void take(const union gcl_blas_scalar &from, float &to) {
    to = from.s[0];
}
__device__ inline void take(const union gcl_blas_scalar &from, double &to) {
    to = from.d[0];
}
__device__ inline void take(const union gcl_blas_scalar &from, float2 &to) {
    to = {from.s[0], from.s[1]};
}
__device__ inline void take(const union gcl_blas_scalar &from, double2 &to) {
    to = {from.d[0], from.d[1]};
}

template <class T> __device__ void take_other(const struct gcl_blas_factor &, T &) {
}
__device__ inline void take_other(const struct gcl_blas_factor &factor, float &to) {
    to = __half2float(*static_cast<const __half *>(factor.at));
}
__device__ inline void take_other(const struct gcl_blas_factor &factor, float2 &to) {
    to = {*static_cast<const float *>(factor.at), 0};
}
__device__ inline void take_other(const struct gcl_blas_factor &factor, double2 &to) {
    to = {*static_cast<const double *>(factor.at), 0};
}

template <class T> __device__ T read(const struct gcl_blas_factor &factor) {
    T value{};
    if (!factor.at)
        take(factor.value, value);
    else if (factor.kind == GCL_BLAS_FACTOR_OWN)
        value = *static_cast<const T *>(factor.at);
    else
        take_other(factor, value);
    return value;
}

#endif
