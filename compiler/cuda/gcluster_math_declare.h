// The C library's functions, declared for device code; the host's libm and libc run them there.
//
// This comes before any header of the standard library: libstdc++'s <cmath> then imports these
// declarations into std together with the host's, and its templates (pow(float, int)) find them.
// Wrapping <cmath> in force_cuda_host_device instead would break the rest of libstdc++.
#ifndef GCLUSTER_MATH_DECLARE_H
#define GCLUSTER_MATH_DECLARE_H

#include "gcluster_base.h"

#if defined(__CUDA__) && defined(__cplusplus)

#define __GCL_MATH_1(__name)                                                                       \
    __GCL_PURE double __name(double __x);                                                          \
    __GCL_PURE float __name##f(float __x);
#define __GCL_MATH_2(__name)                                                                       \
    __GCL_PURE double __name(double __x, double __y);                                              \
    __GCL_PURE float __name##f(float __x, float __y);
#define __GCL_MATH_3(__name)                                                                       \
    __GCL_PURE double __name(double __x, double __y, double __z);                                  \
    __GCL_PURE float __name##f(float __x, float __y, float __z);
#define __GCL_MATH_TO(__result, __name)                                                            \
    __GCL_PURE __result __name(double __x);                                                        \
    __GCL_PURE __result __name##f(float __x);
#define __GCL_MATH_SCALE(__name, __exponent)                                                       \
    __GCL_PURE double __name(double __x, __exponent __n);                                          \
    __GCL_PURE float __name##f(float __x, __exponent __n);

__GCL_MATH_1(acos)
__GCL_MATH_1(acosh)
__GCL_MATH_1(asin)
__GCL_MATH_1(asinh)
__GCL_MATH_1(atan)
__GCL_MATH_1(atanh)
__GCL_MATH_1(cbrt)
__GCL_MATH_1(ceil)
__GCL_MATH_1(cos)
__GCL_MATH_1(cosh)
__GCL_MATH_1(erf)
__GCL_MATH_1(erfc)
__GCL_MATH_1(exp)
__GCL_MATH_1(exp10)
__GCL_MATH_1(exp2)
__GCL_MATH_1(expm1)
__GCL_MATH_1(fabs)
__GCL_MATH_1(floor)
__GCL_MATH_1(j0)
__GCL_MATH_1(j1)
__GCL_MATH_1(lgamma)
__GCL_MATH_1(log)
__GCL_MATH_1(log10)
__GCL_MATH_1(log1p)
__GCL_MATH_1(log2)
__GCL_MATH_1(logb)
__GCL_MATH_1(nearbyint)
__GCL_MATH_1(rint)
__GCL_MATH_1(round)
__GCL_MATH_1(sin)
__GCL_MATH_1(sinh)
__GCL_MATH_1(sqrt)
__GCL_MATH_1(tan)
__GCL_MATH_1(tanh)
__GCL_MATH_1(tgamma)
__GCL_MATH_1(trunc)
__GCL_MATH_1(y0)
__GCL_MATH_1(y1)

__GCL_MATH_2(atan2)
__GCL_MATH_2(copysign)
__GCL_MATH_2(fdim)
__GCL_MATH_2(fmax)
__GCL_MATH_2(fmin)
__GCL_MATH_2(fmod)
__GCL_MATH_2(hypot)
__GCL_MATH_2(nextafter)
__GCL_MATH_2(pow)
__GCL_MATH_2(remainder)

__GCL_MATH_3(fma)

__GCL_MATH_TO(int, ilogb)
__GCL_MATH_TO(long, lrint)
__GCL_MATH_TO(long, lround)
__GCL_MATH_TO(long long, llrint)
__GCL_MATH_TO(long long, llround)

__GCL_MATH_SCALE(ldexp, int)
__GCL_MATH_SCALE(scalbn, int)
__GCL_MATH_SCALE(scalbln, long)

#undef __GCL_MATH_1
#undef __GCL_MATH_2
#undef __GCL_MATH_3
#undef __GCL_MATH_TO
#undef __GCL_MATH_SCALE

__GCL_PURE double jn(int __order, double __x);
__GCL_PURE float jnf(int __order, float __x);
__GCL_PURE double yn(int __order, double __x);
__GCL_PURE float ynf(int __order, float __x);
__GCL_PURE double nan(const char *__payload);
__GCL_PURE float nanf(const char *__payload);

// These write through pointers.
__GCL_EXTERN double frexp(double __x, int *__exponent);
__GCL_EXTERN float frexpf(float __x, int *__exponent);
__GCL_EXTERN double modf(double __x, double *__whole);
__GCL_EXTERN float modff(float __x, float *__whole);
__GCL_EXTERN double remquo(double __x, double __y, int *__quotient);
__GCL_EXTERN float remquof(float __x, float __y, int *__quotient);
__GCL_EXTERN void sincos(double __x, double *__sine, double *__cosine);
__GCL_EXTERN void sincosf(float __x, float *__sine, float *__cosine);

__GCL_PURE int abs(int __x);
__GCL_PURE long labs(long __x);
__GCL_PURE long long llabs(long long __x);

__GCL_EXTERN void *memcpy(void *__to, const void *__from, __SIZE_TYPE__ __size);
__GCL_EXTERN void *memmove(void *__to, const void *__from, __SIZE_TYPE__ __size);
__GCL_EXTERN void *memset(void *__to, int __byte, __SIZE_TYPE__ __size);
__GCL_EXTERN int memcmp(const void *__a, const void *__b, __SIZE_TYPE__ __size);
__GCL_EXTERN __SIZE_TYPE__ strlen(const char *__text);
__GCL_EXTERN int strcmp(const char *__a, const char *__b);
__GCL_EXTERN int strncmp(const char *__a, const char *__b, __SIZE_TYPE__ __size);
__GCL_EXTERN char *strcpy(char *__to, const char *__from);
__GCL_EXTERN char *strncpy(char *__to, const char *__from, __SIZE_TYPE__ __size);
__GCL_EXTERN char *strcat(char *__to, const char *__from);

__GCL_EXTERN void *malloc(__SIZE_TYPE__ __size);
__GCL_EXTERN void free(void *__pointer);
__GCL_EXTERN int printf(const char *__format, ...) __attribute__((format(printf, 1, 2)));
__GCL_EXTERN int vprintf(const char *__format, __builtin_va_list __arguments);
__GCL_EXTERN __attribute__((noreturn)) void __assert_fail(const char *__expression,
                                                          const char *__file, unsigned int __line,
                                                          const char *__function);

// What <cmath> and <cstdlib> define for the host alone, because it isn't constexpr there.
namespace std {
__GCL_DEVICE long abs(long __x) {
    return ::labs(__x);
}
__GCL_DEVICE long long abs(long long __x) {
    return ::llabs(__x);
}
__GCL_DEVICE float frexp(float __x, int *__exponent) {
    return ::frexpf(__x, __exponent);
}
__GCL_DEVICE float modf(float __x, float *__whole) {
    return ::modff(__x, __whole);
}
__GCL_DEVICE float remquo(float __x, float __y, int *__quotient) {
    return ::remquof(__x, __y, __quotient);
}
} // namespace std

#endif
#endif
