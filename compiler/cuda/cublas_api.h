// cuBLAS: types, and all functions under the names that the library has them by; cublas_v2.h adds
// the short ones. The library is runtime/lib/blas.
#ifndef GCLUSTER_CUBLAS_API_H
#define GCLUSTER_CUBLAS_API_H
#define CUBLAS_API_H_ // programs ask for it

#include "cuComplex.h"
#include "driver_types.h"
#include "gcluster_cublas.h"
#include "library_types.h"

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
#include "cuda_bf16.h"
#include "cuda_fp16.h"
#else // pointers to them
typedef struct __half __half;
typedef struct __nv_bfloat16 __nv_bfloat16;
#endif

#ifndef CUBLASWINAPI
#define CUBLASWINAPI
#endif

#define CUBLAS_VER_MAJOR 12
#define CUBLAS_VER_MINOR 8
#define CUBLAS_VER_PATCH 4
#define CUBLAS_VER_BUILD 1
#define CUBLAS_VERSION (CUBLAS_VER_MAJOR * 10000 + CUBLAS_VER_MINOR * 100 + CUBLAS_VER_PATCH)

/// X(name, value, text)
#define __GCL_CUBLAS_STATUS(__X)                                                                   \
    __X(CUBLAS_STATUS_SUCCESS, 0, "the function did what it was asked for")                        \
    __X(CUBLAS_STATUS_NOT_INITIALIZED, 1, "there is no such handle")                               \
    __X(CUBLAS_STATUS_ALLOC_FAILED, 3, "memory could not be allocated")                            \
    __X(CUBLAS_STATUS_INVALID_VALUE, 7, "a parameter has a value that it can't have")              \
    __X(CUBLAS_STATUS_ARCH_MISMATCH, 8, "the device lacks what the function needs")                \
    __X(CUBLAS_STATUS_MAPPING_ERROR, 11, "device memory could not be reached")                     \
    __X(CUBLAS_STATUS_EXECUTION_FAILED, 13, "work on the device failed")                           \
    __X(CUBLAS_STATUS_INTERNAL_ERROR, 14, "something failed inside of the library")                \
    __X(CUBLAS_STATUS_NOT_SUPPORTED, 15, "the function, or these parameters, are not supported")   \
    __X(CUBLAS_STATUS_LICENSE_ERROR, 16, "a licence is missing")

typedef enum {
#define __GCL_ROW(__name, __value, __text) __name = __value,
    __GCL_CUBLAS_STATUS(__GCL_ROW)
#undef __GCL_ROW
} cublasStatus_t;

typedef enum {
    CUBLAS_FILL_MODE_LOWER = 0,
    CUBLAS_FILL_MODE_UPPER = 1,
    CUBLAS_FILL_MODE_FULL = 2,
} cublasFillMode_t;

typedef enum { CUBLAS_DIAG_NON_UNIT = 0, CUBLAS_DIAG_UNIT = 1 } cublasDiagType_t;

typedef enum { CUBLAS_SIDE_LEFT = 0, CUBLAS_SIDE_RIGHT = 1 } cublasSideMode_t;

typedef enum {
    CUBLAS_OP_N = 0,
    CUBLAS_OP_T = 1,
    CUBLAS_OP_C = 2,
    CUBLAS_OP_HERMITAN = 2,
    CUBLAS_OP_CONJG = 3,
} cublasOperation_t;

typedef enum { CUBLAS_POINTER_MODE_HOST = 0, CUBLAS_POINTER_MODE_DEVICE = 1 } cublasPointerMode_t;

typedef enum { CUBLAS_ATOMICS_NOT_ALLOWED = 0, CUBLAS_ATOMICS_ALLOWED = 1 } cublasAtomicsMode_t;

