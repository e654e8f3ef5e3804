// Every routine of the header, refused by name. The definitions are weak: those that other files
// have take their place.
#include "blas.h"

#pragma GCC diagnostic ignored "-Wunused-parameter"

#define NOT_THERE "not supported"
#define GCL_ROW(name, parameters)                                                                  \
    __attribute__((weak)) cublasStatus_t cublas##name##_v2 parameters {                            \
        return gcl_blas_refuse("cublas" #name, NOT_THERE);                                         \
    }
__GCL_CUBLAS_V2(GCL_ROW, int)
__GCL_CUBLAS_INT_V2(GCL_ROW)
#undef GCL_ROW
#define GCL_ROW(name, parameters)                                                                  \
    __attribute__((weak)) cublasStatus_t cublas##name##_v2_64 parameters {                         \
        return gcl_blas_refuse("cublas" #name "_64", NOT_THERE);                                   \
    }
__GCL_CUBLAS_V2(GCL_ROW, int64_t)
#undef GCL_ROW
#define GCL_ROW(name, parameters)                                                                  \
    __attribute__((weak)) cublasStatus_t cublas##name parameters {                                 \
        return gcl_blas_refuse("cublas" #name, NOT_THERE);                                         \
    }
__GCL_CUBLAS_V1(GCL_ROW, int)
__GCL_CUBLAS_INT_V1(GCL_ROW)
#undef GCL_ROW
#define GCL_ROW(name, parameters)                                                                  \
    __attribute__((weak)) cublasStatus_t cublas##name##_64 parameters {                            \
        return gcl_blas_refuse("cublas" #name "_64", NOT_THERE);                                   \
    }
__GCL_CUBLAS_V1(GCL_ROW, int64_t)
#undef GCL_ROW
