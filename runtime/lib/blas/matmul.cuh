// The text of products whose results something is done to.
#ifndef GCL_BLAS_MATMUL_CUH
#define GCL_BLAS_MATMUL_CUH

#include "gemm.cuh"

__device__ inline float gelu(float x) {
    return 0.5f * x * (1 + tanhf(0.7978845608f * (x + 0.044715f * x * x * x)));
}

__device__ inline float gelu_slope(float x) {
    float t = tanhf(0.7978845608f * (x + 0.044715f * x * x * x));
    return 0.5f * (1 + t) + 0.5f * x * (1 - t * t) * 0.7978845608f * (1 + 0.134145f * x * x);
}

template <class Out> struct ending {
    const struct gcl_blas_matmul &m;

    __device__ float operator()(int64_t i, int64_t j, int64_t batch, float value) const {
        if (m.bias) {
            int64_t at = i * m.bias_row + j * m.bias_column + batch * m.bias_batch;
            value += m.is_float ? static_cast<const float *>(m.bias)[at]
                                : convert<float>(static_cast<const Out *>(m.bias)[at]);
        }
        if (m.activation == GCL_BLAS_GELU_SLOPE)
            return value *
                   gelu_slope(convert<float>(*strided::element<const Out>(m.beside, i, j, batch)));
        if (m.beside.at)
            *strided::element<Out>(m.beside, i, j, batch) = convert<Out>(value);
        return m.activation == GCL_BLAS_GELU                ? gelu(value)
               : m.activation == GCL_BLAS_RELU && value < 0 ? 0
                                                            : value;
    }
};

template <class In, class Out, class Sum> __device__ void matmul(const struct gcl_blas_matmul &m) {
    multiply<strided, In, Out, Sum>(m.gemm, ending<Out>{m});
}

#define KERNEL(name, letters, In, Out, Sum)                                                        \
    extern "C" __global__ __attribute__((                                                          \
        annotate("gcl.native=gcl_blas_" #name                                                      \
                 "_" #letters))) void cublas_##name##_##letters(struct gcl_blas_matmul m) {        \
        name<In, Out, Sum>(m);                                                                     \
    }
GCL_BLAS_MATMULS(KERNEL)
#undef KERNEL

#endif
