// CUDA's mathematical functions: what the C library lacks, and overloads for float of what it has
// for double only. All of them on host and device.
//
// Where accuracy asks for it, float functions go through double. The functions of double keep to
// what CUDA documents, in units in the last place.
#ifndef GCLUSTER_MATH_H
#define GCLUSTER_MATH_H

#include "gcluster_base.h"

#include <math.h>

#include "gcluster_math_special.h"

__GCL_BOTH double rsqrt(double __x) {
    return 1.0 / __builtin_sqrt(__x);
}
#ifdef __CUDA_ARCH__
__GCL_PURE float __gcl_fast_rsqrtf(float __x); // on GPUs an instruction
#endif
__GCL_BOTH float rsqrtf(float __x) {
#ifdef __CUDA_ARCH__
    return __gcl_fast_rsqrtf(__x);
#else
    return 1.0f / __builtin_sqrtf(__x);
#endif
}
__GCL_BOTH double rcbrt(double __x) {
    return __gcl_rcbrt(__x);
}
__GCL_BOTH float rcbrtf(float __x) {
    return (float)(1.0 / ::cbrt((double)__x));
}
__GCL_BOTH double rhypot(double __x, double __y) {
    return 1.0 / ::hypot(__x, __y);
}
__GCL_BOTH float rhypotf(float __x, float __y) {
    return (float)(1.0 / __builtin_sqrt((double)__x * __x + (double)__y * __y));
}

__GCL_BOTH double norm(int __count, const double *__v) {
    return __gcl_norm(__count, __v);
}
__GCL_BOTH double norm3d(double __a, double __b, double __c) {
    const double __v[3] = {__a, __b, __c};
    return __gcl_norm(3, __v);
}
__GCL_BOTH double norm4d(double __a, double __b, double __c, double __d) {
    const double __v[4] = {__a, __b, __c, __d};
    return __gcl_norm(4, __v);
}
__GCL_BOTH double rnorm(int __count, const double *__v) {
    return 1.0 / __gcl_norm(__count, __v);
}
__GCL_BOTH double rnorm3d(double __a, double __b, double __c) {
    return 1.0 / norm3d(__a, __b, __c);
}
__GCL_BOTH double rnorm4d(double __a, double __b, double __c, double __d) {
    return 1.0 / norm4d(__a, __b, __c, __d);
}
__GCL_BOTH float normf(int __count, const float *__v) {
    return (float)__gcl_normf(__count, __v);
}
__GCL_BOTH float norm3df(float __a, float __b, float __c) {
    const float __v[3] = {__a, __b, __c};
    return (float)__gcl_normf(3, __v);
}
__GCL_BOTH float norm4df(float __a, float __b, float __c, float __d) {
    const float __v[4] = {__a, __b, __c, __d};
    return (float)__gcl_normf(4, __v);
}
__GCL_BOTH float rnormf(int __count, const float *__v) {
    return (float)(1.0 / __gcl_normf(__count, __v));
}
__GCL_BOTH float rnorm3df(float __a, float __b, float __c) {
    const float __v[3] = {__a, __b, __c};
    return (float)(1.0 / __gcl_normf(3, __v));
}
__GCL_BOTH float rnorm4df(float __a, float __b, float __c, float __d) {
    const float __v[4] = {__a, __b, __c, __d};
    return (float)(1.0 / __gcl_normf(4, __v));
}

__GCL_BOTH double sinpi(double __x) {
    return __gcl_sinpi(__x);
}
__GCL_BOTH double cospi(double __x) {
    return __gcl_cospi(__x);
}
__GCL_BOTH float sinpif(float __x) {
    return __gcl_sinpif(__x);
}
__GCL_BOTH float cospif(float __x) {
    return __gcl_cospif(__x);
}
__GCL_BOTH void sincospi(double __x, double *__sine, double *__cosine) {
    *__sine = __gcl_sinpi(__x);
    *__cosine = __gcl_cospi(__x);
}
__GCL_BOTH void sincospif(float __x, float *__sine, float *__cosine) {
    *__sine = __gcl_sinpif(__x);
    *__cosine = __gcl_cospif(__x);
}

__GCL_BOTH double erfinv(double __x) {
    return __gcl_erfinv(__x);
}
__GCL_BOTH double erfcinv(double __x) {
    return __gcl_erfcinv(__x);
}
__GCL_BOTH double erfcx(double __x) {
    return __gcl_erfcx(__x);
}
__GCL_BOTH double normcdf(double __x) {
    return __gcl_normcdf(__x);
}
__GCL_BOTH double normcdfinv(double __x) {
    return -1.4142135623730950488 * __gcl_erfcinv(2.0 * __x);
}
__GCL_BOTH double cyl_bessel_i0(double __x) {
    return __gcl_bessel_i(0, __x);
}
__GCL_BOTH double cyl_bessel_i1(double __x) {
    return __gcl_bessel_i(1, __x);
}

