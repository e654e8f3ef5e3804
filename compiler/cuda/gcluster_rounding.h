// Arithmetic with the rounding mode in its name.
//
// _rn is the machine's own operation, kept from being contracted into a fused one. The directed
// modes take the nearest result and ask on which side of it the exact one lies: float operations
// are exact, or nearly, in double; for double the error itself is a double that two classic tricks
// give (Knuth's sum, and a product's rest by fma). One step to the neighbour then corrects the
// result.
#ifndef GCLUSTER_ROUNDING_H
#define GCLUSTER_ROUNDING_H

#include "gcluster_base.h"

__GCL_DEVICE float __gcl_next(float __x, bool __up) {
    unsigned int __bits = __builtin_bit_cast(unsigned int, __x);
    if (__x == 0)
        __bits = __up ? 1u : 0x80000001u;
    else
        __bits += __up == (__x > 0) ? 1u : -1u;
    return __builtin_bit_cast(float, __bits);
}
__GCL_DEVICE double __gcl_next(double __x, bool __up) {
    unsigned long long __bits = __builtin_bit_cast(unsigned long long, __x);
    if (__x == 0)
        __bits = __up ? 1ull : 0x8000000000000001ull;
    else
        __bits += __up == (__x > 0) ? 1ull : -1ull;
    return __builtin_bit_cast(double, __bits);
}

// `__x` is the nearest result and `__side` has the sign of the exact result minus it.
#define __GCL_ROUND(__type)                                                                        \
    __GCL_DEVICE __type __gcl_round_rn(__type __x, double) {                                       \
        return __x;                                                                                \
    }                                                                                              \
    __GCL_DEVICE __type __gcl_round_ru(__type __x, double __side) {                                \
        return __side > 0 ? __gcl_next(__x, true) : __x;                                           \
    }                                                                                              \
    __GCL_DEVICE __type __gcl_round_rd(__type __x, double __side) {                                \
        return __side < 0 ? __gcl_next(__x, false) : __x;                                          \
    }                                                                                              \
    __GCL_DEVICE __type __gcl_round_rz(__type __x, double __side) {                                \
        if (__x > 0)                                                                               \
            return __gcl_round_rd(__x, __side);                                                    \
        return __x < 0 ? __gcl_round_ru(__x, __side) : __x;                                        \
    }
__GCL_ROUND(float)
__GCL_ROUND(double)
#undef __GCL_ROUND

/// What the exact sum of two numbers is more than the rounded one.
__GCL_DEVICE double __gcl_sum_rest(double __a, double __b, double __sum) {
    _Pragma("clang fp contract(off) reassociate(off)");
    if (!(__builtin_fabs(__sum) < __builtin_inf()))
        return __builtin_isinf(__a) || __builtin_isinf(__b) ? 0.0 : -__sum;
    double __b_part = __sum - __a, __a_part = __sum - __b_part;
    return (__a - __a_part) + (__b - __b_part);
}
__GCL_DEVICE double __gcl_product_sign(double __a, double __b) {
    return (__a < 0) == (__b < 0) ? 1.0 : -1.0;
}
/// The sign of what the exact product is more than `__product`. Small factors are scaled up, so
/// that the rest doesn't vanish below the smallest number.
__GCL_DEVICE double __gcl_product_side(double __a, double __b, double __product) {
    if (__builtin_isinf(__product))
        return __builtin_isinf(__a) || __builtin_isinf(__b) ? 0.0 : -__product;
    if (__builtin_fabs(__product) >= 0x1p-900 || __a == 0 || __b == 0)
        return __builtin_fma(__a, __b, -__product);
    if (__product == 0)
        return __gcl_product_sign(__a, __b);
    double __small = __builtin_fabs(__a) < __builtin_fabs(__b) ? __a : __b;
    double __large = __builtin_fabs(__a) < __builtin_fabs(__b) ? __b : __a;
    return __builtin_fma(__small * 0x1p600, __large, -__product * 0x1p600);
}
/// The sign of what a quotient is more than `__quotient`.
__GCL_DEVICE double __gcl_quotient_side(double __a, double __b, double __quotient) {
    if (__builtin_isinf(__quotient))
        return __builtin_isinf(__a) || __b == 0 ? 0.0 : -__quotient;
    if (__b == 0 || __builtin_isinf(__b) || __quotient != __quotient)
        return 0.0;
    if (__builtin_fabs(__a) < 0x1p-900) {
        __a *= 0x1p600;
        if (__builtin_fabs(__b) < 0x1p400)
            __b *= 0x1p600;
        else
            __quotient *= 0x1p600;
    }
    double __rest = __builtin_fma(-__quotient, __b, __a);
    return __b < 0 ? -__rest : __rest;
}
__GCL_DEVICE double __gcl_root_side(double __a, double __root) {
    if (!(__a > 0) || __builtin_isinf(__a))
        return 0.0;
    if (__a < 0x1p-900) {
        __a *= 0x1p600;
        __root *= 0x1p300;
    }
    return __builtin_fma(-__root, __root, __a);
}
/// The sign of what a * b + c is more than `__result`, its rounded value: Boldo and Muller's error
/// of a fused multiplication and addition, where nothing overflows or underflows.
__GCL_DEVICE double __gcl_fma_error(double __a, double __b, double __c, double __result) {
    _Pragma("clang fp contract(off) reassociate(off)");
    double __product = __a * __b;
    double __product_rest = __builtin_fma(__a, __b, -__product);
    double __low = __c + __product_rest;
    double __low_rest = __gcl_sum_rest(__c, __product_rest, __low);
    double __high = __product + __low;
    double __high_rest = __gcl_sum_rest(__product, __low, __high);
    return ((__high - __result) + __high_rest) + __low_rest;
}
/// The same for all numbers. A product that is too small to change c only says on which side it is.
__GCL_DEVICE double __gcl_fma_side(double __a, double __b, double __c, double __result) {
    if (!(__builtin_fabs(__result) < __builtin_inf()))
        return __builtin_isinf(__a) || __builtin_isinf(__b) || __builtin_isinf(__c) ? 0.0
                                                                                    : -__result;
    double __product = __a * __b;
    if (__a == 0 || __b == 0)
        return 0.0;
    if (__c == 0)
        return __gcl_product_side(__a, __b, __result);
    double __small = __builtin_fabs(__a) < __builtin_fabs(__b) ? __a : __b;
    double __large = __builtin_fabs(__a) < __builtin_fabs(__b) ? __b : __a;
    if (__builtin_isinf(__product))
        return __gcl_fma_error(__large * 0x1p-600, __small, __c * 0x1p-600, __result * 0x1p-600);
    if (__builtin_fabs(__product) >= 0x1p-900)
        return __gcl_fma_error(__a, __b, __c, __result);
    __small *= 0x1p600;
    if (__builtin_fabs(__c) > 0x1p-800 || __builtin_fabs(__small * __large) < 0x1p-590)
        return __gcl_product_sign(__a, __b);
    return __gcl_fma_error(__small, __large, __c * 0x1p600, __result * 0x1p600);
}