/// Hints that nothing depends on.
typedef enum {
    CUBLAS_GEMM_DFALT = -1,
    CUBLAS_GEMM_DEFAULT = -1,
    CUBLAS_GEMM_ALGO0 = 0,
    CUBLAS_GEMM_ALGO1 = 1,
    CUBLAS_GEMM_ALGO2 = 2,
    CUBLAS_GEMM_ALGO3 = 3,
    CUBLAS_GEMM_ALGO4 = 4,
    CUBLAS_GEMM_ALGO5 = 5,
    CUBLAS_GEMM_ALGO6 = 6,
    CUBLAS_GEMM_ALGO7 = 7,
    CUBLAS_GEMM_ALGO8 = 8,
    CUBLAS_GEMM_ALGO9 = 9,
    CUBLAS_GEMM_ALGO10 = 10,
    CUBLAS_GEMM_ALGO11 = 11,
    CUBLAS_GEMM_ALGO12 = 12,
    CUBLAS_GEMM_ALGO13 = 13,
    CUBLAS_GEMM_ALGO14 = 14,
    CUBLAS_GEMM_ALGO15 = 15,
    CUBLAS_GEMM_ALGO16 = 16,
    CUBLAS_GEMM_ALGO17 = 17,
    CUBLAS_GEMM_ALGO18 = 18,
    CUBLAS_GEMM_ALGO19 = 19,
    CUBLAS_GEMM_ALGO20 = 20,
    CUBLAS_GEMM_ALGO21 = 21,
    CUBLAS_GEMM_ALGO22 = 22,
    CUBLAS_GEMM_ALGO23 = 23,
    CUBLAS_GEMM_DEFAULT_TENSOR_OP = 99,
    CUBLAS_GEMM_DFALT_TENSOR_OP = 99,
    CUBLAS_GEMM_ALGO0_TENSOR_OP = 100,
    CUBLAS_GEMM_ALGO1_TENSOR_OP = 101,
    CUBLAS_GEMM_ALGO2_TENSOR_OP = 102,
    CUBLAS_GEMM_ALGO3_TENSOR_OP = 103,
    CUBLAS_GEMM_ALGO4_TENSOR_OP = 104,
    CUBLAS_GEMM_ALGO5_TENSOR_OP = 105,
    CUBLAS_GEMM_ALGO6_TENSOR_OP = 106,
    CUBLAS_GEMM_ALGO7_TENSOR_OP = 107,
    CUBLAS_GEMM_ALGO8_TENSOR_OP = 108,
    CUBLAS_GEMM_ALGO9_TENSOR_OP = 109,
    CUBLAS_GEMM_ALGO10_TENSOR_OP = 110,
    CUBLAS_GEMM_ALGO11_TENSOR_OP = 111,
    CUBLAS_GEMM_ALGO12_TENSOR_OP = 112,
    CUBLAS_GEMM_ALGO13_TENSOR_OP = 113,
    CUBLAS_GEMM_ALGO14_TENSOR_OP = 114,
    CUBLAS_GEMM_ALGO15_TENSOR_OP = 115,
    CUBLAS_GEMM_AUTOTUNE = 999,
} cublasGemmAlgo_t;

typedef enum {
    CUBLAS_DEFAULT_MATH = 0,
    CUBLAS_TENSOR_OP_MATH = 1,
    CUBLAS_PEDANTIC_MATH = 2,
    CUBLAS_TF32_TENSOR_OP_MATH = 3,
    CUBLAS_FP32_EMULATED_BF16X9_MATH = 4,
    CUBLAS_FP64_EMULATED_FIXEDPOINT_MATH = 8,
    CUBLAS_MATH_DISALLOW_REDUCED_PRECISION_REDUCTION = 16,
} cublasMath_t;

typedef cudaDataType cublasDataType_t;

