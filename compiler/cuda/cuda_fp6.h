// Numbers of 6 bits, each in a byte: E2M3 (largest 7.5) and E3M2 (largest 28); one, two or four
// together. Arithmetic is for the wider types.
#ifndef GCLUSTER_CUDA_FP6_H
#define GCLUSTER_CUDA_FP6_H

#include "cuda_fp8.h"
#include "gcluster_narrow.h"

#ifdef __cplusplus

typedef __nv_fp8_storage_t __nv_fp6_storage_t;
typedef __nv_fp8x2_storage_t __nv_fp6x2_storage_t;
typedef __nv_fp8x4_storage_t __nv_fp6x4_storage_t;
typedef enum __nv_fp6_interpretation_t { __NV_E2M3, __NV_E3M2 } __nv_fp6_interpretation_t;

__GCL_BOTH unsigned __gcl_to_fp6(float __value, __nv_fp6_interpretation_t __format,
                                 cudaRoundMode __mode) {
    return __format == __NV_E2M3 ? __gcl_e2m3::__narrow(__value, __mode)
                                 : __gcl_e3m2::__narrow(__value, __mode);
}
__GCL_BOTH float __gcl_of_fp6(unsigned __code, __nv_fp6_interpretation_t __format) {
    return __format == __NV_E2M3 ? __gcl_e2m3::__widen(__code & 63)
                                 : __gcl_e3m2::__widen(__code & 63);
}
__GCL_NARROW_FUNCTIONS(fp6, __nv_fp6_interpretation_t, 8, __nv_fp6_storage_t, __nv_fp6x2_storage_t)

typedef __gcl_narrow_format<__gcl_e2m3, __nv_fp6x2_storage_t, __nv_fp6x4_storage_t> __gcl_fp6_e2m3;
typedef __gcl_narrow_format<__gcl_e3m2, __nv_fp6x2_storage_t, __nv_fp6x4_storage_t> __gcl_fp6_e3m2;
__GCL_NARROW_TYPE(__nv_fp6_e2m3, __gcl_narrow<__gcl_fp6_e2m3>)
__GCL_NARROW_TYPE(__nv_fp6_e3m2, __gcl_narrow<__gcl_fp6_e3m2>)
__GCL_NARROW_TYPE(__nv_fp6x2_e2m3, __gcl_narrow_pair<__gcl_fp6_e2m3, 8>)
__GCL_NARROW_TYPE(__nv_fp6x2_e3m2, __gcl_narrow_pair<__gcl_fp6_e3m2, 8>)
__GCL_NARROW_TYPE(__nv_fp6x4_e2m3, __gcl_narrow_four<__gcl_fp6_e2m3, 8>)
__GCL_NARROW_TYPE(__nv_fp6x4_e3m2, __gcl_narrow_four<__gcl_fp6_e3m2, 8>)

#endif

#endif
