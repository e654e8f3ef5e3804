// Products of numbers of several types.
#include "blas.h"
#include "halves.h"

// Which kernel multiplies numbers of which types.
static const struct gcl_blas_combination combinations[] = {
    {CUDA_R_32F, CUDA_R_32F, CUBLAS_COMPUTE_32F, GCL_BLAS_gemm_s, CUDA_R_32F},
    {CUDA_R_64F, CUDA_R_64F, CUBLAS_COMPUTE_64F, GCL_BLAS_gemm_d, CUDA_R_64F},
    {CUDA_C_32F, CUDA_C_32F, CUBLAS_COMPUTE_32F, GCL_BLAS_gemm_c, CUDA_C_32F},
    {CUDA_C_64F, CUDA_C_64F, CUBLAS_COMPUTE_64F, GCL_BLAS_gemm_z, CUDA_C_64F},
    {CUDA_R_16F, CUDA_R_16F, CUBLAS_COMPUTE_16F, GCL_BLAS_gemm_h, CUDA_R_16F},
    {CUDA_R_16F, CUDA_R_16F, CUBLAS_COMPUTE_32F, GCL_BLAS_gemm_h, CUDA_R_32F},
    {CUDA_R_16F, CUDA_R_32F, CUBLAS_COMPUTE_32F, GCL_BLAS_gemm_hs, CUDA_R_32F},
    {CUDA_R_16BF, CUDA_R_16BF, CUBLAS_COMPUTE_32F, GCL_BLAS_gemm_b, CUDA_R_32F},
    {CUDA_R_16BF, CUDA_R_32F, CUBLAS_COMPUTE_32F, GCL_BLAS_gemm_bs, CUDA_R_32F},
    {CUDA_R_8I, CUDA_R_32I, CUBLAS_COMPUTE_32I, GCL_BLAS_gemm_i, CUDA_R_32I},
    {CUDA_R_8I, CUDA_R_32F, CUBLAS_COMPUTE_32F, GCL_BLAS_gemm_is, CUDA_R_32F},
};

// Modes that allow less precision get all of it.
static cublasComputeType_t precise(cublasComputeType_t type) {
    switch (type) {
    case CUBLAS_COMPUTE_16F_PEDANTIC:
        return CUBLAS_COMPUTE_16F;
    case CUBLAS_COMPUTE_32F_PEDANTIC:
    case CUBLAS_COMPUTE_32F_FAST_16F:
    case CUBLAS_COMPUTE_32F_FAST_16BF:
    case CUBLAS_COMPUTE_32F_FAST_TF32:
    case CUBLAS_COMPUTE_32F_EMULATED_16BFX9:
        return CUBLAS_COMPUTE_32F;
    case CUBLAS_COMPUTE_64F_PEDANTIC:
    case CUBLAS_COMPUTE_64F_EMULATED_FIXEDPOINT:
        return CUBLAS_COMPUTE_64F;
    case CUBLAS_COMPUTE_32I_PEDANTIC:
        return CUBLAS_COMPUTE_32I;
    default:
        return type;
    }
}

const struct gcl_blas_combination *gcl_blas_combination(cudaDataType in, cudaDataType out,
                                                        cublasComputeType_t compute) {
    for (size_t i = 0; i < sizeof combinations / sizeof *combinations; i++) {
        const struct gcl_blas_combination *c = &combinations[i];
        if (c->in == in && c->out == out && c->compute == precise(compute))
            return c;
    }
    return NULL;
}

struct gcl_blas_factor gcl_blas_scale(cublasHandle_t handle, const void *scalar,
                                      cudaDataType type) {
    static const enum gcl_blas_type types[] = {[CUDA_R_32F] = GCL_BLAS_S,
                                               [CUDA_R_64F] = GCL_BLAS_D,
                                               [CUDA_C_32F] = GCL_BLAS_C,
                                               [CUDA_C_64F] = GCL_BLAS_Z,
                                               [CUDA_R_32I] = GCL_BLAS_S};
    if (type != CUDA_R_16F)
        return gcl_blas_factor(handle, scalar, types[type]);
    struct gcl_blas_factor factor = {.kind = GCL_BLAS_FACTOR_HALF};
    if (handle->pointer_mode == CUBLAS_POINTER_MODE_DEVICE)
        factor.at = scalar;
    else
        gcl_halves_widen(scalar, factor.value.s, 1);
    return factor;
}