/// Whether a zero result of a * b + c comes from numbers of opposite signs.
__GCL_DEVICE bool __gcl_cancels(double __a, double __b, double __c) {
    return (__builtin_signbit(__a) ^ __builtin_signbit(__b)) != __builtin_signbit(__c);
}

/// Addition in one rounding mode; x + -x is -0 when rounding down.
#define __GCL_ROUNDED_SUM(__mode, __zero)                                                          \
    __GCL_DEVICE double __dadd_##__mode(double __a, double __b) {                                  \
        _Pragma("clang fp contract(off)");                                                         \
        double __sum = __a + __b;                                                                  \
        if (__sum == 0)                                                                            \
            return __a == 0 && __builtin_signbit(__a) == __builtin_signbit(__b) ? __a : __zero;    \
        return __gcl_round_##__mode(__sum, __gcl_sum_rest(__a, __b, __sum));                       \
    }                                                                                              \
    __GCL_DEVICE double __dsub_##__mode(double __a, double __b) {                                  \
        return __dadd_##__mode(__a, -__b);                                                         \
    }                                                                                              \
    __GCL_DEVICE float __fadd_##__mode(float __a, float __b) {                                     \
        _Pragma("clang fp contract(off)");                                                         \
        double __sum = (double)__a + (double)__b;                                                  \
        if (__sum == 0)                                                                            \
            return __a == 0 && __builtin_signbit(__a) == __builtin_signbit(__b) ? __a : __zero;    \
        float __nearest = (float)__sum;                                                            \
        double __rest = __gcl_sum_rest(__a, __b, __sum);                                           \
        return __gcl_round_##__mode(__nearest, (__sum - __nearest) + __rest);                      \
    }                                                                                              \
    __GCL_DEVICE float __fsub_##__mode(float __a, float __b) {                                     \
        return __fadd_##__mode(__a, -__b);                                                         \
    }

__GCL_ROUNDED_SUM(rz, 0.0f)
__GCL_ROUNDED_SUM(ru, 0.0f)
__GCL_ROUNDED_SUM(rd, -0.0f)
#undef __GCL_ROUNDED_SUM

