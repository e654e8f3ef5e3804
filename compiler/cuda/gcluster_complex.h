// Products and quotients of complex numbers, which the compiler calls for std::complex and
// _Complex.
//
// The host's library has functions of these names too, but passes pairs of floats otherwise than
// device code does, so device code brings its own. They follow annex G of the C standard: an
// infinity remains one, whatever NaNs are about.
#ifndef GCLUSTER_COMPLEX_H
#define GCLUSTER_COMPLEX_H

#include "gcluster_base.h"

struct __gcl_complex {
    double __x, __y;
};

/// 1 for an infinity, 0 for anything else, with the sign of `__v`.
__GCL_DEVICE double __gcl_unit(double __v) {
    return __builtin_copysign(__builtin_isinf(__v) ? 1.0 : 0.0, __v);
}
__GCL_DEVICE double __gcl_no_nan(double __v) {
    return __builtin_isnan(__v) ? __builtin_copysign(0.0, __v) : __v;
}
__GCL_DEVICE bool __gcl_infinite(double __a, double __b) {
    return __builtin_isinf(__a) || __builtin_isinf(__b);
}

static __device__ __gcl_complex __gcl_product(double __a, double __b, double __c, double __d) {
    __gcl_complex __z = {__a * __c - __b * __d, __a * __d + __b * __c};
    if (!__builtin_isnan(__z.__x) || !__builtin_isnan(__z.__y))
        return __z;
    bool __overflow = __gcl_infinite(__a * __c, __b * __d) || __gcl_infinite(__a * __d, __b * __c);
    bool __first = __gcl_infinite(__a, __b), __second = __gcl_infinite(__c, __d);
    if (!__first && !__second && !__overflow)
        return __z;
    __a = __first ? __gcl_unit(__a) : __gcl_no_nan(__a);
    __b = __first ? __gcl_unit(__b) : __gcl_no_nan(__b);
    __c = __second ? __gcl_unit(__c) : __gcl_no_nan(__c);
    __d = __second ? __gcl_unit(__d) : __gcl_no_nan(__d);
    __z.__x = __builtin_inf() * (__a * __c - __b * __d);
    __z.__y = __builtin_inf() * (__a * __d + __b * __c);
    return __z;
}

/// The divisor is scaled by a power of 2 first, so that its square neither overflows nor vanishes.
static __device__ __gcl_complex __gcl_quotient(double __a, double __b, double __c, double __d) {
    double __size = __builtin_fmax(__builtin_fabs(__c), __builtin_fabs(__d));
    int __exponent = 0;
    if (__size > 0 && __size < __builtin_inf()) {
        __exponent = -__builtin_ilogb(__size);
        __c = __builtin_ldexp(__c, __exponent);
        __d = __builtin_ldexp(__d, __exponent);
    }
    double __square = __c * __c + __d * __d;
    __gcl_complex __z = {__builtin_ldexp((__a * __c + __b * __d) / __square, __exponent),
                         __builtin_ldexp((__b * __c - __a * __d) / __square, __exponent)};
    if (!__builtin_isnan(__z.__x) || !__builtin_isnan(__z.__y))
        return __z;
    if (__square == 0 && (!__builtin_isnan(__a) || !__builtin_isnan(__b))) {
        __z.__x = __builtin_copysign(__builtin_inf(), __c) * __a;
        __z.__y = __builtin_copysign(__builtin_inf(), __c) * __b;
    } else if (__gcl_infinite(__a, __b) && __square < __builtin_inf()) {
        __a = __gcl_unit(__a), __b = __gcl_unit(__b);
        __z.__x = __builtin_inf() * (__a * __c + __b * __d);
        __z.__y = __builtin_inf() * (__b * __c - __a * __d);
    } else if (__gcl_infinite(__c, __d) && __builtin_isfinite(__a) && __builtin_isfinite(__b)) {
        __c = __gcl_unit(__c), __d = __gcl_unit(__d);
        __z.__x = 0.0 * (__a * __c + __b * __d);
        __z.__y = 0.0 * (__b * __c - __a * __d);
    }
    return __z;
}

/// The functions that the compiler calls, by their names.
#define __GCL_COMPLEX(__type, __suffix)                                                            \
    extern "C" inline __attribute__((device)) __type _Complex __mul##__suffix(                     \
        __type __a, __type __b, __type __c, __type __d) {                                          \
        __gcl_complex __z = __gcl_product(__a, __b, __c, __d);                                     \
        __type _Complex __result;                                                                  \
        __real__ __result = (__type)__z.__x;                                                       \
        __imag__ __result = (__type)__z.__y;                                                       \
        return __result;                                                                           \
    }                                                                                              \
    extern "C" inline __attribute__((device)) __type _Complex __div##__suffix(                     \
        __type __a, __type __b, __type __c, __type __d) {                                          \
        __gcl_complex __z = __gcl_quotient(__a, __b, __c, __d);                                    \
        __type _Complex __result;                                                                  \
        __real__ __result = (__type)__z.__x;                                                       \
        __imag__ __result = (__type)__z.__y;                                                       \
        return __result;                                                                           \
    }
__GCL_COMPLEX(float, sc3)
__GCL_COMPLEX(double, dc3)
#undef __GCL_COMPLEX

#endif
