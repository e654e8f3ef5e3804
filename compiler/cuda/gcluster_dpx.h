// The DPX functions: sums, minima and maxima of three, as dynamic programming needs them; on words
// (s32, u32) or two halves of a word (s16x2, u16x2), optionally clamped at 0 (relu).
#ifndef GCLUSTER_DPX_H
#define GCLUSTER_DPX_H

#include "gcluster_base.h"

__GCL_BOTH int __gcl_half_s16x2(unsigned int __word, int __at) {
    return (short)(__word >> __at);
}
__GCL_BOTH int __gcl_half_u16x2(unsigned int __word, int __at) {
    return (unsigned short)(__word >> __at);
}

// Each operation as an expression of a, b and c; a sum wraps around like its type.
#define __GCL_DPX_ADDMAX(__wrap) __wrap(__a + __b) > __c ? __wrap(__a + __b) : __c
#define __GCL_DPX_ADDMIN(__wrap) __wrap(__a + __b) < __c ? __wrap(__a + __b) : __c
#define __GCL_DPX_MAX3(__wrap)                                                                     \
    (__a > __b ? __a : __b) > __c ? (__a > __b ? __a : __b) : __c
#define __GCL_DPX_MIN3(__wrap)                                                                     \
    (__a < __b ? __a : __b) < __c ? (__a < __b ? __a : __b) : __c
#define __GCL_DPX_MAX(__wrap) __a > __b ? __a : __b
#define __GCL_DPX_MIN(__wrap) __a < __b ? __a : __b

#define __GCL_DPX_S32(__name, __parameters, __expression, __low)                                   \
    __GCL_BOTH int __name __parameters {                                                           \
        long long __a = __first, __b = __second, __c = __third;                                    \
        (void)__c;                                                                                 \
        int __r = (int)(__expression((int)));                                                      \
        return __r < __low ? __low : __r;                                                          \
    }
#define __GCL_DPX_U32(__name, __parameters, __expression)                                          \
    __GCL_BOTH unsigned int __name __parameters {                                                  \
        unsigned int __a = __first, __b = __second, __c = __third;                                 \
        return __expression();                                                                     \
    }
#define __GCL_DPX_16X2(__name, __parameters, __kind, __type, __expression, __low)                  \
    __GCL_BOTH unsigned int __name __parameters {                                                  \
        unsigned int __result = 0;                                                                 \
        for (int __at = 0; __at < 32; __at += 16) {                                                \
            int __a = __gcl_half_##__kind(__first, __at), __b = __gcl_half_##__kind(__second, __at); \
            int __c = __gcl_half_##__kind(__third, __at);                                          \
            (void)__c;                                                                             \
            int __r = __expression((__type));                                                      \
            __result |= (unsigned int)(unsigned short)(__r < __low ? __low : __r) << __at;         \
        }                                                                                          \
        return __result;                                                                           \
    }

#define __GCL_DPX_INTS (int __first, int __second, int __third)
#define __GCL_DPX_WORDS (unsigned int __first, unsigned int __second, unsigned int __third)
/// All versions of an operation on three numbers.
#define __GCL_DPX(__name, __expression)                                                            \
    __GCL_DPX_S32(__name##_s32, __GCL_DPX_INTS, __expression, (-2147483647 - 1))                   \
    __GCL_DPX_S32(__name##_s32_relu, __GCL_DPX_INTS, __expression, 0)                              \
    __GCL_DPX_U32(__name##_u32, __GCL_DPX_WORDS, __expression)                                     \
    __GCL_DPX_16X2(__name##_s16x2, __GCL_DPX_WORDS, s16x2, short, __expression, -32768)            \
    __GCL_DPX_16X2(__name##_s16x2_relu, __GCL_DPX_WORDS, s16x2, short, __expression, 0)            \
    __GCL_DPX_16X2(__name##_u16x2, __GCL_DPX_WORDS, u16x2, unsigned short, __expression, 0)

__GCL_DPX(__viaddmax, __GCL_DPX_ADDMAX)
__GCL_DPX(__viaddmin, __GCL_DPX_ADDMIN)
__GCL_DPX(__vimax3, __GCL_DPX_MAX3)
__GCL_DPX(__vimin3, __GCL_DPX_MIN3)
#undef __GCL_DPX

/// Those of two numbers are clamped, or say which one it was.
#define __GCL_DPX(__name, __expression, __compare)                                                 \
    __GCL_BOTH int __vi##__name##_s32_relu(int __a, int __b) {                                     \
        int __r = __expression();                                                                  \
        return __r < 0 ? 0 : __r;                                                                  \
    }                                                                                              \
    __GCL_DPX_16X2(__gcl_vi##__name##_s16x2_relu, __GCL_DPX_WORDS, s16x2, short, __expression, 0)  \
    __GCL_BOTH unsigned int __vi##__name##_s16x2_relu(unsigned int __a, unsigned int __b) {        \
        return __gcl_vi##__name##_s16x2_relu(__a, __b, 0);                                         \
    }                                                                                              \
    __GCL_BOTH int __vib##__name##_s32(int __a, int __b, bool *__is_first) {                       \
        *__is_first = __a __compare __b;                                                           \
        return __expression();                                                                     \
    }                                                                                              \
    __GCL_BOTH unsigned int __vib##__name##_u32(unsigned int __a, unsigned int __b,                \
                                                bool *__is_first) {                                \
        *__is_first = __a __compare __b;                                                           \
        return __expression();                                                                     \
    }                                                                                              \
    __GCL_DPX_CHOICE(__name, s16x2, -32768, __expression, __compare)                               \
    __GCL_DPX_CHOICE(__name, u16x2, 0, __expression, __compare)
#define __GCL_DPX_CHOICE(__name, __kind, __low, __expression, __compare)                           \
    __GCL_DPX_16X2(__gcl_vib##__name##_##__kind, __GCL_DPX_WORDS, __kind, int, __expression,       \
                   __low)                                                                          \
    __GCL_BOTH unsigned int __vib##__name##_##__kind(unsigned int __a, unsigned int __b,           \
                                                     bool *__high_is_first,                        \
                                                     bool *__low_is_first) {                       \
        *__high_is_first = __gcl_half_##__kind(__a, 16) __compare __gcl_half_##__kind(__b, 16);    \
        *__low_is_first = __gcl_half_##__kind(__a, 0) __compare __gcl_half_##__kind(__b, 0);       \
        return __gcl_vib##__name##_##__kind(__a, __b, 0);                                          \
    }

__GCL_DPX(max, __GCL_DPX_MAX, >=)
__GCL_DPX(min, __GCL_DPX_MIN, <=)

#undef __GCL_DPX
#undef __GCL_DPX_ADDMAX
#undef __GCL_DPX_ADDMIN
#undef __GCL_DPX_MAX3
#undef __GCL_DPX_MIN3
#undef __GCL_DPX_MAX
#undef __GCL_DPX_MIN
#undef __GCL_DPX_S32
#undef __GCL_DPX_U32
#undef __GCL_DPX_16X2
#undef __GCL_DPX_INTS
#undef __GCL_DPX_WORDS
#undef __GCL_DPX_CHOICE

#endif