/// `__name`f of float, and the overload `__name` for float, through the function of double.
#define __GCL_FLOAT(__name)                                                                        \
    __GCL_BOTH float __name##f(float __x) {                                                        \
        return (float)__name((double)__x);                                                         \
    }                                                                                              \
    __GCL_BOTH float __name(float __x) {                                                           \
        return __name##f(__x);                                                                     \
    }
__GCL_FLOAT(erfinv)
__GCL_FLOAT(erfcinv)
__GCL_FLOAT(erfcx)
__GCL_FLOAT(normcdf)
__GCL_FLOAT(normcdfinv)
__GCL_FLOAT(cyl_bessel_i0)
__GCL_FLOAT(cyl_bessel_i1)
#undef __GCL_FLOAT

__GCL_BOTH double fdivide(double __x, double __y) {
    return __x / __y;
}
__GCL_BOTH float fdividef(float __x, float __y) {
    return __x / __y;
}

/// The overload `__name` for float of a function that has a name of its own for float.
#define __GCL_OVERLOAD(__name)                                                                     \
    __GCL_BOTH float __name(float __x) {                                                           \
        return __name##f(__x);                                                                     \
    }
__GCL_OVERLOAD(rsqrt)
__GCL_OVERLOAD(rcbrt)
__GCL_OVERLOAD(exp10)
__GCL_OVERLOAD(sinpi)
__GCL_OVERLOAD(cospi)
__GCL_OVERLOAD(j0)
__GCL_OVERLOAD(j1)
__GCL_OVERLOAD(y0)
__GCL_OVERLOAD(y1)
#undef __GCL_OVERLOAD

__GCL_BOTH float jn(int __order, float __x) {
    return jnf(__order, __x);
}
__GCL_BOTH float yn(int __order, float __x) {
    return ynf(__order, __x);
}
__GCL_BOTH float rhypot(float __x, float __y) {
    return rhypotf(__x, __y);
}
__GCL_BOTH float fdivide(float __x, float __y) {
    return __x / __y;
}
__GCL_BOTH float norm(int __count, const float *__v) {
    return normf(__count, __v);
}
__GCL_BOTH float norm3d(float __a, float __b, float __c) {
    return norm3df(__a, __b, __c);
}
__GCL_BOTH float norm4d(float __a, float __b, float __c, float __d) {
    return norm4df(__a, __b, __c, __d);
}
__GCL_BOTH float rnorm(int __count, const float *__v) {
    return rnormf(__count, __v);
}
__GCL_BOTH float rnorm3d(float __a, float __b, float __c) {
    return rnorm3df(__a, __b, __c);
}
__GCL_BOTH float rnorm4d(float __a, float __b, float __c, float __d) {
    return rnorm4df(__a, __b, __c, __d);
}
__GCL_BOTH void sincos(float __x, float *__sine, float *__cosine) {
    sincosf(__x, __sine, __cosine);
}
__GCL_BOTH void sincospi(float __x, float *__sine, float *__cosine) {
    sincospif(__x, __sine, __cosine);
}

// Predicates with names of C.
#define __GCL_PREDICATE(__name, __type, __builtin)                                                 \
    __GCL_DEVICE int __name(__type __x) {                                                          \
        return __builtin(__x);                                                                     \
    }
__GCL_PREDICATE(isnanf, float, __builtin_isnan)
__GCL_PREDICATE(isinff, float, __builtin_isinf)
__GCL_PREDICATE(finitef, float, __builtin_isfinite)
__GCL_PREDICATE(finite, double, __builtin_isfinite)
__GCL_PREDICATE(__isnanf, float, __builtin_isnan)
__GCL_PREDICATE(__isnan, double, __builtin_isnan)
__GCL_PREDICATE(__isinff, float, __builtin_isinf)
__GCL_PREDICATE(__isinf, double, __builtin_isinf)
__GCL_PREDICATE(__finitef, float, __builtin_isfinite)
__GCL_PREDICATE(__finite, double, __builtin_isfinite)
__GCL_PREDICATE(__signbitf, float, __builtin_signbit)
__GCL_PREDICATE(__signbit, double, __builtin_signbit)
__GCL_PREDICATE(__signbitd, double, __builtin_signbit)
#undef __GCL_PREDICATE

// In std as well, where libstdc++ has no such overload for device code.
namespace std {
using ::exp10;
using ::rsqrt;
using ::sincos;
} // namespace std

#endif
