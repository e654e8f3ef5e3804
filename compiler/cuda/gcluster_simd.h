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

#define __GCL_SIMD_BITS(__name, __sign, __width, __expression)                                     \
    __GCL_DEVICE unsigned int __name(unsigned int __first, unsigned int __second) {                \
        const int __bits = __width, __all = (1 << __bits) - 1;                                     \
        unsigned int __result = 0;                                                                 \
        for (int __at = 0; __at < 32; __at += __bits) {                                            \
            int __a = __gcl_part_##__sign(__first, __at, __bits);                                  \
            int __b = __gcl_part_##__sign(__second, __at, __bits);                                 \
            (void)__b;                                                                             \
            __result |= ((unsigned int)(__expression) & (unsigned int)__all) << __at;              \
        }                                                                                          \
        return __result;                                                                           \
    }
/// `__name`2 and `__name`4, each part of the result being `__expression` of the parts a and b.
#define __GCL_SIMD(__name, __sign, __expression)                                                   \
    __GCL_SIMD_BITS(__name##2, __sign, 16, __expression)                                           \
    __GCL_SIMD_BITS(__name##4, __sign, 8, __expression)
#define __GCL_SIMD_UNARY(__name, __expression)                                                     \
    __GCL_SIMD(__gcl##__name, s, __expression)                                                     \
    __GCL_DEVICE unsigned int __name##2(unsigned int __x) {                                        \
        return __gcl##__name##2(__x, 0);                                                           \
    }                                                                                              \
    __GCL_DEVICE unsigned int __name##4(unsigned int __x) {                                        \
        return __gcl##__name##4(__x, 0);                                                           \
    }
/// A comparison that gives all bits (cmp) or one (set).
#define __GCL_SIMD_COMPARE(__name, __sign, __operator)                                             \
    __GCL_SIMD(__vcmp##__name, __sign, __a __operator __b ? __all : 0)                             \
    __GCL_SIMD(__vset##__name, __sign, __a __operator __b)
#define __GCL_SIMD_SUM(__name, __differences)                                                      \
    __GCL_DEVICE unsigned int __name##2(unsigned int __first, unsigned int __second) {             \
        unsigned int __d = __differences##2(__first, __second);                                    \
        return (__d & 0xffff) + (__d >> 16);                                                       \
    }                                                                                              \
    __GCL_DEVICE unsigned int __name##4(unsigned int __first, unsigned int __second) {             \
        unsigned int __d = __differences##4(__first, __second);                                    \
        return (__d & 0xff) + (__d >> 8 & 0xff) + (__d >> 16 & 0xff) + (__d >> 24);                \
    }

__GCL_SIMD_UNARY(__vabs, __a < 0 ? -__a : __a)
__GCL_SIMD_UNARY(__vabsss, __gcl_clamp(__a < 0 ? -__a : __a, 0, __all >> 1))
__GCL_SIMD_UNARY(__vneg, -__a)
__GCL_SIMD_UNARY(__vnegss, __gcl_clamp(-__a, ~(__all >> 1), __all >> 1))

__GCL_SIMD(__vadd, u, __a + __b)
__GCL_SIMD(__vaddss, s, __gcl_clamp(__a + __b, ~(__all >> 1), __all >> 1))
__GCL_SIMD(__vaddus, u, __gcl_clamp(__a + __b, 0, __all))
__GCL_SIMD(__vsub, u, __a - __b)
__GCL_SIMD(__vsubss, s, __gcl_clamp(__a - __b, ~(__all >> 1), __all >> 1))
__GCL_SIMD(__vsubus, u, __gcl_clamp(__a - __b, 0, __all))
// Averages: away from 0, up, down.
__GCL_SIMD(__vavgs, s, (__a + __b + (__a + __b >= 0)) >> 1)
__GCL_SIMD(__vavgu, u, (__a + __b + 1) >> 1)
__GCL_SIMD(__vhaddu, u, (__a + __b) >> 1)
__GCL_SIMD(__vabsdiffs, s, __a > __b ? __a - __b : __b - __a)
__GCL_SIMD(__vabsdiffu, u, __a > __b ? __a - __b : __b - __a)
__GCL_SIMD(__vmaxs, s, __a > __b ? __a : __b)
__GCL_SIMD(__vmaxu, u, __a > __b ? __a : __b)
__GCL_SIMD(__vmins, s, __a < __b ? __a : __b)
__GCL_SIMD(__vminu, u, __a < __b ? __a : __b)
__GCL_SIMD_SUM(__vsads, __vabsdiffs)
__GCL_SIMD_SUM(__vsadu, __vabsdiffu)

__GCL_SIMD_COMPARE(eq, u, ==)
__GCL_SIMD_COMPARE(ne, u, !=)
__GCL_SIMD_COMPARE(ges, s, >=)
__GCL_SIMD_COMPARE(geu, u, >=)
__GCL_SIMD_COMPARE(gts, s, >)
__GCL_SIMD_COMPARE(gtu, u, >)
__GCL_SIMD_COMPARE(les, s, <=)
__GCL_SIMD_COMPARE(leu, u, <=)
__GCL_SIMD_COMPARE(lts, s, <)
__GCL_SIMD_COMPARE(ltu, u, <)

#undef __GCL_SIMD
#undef __GCL_SIMD_BITS
#undef __GCL_SIMD_UNARY
#undef __GCL_SIMD_COMPARE
#undef __GCL_SIMD_SUM

#endif
