// Programs ask by their guards which headers are there, and by the libraries' macros.
// RUN: %gcluster-cc -c %s -o %t.o
// RUN: %gcluster-cc -x c -c %s -o %t.o
#include <cublas_v2.h>
#include <cuda.h>
#include <cuda_runtime.h>
#include <cufft.h>
#include <curand.h>
#include <cusparse.h>
#include <math_constants.h>
#include <nvml.h>
#include <nvrtc.h>
#ifdef __cplusplus
#include <cooperative_groups.h>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_fp8.h>
#include <curand_kernel.h>
#endif

#if !defined(__DRIVER_TYPES_H__) || !defined(__VECTOR_TYPES_H__) ||                                \
    !defined(__HOST_DEFINES_H__) || !defined(__CUDA_RUNTIME_API_H__) ||                            \
    !defined(__CUDA_RUNTIME_H__) || !defined(__cuda_cuda_h__) || !defined(__MATH_CONSTANTS_H__)
#error the runtime's headers
#endif
#if !defined(CUBLAS_API_H_) || !defined(CUBLAS_V2_H_) || !defined(_CUFFT_H_) ||                    \
    !defined(CURAND_H_) || !defined(__nvml_nvml_h__) || !defined(__NVRTC_H__)
#error the libraries' headers
#endif
#if !defined(CUBLASWINAPI) || !defined(CUFFTAPI) || !defined(CURANDAPI) || !defined(CUSPARSEAPI)
#error the libraries' macros
#endif
#ifdef __cplusplus
#if !defined(__CUDA_FP16_H__) || !defined(__CUDA_BF16_H__) || !defined(__CUDA_FP8_H__) ||          \
    !defined(CURAND_KERNEL_H_) || !defined(_COOPERATIVE_GROUPS_H_) ||                              \
    !defined(__VECTOR_FUNCTIONS_H__) || !defined(__DEVICE_LAUNCH_PARAMETERS_H__)
#error the headers of C++
#endif
#endif