typedef enum {
    CUBLAS_COMPUTE_16F = 64,
    CUBLAS_COMPUTE_16F_PEDANTIC = 65,
    CUBLAS_COMPUTE_32F = 68,
    CUBLAS_COMPUTE_32F_PEDANTIC = 69,
    CUBLAS_COMPUTE_64F = 70,
    CUBLAS_COMPUTE_64F_PEDANTIC = 71,
    CUBLAS_COMPUTE_32I = 72,
    CUBLAS_COMPUTE_32I_PEDANTIC = 73,
    CUBLAS_COMPUTE_32F_FAST_16F = 74,
    CUBLAS_COMPUTE_32F_FAST_16BF = 75,
    CUBLAS_COMPUTE_32F_FAST_TF32 = 77,
    CUBLAS_COMPUTE_32F_EMULATED_16BFX9 = 78,
    CUBLAS_COMPUTE_64F_EMULATED_FIXEDPOINT = 79,
} cublasComputeType_t;

struct cublasContext;
typedef struct cublasContext *cublasHandle_t;
typedef void (*cublasLogCallback)(const char *__message);

#ifdef __cplusplus
extern "C" {
#endif

/// X(name, parameters), with _v2 behind the name
#define __GCL_CUBLAS_HANDLE_V2(__X)                                                                \
    __X(Create, (cublasHandle_t * __handle))                                                       \
    __X(Destroy, (cublasHandle_t __handle))                                                        \
    __X(GetVersion, (cublasHandle_t __handle, int *__version))                                     \
    __X(SetWorkspace, (cublasHandle_t __handle, void *__workspace, size_t __size))                 \
    __X(SetStream, (cublasHandle_t __handle, cudaStream_t __stream))                               \
    __X(GetStream, (cublasHandle_t __handle, cudaStream_t * __stream))                             \
    __X(GetPointerMode, (cublasHandle_t __handle, cublasPointerMode_t * __mode))                   \
    __X(SetPointerMode, (cublasHandle_t __handle, cublasPointerMode_t __mode))

cublasStatus_t cublasGetProperty(libraryPropertyType __type, int *__value);
size_t cublasGetCudartVersion(void);
cublasStatus_t cublasGetAtomicsMode(cublasHandle_t __handle, cublasAtomicsMode_t *__mode);
cublasStatus_t cublasSetAtomicsMode(cublasHandle_t __handle, cublasAtomicsMode_t __mode);
cublasStatus_t cublasGetMathMode(cublasHandle_t __handle, cublasMath_t *__mode);
cublasStatus_t cublasSetMathMode(cublasHandle_t __handle, cublasMath_t __mode);
cublasStatus_t cublasGetSmCountTarget(cublasHandle_t __handle, int *__count);
cublasStatus_t cublasSetSmCountTarget(cublasHandle_t __handle, int __count);
const char *cublasGetStatusName(cublasStatus_t __status);
const char *cublasGetStatusString(cublasStatus_t __status);
cublasStatus_t cublasLoggerConfigure(int __is_on, int __to_stdout, int __to_stderr,
                                     const char *__file);
cublasStatus_t cublasSetLoggerCallback(cublasLogCallback __callback);
cublasStatus_t cublasGetLoggerCallback(cublasLogCallback *__callback);
void cublasXerbla(const char *__name, int __parameter);

#define __GCL_ROW(__name, __parameters) cublasStatus_t cublas##__name##_v2 __parameters;
__GCL_CUBLAS_HANDLE_V2(__GCL_ROW)
__GCL_CUBLAS_V2(__GCL_ROW, int)
__GCL_CUBLAS_INT_V2(__GCL_ROW)
#undef __GCL_ROW
#define __GCL_ROW(__name, __parameters) cublasStatus_t cublas##__name##_v2_64 __parameters;
__GCL_CUBLAS_V2(__GCL_ROW, int64_t)
#undef __GCL_ROW
#define __GCL_ROW(__name, __parameters) cublasStatus_t cublas##__name __parameters;
__GCL_CUBLAS_V1(__GCL_ROW, int)
__GCL_CUBLAS_INT_V1(__GCL_ROW)
#undef __GCL_ROW
#define __GCL_ROW(__name, __parameters) cublasStatus_t cublas##__name##_64 __parameters;
__GCL_CUBLAS_V1(__GCL_ROW, int64_t)
#undef __GCL_ROW

#ifdef __cplusplus
}

#include "gcluster_cublas_overloads.h"
#endif
#endif
