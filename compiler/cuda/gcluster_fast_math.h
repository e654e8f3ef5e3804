// Fast versions of float functions: on GPUs instructions; on CPUs the accurate ones, which are as
// fast. The code generator supplies __gcl_fast_<name>.
#ifndef GCLUSTER_FAST_MATH_H
#define GCLUSTER_FAST_MATH_H

#include "gcluster_base.h"

__GCL_PURE float __gcl_fast_sinf(float __x);
__GCL_PURE float __gcl_fast_cosf(float __x);
__GCL_PURE float __gcl_fast_tanf(float __x);
__GCL_PURE float __gcl_fast_tanhf(float __x);
__GCL_PURE float __gcl_fast_expf(float __x);
__GCL_PURE float __gcl_fast_exp10f(float __x);
__GCL_PURE float __gcl_fast_logf(float __x);
__GCL_PURE float __gcl_fast_log2f(float __x);
__GCL_PURE float __gcl_fast_log10f(float __x);
__GCL_PURE float __gcl_fast_powf(float __x, float __y);
__GCL_PURE float __gcl_fast_fdividef(float __x, float __y);

__GCL_DEVICE float __sinf(float __x) {
    return __gcl_fast_sinf(__x);
}
__GCL_DEVICE float __cosf(float __x) {
    return __gcl_fast_cosf(__x);
}
__GCL_DEVICE float __tanf(float __x) {
    return __gcl_fast_tanf(__x);
}
__GCL_DEVICE float __tanhf(float __x) {
    return __gcl_fast_tanhf(__x);
}
__GCL_DEVICE void __sincosf(float __x, float *__sine, float *__cosine) {
    *__sine = __gcl_fast_sinf(__x);
    *__cosine = __gcl_fast_cosf(__x);
}
__GCL_DEVICE float __expf(float __x) {
    return __gcl_fast_expf(__x);
}
__GCL_DEVICE float __exp10f(float __x) {
    return __gcl_fast_exp10f(__x);
}
__GCL_DEVICE float __logf(float __x) {
    return __gcl_fast_logf(__x);
}
__GCL_DEVICE float __log2f(float __x) {
    return __gcl_fast_log2f(__x);
}
__GCL_DEVICE float __log10f(float __x) {
    return __gcl_fast_log10f(__x);
}
__GCL_DEVICE float __powf(float __x, float __y) {
    return __gcl_fast_powf(__x, __y);
}
__GCL_DEVICE float __fdividef(float __x, float __y) {
    return __gcl_fast_fdividef(__x, __y);
}
/// Clamped to [0, 1]; a NaN becomes 0.
__GCL_DEVICE float __saturatef(float __x) {
    return __x > 0.0f ? (__x < 1.0f ? __x : 1.0f) : 0.0f;
}
__GCL_DEVICE float saturate(float __x) {
    return __saturatef(__x);
}

#endif
