// The video intrinsics: two halves or four bytes of a word at once, __vadd2() and __vadd4().
//
// Each is a loop over the parts, which compilers turn into the machine's own vector instructions
// where it has them.
#ifndef GCLUSTER_SIMD_H
#define GCLUSTER_SIMD_H

#include "gcluster_base.h"

/// The part of `__bits` bits that begins at bit `__at`, with sign or without.
__GCL_DEVICE int __gcl_part_s(unsigned int __word, int __at, int __bits) {
    return (int)(__word << (32 - __bits - __at)) >> (32 - __bits);
}
__GCL_DEVICE int __gcl_part_u(unsigned int __word, int __at, int __bits) {
    return (int)(__word << (32 - __bits - __at) >> (32 - __bits));
}
__GCL_DEVICE int __gcl_clamp(int __x, int __low, int __high) {
    return __x < __low ? __low : __x > __high ? __high : __x;
}

/// What is done with two parts.
enum __gcl_simd_operation {
    __gcl_simd_abs,
    __gcl_simd_neg,
    __gcl_simd_add,
    __gcl_simd_sub,
    __gcl_simd_average, // away from 0, or up
    __gcl_simd_half_sum,
    __gcl_simd_difference,
    __gcl_simd_max,
    __gcl_simd_min,
    __gcl_simd_eq,
    __gcl_simd_ne,
    __gcl_simd_ge,
    __gcl_simd_gt,
    __gcl_simd_le,
    __gcl_simd_lt,
};

__GCL_DEVICE int __gcl_simd_part(__gcl_simd_operation __operation, int __a, int __b, bool __sign) {
    switch (__operation) {
    case __gcl_simd_abs:
        return __a < 0 ? -__a : __a;
    case __gcl_simd_neg:
        return -__a;
    case __gcl_simd_add:
        return __a + __b;
    case __gcl_simd_sub:
        return __a - __b;
    case __gcl_simd_average:
        return (__a + __b + (!__sign || __a + __b >= 0)) >> 1;
    case __gcl_simd_half_sum:
        return (__a + __b) >> 1;
    case __gcl_simd_difference:
        return __a > __b ? __a - __b : __b - __a;
    case __gcl_simd_max:
        return __a > __b ? __a : __b;
    case __gcl_simd_min:
        return __a < __b ? __a : __b;
    case __gcl_simd_eq:
        return __a == __b;
    case __gcl_simd_ne:
        return __a != __b;
    case __gcl_simd_ge:
        return __a >= __b;
    case __gcl_simd_gt:
        return __a > __b;
    case __gcl_simd_le:
        return __a <= __b;
    default:
        return __a < __b;
    }
}

/// How the results are stored: their low bits, saturated, or all bits for true.
enum __gcl_simd_store { __gcl_simd_wrap, __gcl_simd_saturate, __gcl_simd_fill };

/// One operation on all parts of `__bits` bits, which have a sign or not. Its first arguments are
/// always constants.
__GCL_DEVICE unsigned int __gcl_simd(__gcl_simd_operation __operation, bool __sign,
                                     __gcl_simd_store __store, int __bits, unsigned int __first,
                                     unsigned int __second) {
    const int __all = (1 << __bits) - 1;
    const int __low = __sign ? ~(__all >> 1) : 0, __high = __sign ? __all >> 1 : __all;
    unsigned int __result = 0;
    for (int __at = 0; __at < 32; __at += __bits) {
        int __a =
            __sign ? __gcl_part_s(__first, __at, __bits) : __gcl_part_u(__first, __at, __bits);
        int __b =
            __sign ? __gcl_part_s(__second, __at, __bits) : __gcl_part_u(__second, __at, __bits);
        int __part = __gcl_simd_part(__operation, __a, __b, __sign);
        if (__store == __gcl_simd_saturate)
            __part = __gcl_clamp(__part, __low, __high);
        __part = __store == __gcl_simd_fill ? -__part : __part;
        __result |= (unsigned int)(__part & __all) << __at;
    }
    return __result;
}

/// `__name`2 and `__name`4.
#define __GCL_SIMD(__name, ...)                                                                    \
    __GCL_DEVICE unsigned int __name##2(unsigned int __a, unsigned int __b) {                      \
        return __gcl_simd(__VA_ARGS__, 16, __a, __b);                                              \
    }                                                                                              \
    __GCL_DEVICE unsigned int __name##4(unsigned int __a, unsigned int __b) {                      \
        return __gcl_simd(__VA_ARGS__, 8, __a, __b);                                               \
    }
