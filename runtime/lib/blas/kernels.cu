// The kernels, and where host code finds them.
#include "gemm.cuh"
#include "matmul.cuh"
#include "sum.cuh"
#include "vector.cuh"

extern "C" const void *const gcl_blas_kernels[] = {
#define ROW(name, type, ...) reinterpret_cast<const void *>(cublas_##name##_##type),
    GCL_BLAS_GEMMS(ROW) GCL_BLAS_VECTORS(ROW) GCL_BLAS_MATMULS(ROW) GCL_BLAS_SUMS(ROW)
        GCL_BLAS_TOTALS(ROW) GCL_BLAS_HALF_VECTORS(ROW)
#undef ROW
};
