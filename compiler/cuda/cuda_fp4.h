// Numbers of 4 bits, E2M1: 0, 0.5, 1, 1.5, 2, 3, 4, 6 and their negatives; one, two (in a byte) or
// four together. Arithmetic is for the wider types.
#ifndef GCLUSTER_CUDA_FP4_H
#define GCLUSTER_CUDA_FP4_H

#include "cuda_fp8.h"
#include "gcluster_narrow.h"

#ifdef __cplusplus

typedef __nv_fp8_storage_t __nv_fp4_storage_t;
typedef __nv_fp8_storage_t __nv_fp4x2_storage_t;
typedef __nv_fp8x2_storage_t __nv_fp4x4_storage_t;
typedef enum __nv_fp4_interpretation_t { __NV_E2M1 } __nv_fp4_interpretation_t;

__GCL_BOTH unsigned __gcl_to_fp4(float __value, __nv_fp4_interpretation_t, cudaRoundMode __mode) {
    return __gcl_e2m1::__narrow(__value, __mode);
}
__GCL_BOTH float __gcl_of_fp4(unsigned __code, __nv_fp4_interpretation_t) {
    return __gcl_e2m1::__widen(__code & 15);
}
__GCL_NARROW_FUNCTIONS(fp4, __nv_fp4_interpretation_t, 4, __nv_fp4_storage_t, __nv_fp4x2_storage_t)

typedef __gcl_narrow_format<__gcl_e2m1, __nv_fp4x2_storage_t, __nv_fp4x4_storage_t> __gcl_fp4;
__GCL_NARROW_TYPE(__nv_fp4_e2m1, __gcl_narrow<__gcl_fp4>)
__GCL_NARROW_TYPE(__nv_fp4x2_e2m1, __gcl_narrow_pair<__gcl_fp4, 4>)
__GCL_NARROW_TYPE(__nv_fp4x4_e2m1, __gcl_narrow_four<__gcl_fp4, 4>)

#endif

#endif