#define __GCL_SIMD_UNARY(__name, ...)                                                              \
    __GCL_DEVICE unsigned int __name##2(unsigned int __a) {                                        \
        return __gcl_simd(__VA_ARGS__, 16, __a, 0);                                                \
    }                                                                                              \
    __GCL_DEVICE unsigned int __name##4(unsigned int __a) {                                        \
        return __gcl_simd(__VA_ARGS__, 8, __a, 0);                                                 \
    }
/// A comparison that gives all bits (cmp) or one (set).
#define __GCL_SIMD_COMPARE(__name, __operation, __sign)                                            \
    __GCL_SIMD(__vcmp##__name, __operation, __sign, __gcl_simd_fill)                               \
    __GCL_SIMD(__vset##__name, __operation, __sign, __gcl_simd_wrap)
#define __GCL_SIMD_SUM(__name, __differences)                                                      \
    __GCL_DEVICE unsigned int __name##2(unsigned int __first, unsigned int __second) {             \
        unsigned int __d = __differences##2(__first, __second);                                    \
        return (__d & 0xffff) + (__d >> 16);                                                       \
    }                                                                                              \
    __GCL_DEVICE unsigned int __name##4(unsigned int __first, unsigned int __second) {             \
        unsigned int __d = __differences##4(__first, __second);                                    \
        return (__d & 0xff) + (__d >> 8 & 0xff) + (__d >> 16 & 0xff) + (__d >> 24);                \
    }

__GCL_SIMD_UNARY(__vabs, __gcl_simd_abs, true, __gcl_simd_wrap)
__GCL_SIMD_UNARY(__vabsss, __gcl_simd_abs, true, __gcl_simd_saturate)
__GCL_SIMD_UNARY(__vneg, __gcl_simd_neg, true, __gcl_simd_wrap)
__GCL_SIMD_UNARY(__vnegss, __gcl_simd_neg, true, __gcl_simd_saturate)

__GCL_SIMD(__vadd, __gcl_simd_add, false, __gcl_simd_wrap)
__GCL_SIMD(__vaddss, __gcl_simd_add, true, __gcl_simd_saturate)
__GCL_SIMD(__vaddus, __gcl_simd_add, false, __gcl_simd_saturate)
__GCL_SIMD(__vsub, __gcl_simd_sub, false, __gcl_simd_wrap)
__GCL_SIMD(__vsubss, __gcl_simd_sub, true, __gcl_simd_saturate)
__GCL_SIMD(__vsubus, __gcl_simd_sub, false, __gcl_simd_saturate)
__GCL_SIMD(__vavgs, __gcl_simd_average, true, __gcl_simd_wrap)
__GCL_SIMD(__vavgu, __gcl_simd_average, false, __gcl_simd_wrap)
__GCL_SIMD(__vhaddu, __gcl_simd_half_sum, false, __gcl_simd_wrap)
__GCL_SIMD(__vabsdiffs, __gcl_simd_difference, true, __gcl_simd_wrap)
__GCL_SIMD(__vabsdiffu, __gcl_simd_difference, false, __gcl_simd_wrap)
__GCL_SIMD(__vmaxs, __gcl_simd_max, true, __gcl_simd_wrap)
__GCL_SIMD(__vmaxu, __gcl_simd_max, false, __gcl_simd_wrap)
__GCL_SIMD(__vmins, __gcl_simd_min, true, __gcl_simd_wrap)
__GCL_SIMD(__vminu, __gcl_simd_min, false, __gcl_simd_wrap)
__GCL_SIMD_SUM(__vsads, __vabsdiffs)
__GCL_SIMD_SUM(__vsadu, __vabsdiffu)

__GCL_SIMD_COMPARE(eq, __gcl_simd_eq, false)
__GCL_SIMD_COMPARE(ne, __gcl_simd_ne, false)
__GCL_SIMD_COMPARE(ges, __gcl_simd_ge, true)
__GCL_SIMD_COMPARE(geu, __gcl_simd_ge, false)
__GCL_SIMD_COMPARE(gts, __gcl_simd_gt, true)
__GCL_SIMD_COMPARE(gtu, __gcl_simd_gt, false)
__GCL_SIMD_COMPARE(les, __gcl_simd_le, true)
__GCL_SIMD_COMPARE(leu, __gcl_simd_le, false)
__GCL_SIMD_COMPARE(lts, __gcl_simd_lt, true)
__GCL_SIMD_COMPARE(ltu, __gcl_simd_lt, false)

#undef __GCL_SIMD
#undef __GCL_SIMD_UNARY
#undef __GCL_SIMD_COMPARE
#undef __GCL_SIMD_SUM

#endif
