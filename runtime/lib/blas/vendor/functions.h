// X(name) of the functions that our cuBLAS always takes from NVIDIA's.
#ifndef GCL_BLAS_VENDOR_FUNCTIONS_H
#define GCL_BLAS_VENDOR_FUNCTIONS_H

#define GCL_BLAS_VENDOR_OF_ALL(X, name)                                                            \
    X(cublasS##name##_v2_64)                                                                       \
    X(cublasD##name##_v2_64)                                                                       \
    X(cublasC##name##_v2_64)                                                                       \
    X(cublasZ##name##_v2_64)
#define GCL_BLAS_VENDOR_FUNCTIONS(X)                                                               \
    X(cublasCreate_v2)                                                                             \
    X(cublasSetStream_v2)                                                                          \
    X(cublasSetPointerMode_v2)                                                                     \
    X(cublasGemmStridedBatchedEx_64)                                                               \
    X(cublasGemmBatchedEx_64)                                                                      \
    GCL_BLAS_VENDOR_OF_ALL(X, syrk)                                                                \
    X(cublasCherk_v2_64)                                                                           \
    X(cublasZherk_v2_64)                                                                           \
    GCL_BLAS_VENDOR_OF_ALL(X, axpy)                                                                \
    GCL_BLAS_VENDOR_OF_ALL(X, scal)                                                                \
    GCL_BLAS_VENDOR_OF_ALL(X, copy)                                                                \
    GCL_BLAS_VENDOR_OF_ALL(X, swap)                                                                \
    X(cublasSdot_v2_64)                                                                            \
    X(cublasDdot_v2_64)                                                                            \
    X(cublasCdotu_v2_64)                                                                           \
    X(cublasCdotc_v2_64)                                                                           \
    X(cublasZdotu_v2_64)                                                                           \
    X(cublasZdotc_v2_64)                                                                           \
    X(cublasSnrm2_v2_64)                                                                           \
    X(cublasDnrm2_v2_64)                                                                           \
    X(cublasScnrm2_v2_64)                                                                          \
    X(cublasDznrm2_v2_64)                                                                          \
    X(cublasSasum_v2_64)                                                                           \
    X(cublasDasum_v2_64)                                                                           \
    X(cublasScasum_v2_64)                                                                          \
    X(cublasDzasum_v2_64)

#endif
