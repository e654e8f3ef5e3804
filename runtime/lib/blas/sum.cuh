// The text of sums of matrices, one of which may be transposed: a block's tile is small enough for
// the columns of one and the rows of the other to stay in a cache.
#ifndef GCL_BLAS_SUM_CUH
#define GCL_BLAS_SUM_CUH

#include "number.cuh"

template <class T>
__device__ T *element(const struct gcl_blas_matrix &matrix, int64_t i, int64_t j) {
    return static_cast<T *>(matrix.at) + i * matrix.row + j * matrix.column;
}

template <class T> __device__ T read(const struct gcl_blas_matrix &matrix, int64_t i, int64_t j) {
    return conjugate_if(matrix.conjugate, *element<const T>(matrix, i, j));
}

// Calls `value` for the elements of a block's tile of D.
template <class T, class Value>
__device__ void fill(const struct gcl_blas_sum &s, const Value &value) {
    int64_t i_end = min(s.m, int64_t(blockIdx.x + 1) * GCL_BLAS_SUM_TILE);
    int64_t j_end = min(s.n, int64_t(blockIdx.y + 1) * GCL_BLAS_SUM_TILE);
    for (int64_t j = int64_t(blockIdx.y) * GCL_BLAS_SUM_TILE + threadIdx.y; j < j_end;
         j += blockDim.y)
        for (int64_t i = int64_t(blockIdx.x) * GCL_BLAS_SUM_TILE + threadIdx.x; i < i_end;
             i += blockDim.x)
            *element<T>(s.d, i, j) = value(i, j);
}

template <class T> __device__ void geam(const struct gcl_blas_sum &s) {
    T alpha = read<T>(s.alpha), beta = read<T>(s.beta);
    fill<T>(s, [&](int64_t i, int64_t j) {
        T sum{};
        if (s.reads_a)
            sum = times(alpha, read<T>(s.a, i, j));
        if (s.reads_b)
            sum = plus(sum, times(beta, read<T>(s.b, i, j)));
        return sum;
    });
}

template <class T> __device__ void dgmm(const struct gcl_blas_sum &s) {
    fill<T>(s, [&](int64_t i, int64_t j) { return times(read<T>(s.a, i, j), read<T>(s.b, i, j)); });
}

#define KERNEL(name, letter, T)                                                                    \
    extern "C" __global__ void cublas_##name##_##letter(struct gcl_blas_sum s) {                   \
        name<T>(s);                                                                                \
    }
GCL_BLAS_SUMS(KERNEL)
#undef KERNEL

#endif