/// The other operations in one directed rounding mode.
#define __GCL_ROUNDED(__mode, __zero)                                                              \
    __GCL_DEVICE double __dmul_##__mode(double __a, double __b) {                                  \
        _Pragma("clang fp contract(off)");                                                         \
        double __product = __a * __b;                                                              \
        return __gcl_round_##__mode(__product, __gcl_product_side(__a, __b, __product));           \
    }                                                                                              \
    __GCL_DEVICE double __ddiv_##__mode(double __a, double __b) {                                  \
        double __quotient = __a / __b;                                                             \
        return __gcl_round_##__mode(__quotient, __gcl_quotient_side(__a, __b, __quotient));        \
    }                                                                                              \
    __GCL_DEVICE double __drcp_##__mode(double __a) {                                              \
        return __ddiv_##__mode(1.0, __a);                                                          \
    }                                                                                              \
    __GCL_DEVICE double __dsqrt_##__mode(double __a) {                                             \
        double __root = __builtin_sqrt(__a);                                                       \
        return __gcl_round_##__mode(__root, __gcl_root_side(__a, __root));                         \
    }                                                                                              \
    __GCL_DEVICE double __fma_##__mode(double __a, double __b, double __c) {                       \
        double __result = __builtin_fma(__a, __b, __c);                                            \
        double __side = __gcl_fma_side(__a, __b, __c, __result);                                   \
        if (__result == 0 && __side == 0 && __gcl_cancels(__a, __b, __c))                          \
            return __zero;                                                                         \
        return __gcl_round_##__mode(__result, __side);                                             \
    }                                                                                              \
    __GCL_DEVICE float __fmul_##__mode(float __a, float __b) {                                     \
        double __product = (double)__a * (double)__b;                                              \
        float __nearest = (float)__product;                                                        \
        return __gcl_round_##__mode(__nearest, __product - __nearest);                             \
    }                                                                                              \
    __GCL_DEVICE float __fdiv_##__mode(float __a, float __b) {                                     \
        float __quotient = __a / __b;                                                              \
        double __side = (double)__b < 0 ? -1.0 : 1.0;                                              \
        if (__builtin_isinf(__quotient))                                                           \
            __side = __builtin_isinf(__a) || __b == 0 ? 0.0 : -__quotient;                         \
        else                                                                                       \
            __side *= __builtin_fma(-(double)__quotient, (double)__b, (double)__a);                \
        return __gcl_round_##__mode(__quotient, __side);                                           \
    }                                                                                              \
    __GCL_DEVICE float __frcp_##__mode(float __a) {                                                \
        return __fdiv_##__mode(1.0f, __a);                                                         \
    }                                                                                              \
    __GCL_DEVICE float __fsqrt_##__mode(float __a) {                                               \
        float __root = __builtin_sqrtf(__a);                                                       \
        if (!(__a > 0) || __builtin_isinf(__a))                                                    \
            return __root;                                                                         \
        return __gcl_round_##__mode(__root, (double)__a - (double)__root * (double)__root);        \
    }                                                                                              \
    __GCL_DEVICE float __fmaf_##__mode(float __a, float __b, float __c) {                          \
        _Pragma("clang fp contract(off)");                                                         \
        double __product = (double)__a * (double)__b, __sum = __product + (double)__c;             \
        double __rest = __gcl_sum_rest(__product, __c, __sum);                                     \
        if (__sum == 0)                                                                            \
            return __fadd_##__mode((float)__product, __c);                                         \
        float __nearest = (float)__sum;                                                            \
        return __gcl_round_##__mode(__nearest, (__sum - __nearest) + __rest);                      \
    }                                                                                              \
    __GCL_DEVICE float __fmaf_ieee_##__mode(float __a, float __b, float __c) {                     \
        return __fmaf_##__mode(__a, __b, __c);                                                     \
    }

__GCL_ROUNDED(rz, 0.0)
__GCL_ROUNDED(ru, 0.0)
__GCL_ROUNDED(rd, -0.0)
#undef __GCL_ROUNDED

/// A binary operation rounded to nearest.
#define __GCL_NEAREST(__type, __name, __operator)                                                  \
    __GCL_DEVICE __type __name##_rn(__type __a, __type __b) {                                      \
        _Pragma("clang fp contract(off)");                                                         \
        return __a __operator __b;                                                                 \
    }
__GCL_NEAREST(float, __fadd, +)
__GCL_NEAREST(float, __fsub, -)
__GCL_NEAREST(float, __fmul, *)
__GCL_NEAREST(float, __fdiv, /)
__GCL_NEAREST(double, __dadd, +)
__GCL_NEAREST(double, __dsub, -)
__GCL_NEAREST(double, __dmul, *)
__GCL_NEAREST(double, __ddiv, /)
#undef __GCL_NEAREST

__GCL_DEVICE float __frcp_rn(float __x) {
    return 1.0f / __x;
}
__GCL_DEVICE float __fsqrt_rn(float __x) {
    return __builtin_sqrtf(__x);
}
__GCL_DEVICE float __frsqrt_rn(float __x) {
    return (float)(1.0 / __builtin_sqrt((double)__x));
}
__GCL_DEVICE float __fmaf_rn(float __a, float __b, float __c) {
    return __builtin_fmaf(__a, __b, __c);
}
__GCL_DEVICE float __fmaf_ieee_rn(float __a, float __b, float __c) {
    return __builtin_fmaf(__a, __b, __c);
}
__GCL_DEVICE double __drcp_rn(double __x) {
    return 1.0 / __x;
}
__GCL_DEVICE double __dsqrt_rn(double __x) {
    return __builtin_sqrt(__x);
}
__GCL_DEVICE double __fma_rn(double __a, double __b, double __c) {
    return __builtin_fma(__a, __b, __c);
}

#endif
