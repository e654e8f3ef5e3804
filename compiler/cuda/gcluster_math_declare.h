// The C library's functions for device code: overloads of the host's, which call the same libm.
//
// They go through clang's builtins, because clang takes no function marked __device__ for a
// function of the C library: sqrt() would stay a call instead of an instruction.
//
// This comes before any header of the standard library: libstdc++'s <cmath> then imports these
// declarations into std together with the host's, and its templates (pow(float, int)) find them.
// Wrapping <cmath> in force_cuda_host_device instead would break the rest of libstdc++.
#ifndef GCLUSTER_MATH_DECLARE_H
#define GCLUSTER_MATH_DECLARE_H

#include "gcluster_base.h"

#if defined(__CUDA__) && defined(__cplusplus)

#define __GCL_MATH_1(__name)                                                                       \
    __GCL_DEVICE double __name(double __x) {                                                       \
        return __builtin_##__name(__x);                                                            \
    }                                                                                              \
    __GCL_DEVICE float __name##f(float __x) {                                                      \
        return __builtin_##__name##f(__x);                                                         \
    }
#define __GCL_MATH_2(__name)                                                                       \
    __GCL_DEVICE double __name(double __x, double __y) {                                           \
        return __builtin_##__name(__x, __y);                                                       \
    }                                                                                              \
    __GCL_DEVICE float __name##f(float __x, float __y) {                                           \
        return __builtin_##__name##f(__x, __y);                                                    \
    }
// Device code converts as GPUs do, where libm's functions say nothing of what is out of range.
#define __GCL_MATH_TO(__result, __name, __rounds)                                                  \
    __GCL_DEVICE __result __name(double __x) {                                                     \
        return (__result)__builtin_##__rounds(__x);                                                \
    }                                                                                              \
    __GCL_DEVICE __result __name##f(float __x) {                                                   \
        return (__result)__builtin_##__rounds##f(__x);                                             \
    }
#define __GCL_MATH_AND(__name, __second)                                                           \
    __GCL_DEVICE double __name(double __x, __second __y) {                                         \
        return __builtin_##__name(__x, __y);                                                       \
    }                                                                                              \
    __GCL_DEVICE float __name##f(float __x, __second __y) {                                        \
        return __builtin_##__name##f(__x, __y);                                                    \
    }
// clang has no builtin for these.
#define __GCL_MATH_CALL(__name)                                                                    \
    __GCL_PURE double __name(double __x);                                                          \
    __GCL_PURE float __name##f(float __x);

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
__GCL_MATH_CALL(j0)
__GCL_MATH_CALL(j1)
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
__GCL_MATH_CALL(y0)
__GCL_MATH_CALL(y1)

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

__GCL_MATH_TO(int, ilogb, ilogb)
__GCL_MATH_TO(long, lrint, rint)
__GCL_MATH_TO(long, lround, round)
__GCL_MATH_TO(long long, llrint, rint)
__GCL_MATH_TO(long long, llround, round)

__GCL_MATH_AND(ldexp, int)
__GCL_MATH_AND(scalbn, int)
__GCL_MATH_AND(scalbln, long)
__GCL_MATH_AND(frexp, int *)

#undef __GCL_MATH_1
#undef __GCL_MATH_2
#undef __GCL_MATH_TO
#undef __GCL_MATH_AND
#undef __GCL_MATH_CALL

__GCL_PURE double jn(int __order, double __x);
__GCL_PURE float jnf(int __order, float __x);
__GCL_PURE double yn(int __order, double __x);
__GCL_PURE float ynf(int __order, float __x);
__GCL_PURE double nan(const char *__payload);
__GCL_PURE float nanf(const char *__payload);
__GCL_EXTERN void sincos(double __x, double *__sine, double *__cosine);
__GCL_EXTERN void sincosf(float __x, float *__sine, float *__cosine);

__GCL_DEVICE double fma(double __x, double __y, double __z) {
    return __builtin_fma(__x, __y, __z);
}
__GCL_DEVICE float fmaf(float __x, float __y, float __z) {
    return __builtin_fmaf(__x, __y, __z);
}
__GCL_DEVICE double modf(double __x, double *__whole) {
    return __builtin_modf(__x, __whole);
}
__GCL_DEVICE float modff(float __x, float *__whole) {
    return __builtin_modff(__x, __whole);
}
__GCL_DEVICE double remquo(double __x, double __y, int *__quotient) {
    return __builtin_remquo(__x, __y, __quotient);
}
__GCL_DEVICE float remquof(float __x, float __y, int *__quotient) {
    return __builtin_remquof(__x, __y, __quotient);
}

__GCL_DEVICE int abs(int __x) {
    return __builtin_abs(__x);
}
__GCL_DEVICE long labs(long __x) {
    return __builtin_labs(__x);
}
__GCL_DEVICE long long llabs(long long __x) {
    return __builtin_llabs(__x);
}

__GCL_DEVICE void *memcpy(void *__to, const void *__from, __SIZE_TYPE__ __size) {
    return __builtin_memcpy(__to, __from, __size);
}
__GCL_DEVICE void *memmove(void *__to, const void *__from, __SIZE_TYPE__ __size) {
    return __builtin_memmove(__to, __from, __size);
}
__GCL_DEVICE void *memset(void *__to, int __byte, __SIZE_TYPE__ __size) {
    return __builtin_memset(__to, __byte, __size);
}
__GCL_DEVICE int memcmp(const void *__a, const void *__b, __SIZE_TYPE__ __size) {
    return __builtin_memcmp(__a, __b, __size);
}
__GCL_DEVICE __SIZE_TYPE__ strlen(const char *__text) {
    return __builtin_strlen(__text);
}
__GCL_DEVICE int strcmp(const char *__a, const char *__b) {
    return __builtin_strcmp(__a, __b);
}
__GCL_DEVICE int strncmp(const char *__a, const char *__b, __SIZE_TYPE__ __size) {
    return __builtin_strncmp(__a, __b, __size);
}
__GCL_DEVICE char *strcpy(char *__to, const char *__from) {
    return __builtin_strcpy(__to, __from);
}
__GCL_DEVICE char *strncpy(char *__to, const char *__from, __SIZE_TYPE__ __size) {
    return __builtin_strncpy(__to, __from, __size);
}
__GCL_DEVICE char *strcat(char *__to, const char *__from) {
    return __builtin_strcat(__to, __from);
}

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
    return __builtin_labs(__x);
}
__GCL_DEVICE long long abs(long long __x) {
    return __builtin_llabs(__x);
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
