// Fast versions of float functions: here they are the accurate ones, which are as fast.
#ifndef GCLUSTER_FAST_MATH_H
#define GCLUSTER_FAST_MATH_H

#include "gcluster_base.h"

__GCL_DEVICE float __sinf(float __x) {
    return __builtin_sinf(__x);
}
__GCL_DEVICE float __cosf(float __x) {
    return __builtin_cosf(__x);
}
__GCL_DEVICE float __tanf(float __x) {
    return __builtin_tanf(__x);
}
__GCL_DEVICE float __tanhf(float __x) {
    return __builtin_tanhf(__x);
}
__GCL_DEVICE void __sincosf(float __x, float *__sine, float *__cosine) {
    *__sine = __builtin_sinf(__x);
    *__cosine = __builtin_cosf(__x);
}
__GCL_DEVICE float __expf(float __x) {
    return __builtin_expf(__x);
}
__GCL_DEVICE float __exp10f(float __x) {
    return __builtin_exp10f(__x);
}
__GCL_DEVICE float __logf(float __x) {
    return __builtin_logf(__x);
}
__GCL_DEVICE float __log2f(float __x) {
    return __builtin_log2f(__x);
}
__GCL_DEVICE float __log10f(float __x) {
    return __builtin_log10f(__x);
}
__GCL_DEVICE float __powf(float __x, float __y) {
    return __builtin_powf(__x, __y);
}
__GCL_DEVICE float __fdividef(float __x, float __y) {
    return __x / __y;
}
/// Clamped to [0, 1]; a NaN becomes 0.
__GCL_DEVICE float __saturatef(float __x) {
    return __x > 0.0f ? (__x < 1.0f ? __x : 1.0f) : 0.0f;
}
__GCL_DEVICE float saturate(float __x) {
    return __saturatef(__x);
}

#endif
