// Complex numbers as CUDA's C programs have them: pairs of floats or doubles.
#ifndef GCLUSTER_CUCOMPLEX_H
#define GCLUSTER_CUCOMPLEX_H

#include "vector_functions.h"

#include <math.h>

typedef float2 cuFloatComplex;
typedef double2 cuDoubleComplex;
typedef cuFloatComplex cuComplex;

/// The operations on `__complex`, pairs of `__real`; names end in `__s`.
#define __GCL_COMPLEX(__complex, __real, __s, __absolute, __hypotenuse, __fused)                   \
    __GCL_BOTH __complex make_##__complex(__real __x, __real __y) {                                \
        __complex __z;                                                                             \
        __z.x = __x;                                                                               \
        __z.y = __y;                                                                               \
        return __z;                                                                                \
    }                                                                                              \
    __GCL_BOTH __real cuCreal##__s(__complex __z) {                                                \
        return __z.x;                                                                              \
    }                                                                                              \
    __GCL_BOTH __real cuCimag##__s(__complex __z) {                                                \
        return __z.y;                                                                              \
    }                                                                                              \
    __GCL_BOTH __complex cuConj##__s(__complex __z) {                                              \
        return make_##__complex(__z.x, -__z.y);                                                    \
    }                                                                                              \
    __GCL_BOTH __complex cuCadd##__s(__complex __a, __complex __b) {                               \
        return make_##__complex(__a.x + __b.x, __a.y + __b.y);                                     \
    }                                                                                              \
    __GCL_BOTH __complex cuCsub##__s(__complex __a, __complex __b) {                               \
        return make_##__complex(__a.x - __b.x, __a.y - __b.y);                                     \
    }                                                                                              \
    __GCL_BOTH __complex cuCmul##__s(__complex __a, __complex __b) {                               \
        return make_##__complex(__a.x * __b.x - __a.y * __b.y, __a.x * __b.y + __a.y * __b.x);     \
    }                                                                                              \
    /* Both are divided by the divisor's size first, against overflow. */                          \
    __GCL_BOTH __complex cuCdiv##__s(__complex __a, __complex __b) {                               \
        __real __scale = 1 / (__absolute(__b.x) + __absolute(__b.y));                              \
        __real __x = __b.x * __scale, __y = __b.y * __scale;                                       \
        __real __factor = 1 / (__x * __x + __y * __y);                                             \
        __real __p = __a.x * __scale, __q = __a.y * __scale;                                       \
        return make_##__complex((__p * __x + __q * __y) * __factor,                                \
                                (__q * __x - __p * __y) * __factor);                               \
    }                                                                                              \
    __GCL_BOTH __real cuCabs##__s(__complex __z) {                                                 \
        return __hypotenuse(__z.x, __z.y);                                                         \
    }                                                                                              \
    __GCL_BOTH __complex cuCfma##__s(__complex __a, __complex __b, __complex __c) {                \
        __real __x = __fused(__a.x, __b.x, __fused(-__a.y, __b.y, __c.x));                         \
        __real __y = __fused(__a.x, __b.y, __fused(__a.y, __b.x, __c.y));                          \
        return make_##__complex(__x, __y);                                                         \
    }

__GCL_COMPLEX(cuFloatComplex, float, f, fabsf, hypotf, fmaf)
__GCL_COMPLEX(cuDoubleComplex, double, , fabs, hypot, fma)
#undef __GCL_COMPLEX

__GCL_BOTH cuComplex make_cuComplex(float __x, float __y) {
    return make_cuFloatComplex(__x, __y);
}
__GCL_BOTH cuDoubleComplex cuComplexFloatToDouble(cuFloatComplex __z) {
    return make_cuDoubleComplex((double)__z.x, (double)__z.y);
}
__GCL_BOTH cuFloatComplex cuComplexDoubleToFloat(cuDoubleComplex __z) {
    return make_cuFloatComplex((float)__z.x, (float)__z.y);
}

#endif
