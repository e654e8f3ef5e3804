// The matrix products' text: as it says, so blocks split over nodes, and so GPUs compute where
// there is no cuBLAS of NVIDIA's.
#ifndef GCL_BLAS_GEMM_CUH
#define GCL_BLAS_GEMM_CUH

#include "number.cuh"

// Matrices at strides.
struct strided {
    template <class T>
    static __device__ T *element(const struct gcl_blas_matrix &matrix, int64_t i, int64_t j,
                                 int64_t batch) {
        return static_cast<T *>(matrix.at) + i * matrix.row + j * matrix.column +
               batch * matrix.batch;
    }
};

// Matrices at pointers, which an array has.
struct scattered {
    template <class T>
    static __device__ T *element(const struct gcl_blas_matrix &matrix, int64_t i, int64_t j,
                                 int64_t batch) {
        return static_cast<T *const *>(matrix.at)[batch] + i * matrix.row + j * matrix.column;
    }
};

template <class At, class In, class Sum>
__device__ Sum product(const struct gcl_blas_gemm &g, int64_t i, int64_t j, int64_t batch) {
    Sum sum{};
    for (int64_t l = 0; l < g.k; l++) {
        Sum a = convert<Sum>(*At::template element<const In>(g.a, i, l, batch));
        Sum b = convert<Sum>(*At::template element<const In>(g.b, l, j, batch));
        sum = plus(sum, times(conjugate_if(g.a.conjugate, a), conjugate_if(g.b.conjugate, b)));
    }
    return sum;
}

// Nothing is done to results.
struct as_is {
    template <class Sum> __device__ Sum operator()(int64_t, int64_t, int64_t, Sum value) const {
        return value;
    }
};

template <class At, class In, class Out, class Sum, class End>
__device__ void multiply(const struct gcl_blas_gemm &g, const End &end) {
    Sum alpha = read<Sum>(g.alpha), beta = read<Sum>(g.beta);
    int64_t i_end = min(g.m, (blockIdx.x + 1) * g.tile[0]);
    int64_t j_end = min(g.n, (blockIdx.y + 1) * g.tile[1]);
    int64_t batch_end = min(g.batches, (blockIdx.z + 1) * g.tile[2]);
    for (int64_t batch = blockIdx.z * g.tile[2]; batch < batch_end; batch++)
        for (int64_t j = blockIdx.y * g.tile[1] + threadIdx.y; j < j_end; j += blockDim.y)
            for (int64_t i = blockIdx.x * g.tile[0] + threadIdx.x; i < i_end; i += blockDim.x) {
                Sum sum = times(alpha, product<At, In, Sum>(g, i, j, batch));
                if (g.reads_c)
                    sum = plus(sum, times(beta, convert<Sum>(*At::template element<const Out>(
                                                    g.c, i, j, batch))));
                *At::template element<Out>(g.d, i, j, batch) = convert<Out>(end(i, j, batch, sum));
            }
}

template <class In, class Out, class Sum> __device__ void gemm(const struct gcl_blas_gemm &g) {
    multiply<strided, In, Out, Sum>(g, as_is());
}

template <class In, class Out, class Sum> __device__ void gemms(const struct gcl_blas_gemm &g) {
    multiply<scattered, In, Out, Sum>(g, as_is());
}

// D is a triangle, Hermitian if one operand of the two is conjugated. Of tiles on the diagonal all
// elements are written, the others with what they have: so that what a block writes is a rectangle.
template <class In, class Out, class Sum> __device__ void syrk(const struct gcl_blas_gemm &g) {
    if (g.upper ? blockIdx.x > blockIdx.y : blockIdx.x < blockIdx.y)
        return;
    Sum alpha = read<Sum>(g.alpha), beta = read<Sum>(g.beta);
    bool is_hermitian = g.a.conjugate != g.b.conjugate;
    int64_t i_end = min(g.m, (blockIdx.x + 1) * g.tile[0]);
    int64_t j_end = min(g.n, (blockIdx.y + 1) * g.tile[1]);
    for (int64_t j = blockIdx.y * g.tile[1] + threadIdx.y; j < j_end; j += blockDim.y)
        for (int64_t i = blockIdx.x * g.tile[0] + threadIdx.x; i < i_end; i += blockDim.x) {
            Out *d = strided::element<Out>(g.d, i, j, 0);
            Sum sum = times(alpha, product<strided, In, Sum>(g, i, j, 0));
            Sum old{};
            if (g.reads_c || blockIdx.x == blockIdx.y)
                old = convert<Sum>(*d);
            if (g.reads_c)
                sum = plus(sum, times(beta, old));
            sum = real_if(is_hermitian && i == j, sum);
            *d = convert<Out>((g.upper ? i <= j : i >= j) ? sum : old);
        }
}

#define KERNEL(name, letters, In, Out, Sum)                                                        \
    extern "C" __global__ __attribute__((                                                          \
        annotate("gcl.native=gcl_blas_" #name                                                      \
                 "_" #letters))) void cublas_##name##_##letters(struct gcl_blas_gemm g) {          \
        name<In, Out, Sum>(g);                                                                     \
    }
GCL_BLAS_GEMMS(KERNEL)
#undef KERNEL

#endif
