// The DPX functions: sums, minima and maxima of three, as dynamic programming needs them; on words
// (s32, u32) or two halves of a word (s16x2, u16x2), optionally clamped at 0 (relu).
#ifndef GCLUSTER_DPX_H
#define GCLUSTER_DPX_H

#include "gcluster_base.h"

enum __gcl_dpx_operation { __gcl_dpx_addmax, __gcl_dpx_addmin, __gcl_dpx_max3, __gcl_dpx_min3 };

/// One operation on numbers of which none is below `__low`, the result clamped to that as well.
/// `__sum` is a + b, wrapped around.
__GCL_BOTH long long __gcl_dpx(__gcl_dpx_operation __operation, long long __a, long long __b,
                               long long __c, long long __sum, long long __low) {
    long long __x = __sum;
    if (__operation == __gcl_dpx_max3)
        __x = __a > __b ? __a : __b;
    else if (__operation == __gcl_dpx_min3)
        __x = __a < __b ? __a : __b;
    if (__operation == __gcl_dpx_addmax || __operation == __gcl_dpx_max3)
        __x = __x > __c ? __x : __c;
    else
        __x = __x < __c ? __x : __c;
    return __x < __low ? __low : __x;
}
__GCL_BOTH int __gcl_dpx_s32(__gcl_dpx_operation __operation, int __a, int __b, int __c,
                             int __low) {
    int __sum = (int)((unsigned int)__a + (unsigned int)__b);
    return (int)__gcl_dpx(__operation, __a, __b, __c, __sum, __low);
}
__GCL_BOTH unsigned int __gcl_dpx_s16x2(__gcl_dpx_operation __operation, unsigned int __a,
                                        unsigned int __b, unsigned int __c, int __low) {
    unsigned int __result = 0;
    for (int __at = 0; __at < 32; __at += 16) {
        short __x = (short)(__a >> __at), __y = (short)(__b >> __at), __z = (short)(__c >> __at);
        short __half = (short)__gcl_dpx(__operation, __x, __y, __z, (short)(__x + __y), __low);
        __result |= (unsigned int)(unsigned short)__half << __at;
    }
    return __result;
}
__GCL_BOTH unsigned int __gcl_dpx_u16x2(__gcl_dpx_operation __operation, unsigned int __a,
                                        unsigned int __b, unsigned int __c) {
    unsigned int __result = 0;
    for (int __at = 0; __at < 32; __at += 16) {
        unsigned short __x = (unsigned short)(__a >> __at), __y = (unsigned short)(__b >> __at);
        unsigned short __z = (unsigned short)(__c >> __at), __sum = (unsigned short)(__x + __y);
        __result |= (unsigned int)__gcl_dpx(__operation, __x, __y, __z, __sum, 0) << __at;
    }
    return __result;
}

/// All versions of an operation on three numbers.
#define __GCL_DPX_ALL(__name, __operation)                                                         \
    __GCL_BOTH int __name##_s32(int __a, int __b, int __c) {                                       \
        return __gcl_dpx_s32(__operation, __a, __b, __c, -2147483647 - 1);                         \
    }                                                                                              \
    __GCL_BOTH int __name##_s32_relu(int __a, int __b, int __c) {                                  \
        return __gcl_dpx_s32(__operation, __a, __b, __c, 0);                                       \
    }                                                                                              \
    __GCL_BOTH unsigned int __name##_u32(unsigned int __a, unsigned int __b, unsigned int __c) {   \
        return (unsigned int)__gcl_dpx(__operation, __a, __b, __c, __a + __b, 0);                  \
    }                                                                                              \
    __GCL_BOTH unsigned int __name##_s16x2(unsigned int __a, unsigned int __b, unsigned int __c) { \
        return __gcl_dpx_s16x2(__operation, __a, __b, __c, -32768);                                \
    }                                                                                              \
    __GCL_BOTH unsigned int __name##_s16x2_relu(unsigned int __a, unsigned int __b,                \
                                                unsigned int __c) {                                \
        return __gcl_dpx_s16x2(__operation, __a, __b, __c, 0);                                     \
    }                                                                                              \
    __GCL_BOTH unsigned int __name##_u16x2(unsigned int __a, unsigned int __b, unsigned int __c) { \
        return __gcl_dpx_u16x2(__operation, __a, __b, __c);                                        \
    }
__GCL_DPX_ALL(__viaddmax, __gcl_dpx_addmax)
__GCL_DPX_ALL(__viaddmin, __gcl_dpx_addmin)
__GCL_DPX_ALL(__vimax3, __gcl_dpx_max3)
__GCL_DPX_ALL(__vimin3, __gcl_dpx_min3)
#undef __GCL_DPX_ALL

/// Those of two numbers are clamped, or say which one it was.
#define __GCL_DPX_TWO(__name, __three, __compare)                                                  \
    __GCL_BOTH int __vi##__name##_s32_relu(int __a, int __b) {                                     \
        return __three##_s32_relu(__a, __b, __b);                                                  \
    }                                                                                              \
    __GCL_BOTH unsigned int __vi##__name##_s16x2_relu(unsigned int __a, unsigned int __b) {        \
        return __three##_s16x2_relu(__a, __b, __b);                                                \
    }                                                                                              \
    __GCL_BOTH int __vib##__name##_s32(int __a, int __b, bool *__is_first) {                       \
        return (*__is_first = __a __compare __b) ? __a : __b;                                      \
    }                                                                                              \
    __GCL_BOTH unsigned int __vib##__name##_u32(unsigned int __a, unsigned int __b,                \
                                                bool *__is_first) {                                \
        return (*__is_first = __a __compare __b) ? __a : __b;                                      \
    }                                                                                              \
    __GCL_DPX_CHOICE(__name, __three, s16x2, short, __compare)                                     \
    __GCL_DPX_CHOICE(__name, __three, u16x2, unsigned short, __compare)
#define __GCL_DPX_CHOICE(__name, __three, __kind, __type, __compare)                               \
    __GCL_BOTH unsigned int __vib##__name##_##__kind(                                              \
        unsigned int __a, unsigned int __b, bool *__high_is_first, bool *__low_is_first) {         \
        *__high_is_first = (__type)(__a >> 16) __compare(__type)(__b >> 16);                       \
        *__low_is_first = (__type)__a __compare(__type) __b;                                       \
        return __three##_##__kind(__a, __b, __b);                                                  \
    }
__GCL_DPX_TWO(max, __vimax3, >=)
__GCL_DPX_TWO(min, __vimin3, <=)
#undef __GCL_DPX_TWO
#undef __GCL_DPX_CHOICE

#endif
