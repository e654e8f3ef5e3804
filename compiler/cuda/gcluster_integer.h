// Integer intrinsics: bits, wide products, averages, dot products of bytes.
#ifndef GCLUSTER_INTEGER_H
#define GCLUSTER_INTEGER_H

#include "vector_types.h"

__GCL_DEVICE int __clz(int __x) {
    return __x ? __builtin_clz((unsigned int)__x) : 32;
}
__GCL_DEVICE int __clzll(long long __x) {
    return __x ? __builtin_clzll((unsigned long long)__x) : 64;
}
/// Number, from 1, of the lowest bit that is set; 0 if none is.
__GCL_DEVICE int __ffs(int __x) {
    return __builtin_ffs(__x);
}
__GCL_DEVICE int __ffsll(long long __x) {
    return __builtin_ffsll(__x);
}
__GCL_DEVICE int __popc(unsigned int __x) {
    return __builtin_popcount(__x);
}
__GCL_DEVICE int __popcll(unsigned long long __x) {
    return __builtin_popcountll(__x);
}
__GCL_DEVICE unsigned int __brev(unsigned int __x) {
    return __builtin_bitreverse32(__x);
}
__GCL_DEVICE unsigned long long __brevll(unsigned long long __x) {
    return __builtin_bitreverse64(__x);
}

/// Byte i of the result is byte `(__selector >> 4 i) & 7` of y:x.
__GCL_DEVICE unsigned int __byte_perm(unsigned int __x, unsigned int __y, unsigned int __selector) {
    unsigned long long __bytes = (unsigned long long)__y << 32 | __x;
    unsigned int __result = 0;
    for (int __i = 0; __i < 4; __i++) {
        unsigned int __which = __selector >> 4 * __i & 7;
        __result |= (unsigned int)(__bytes >> 8 * __which & 0xff) << 8 * __i;
    }
    return __result;
}

/// Bit number of the `__nth` set bit of `__mask`, counted from bit `__base`, downwards if negative;
/// ~0 if there is none. 0 asks whether bit `__base` itself is set.
__GCL_DEVICE unsigned int __fns(unsigned int __mask, unsigned int __base, int __nth) {
    if (__nth == 0)
        return __mask >> (__base & 31) & 1 ? __base : ~0u;
    int __step = __nth < 0 ? -1 : 1, __left = __nth < 0 ? -__nth : __nth;
    for (int __bit = (int)__base; __bit >= 0 && __bit < 32; __bit += __step) {
        if (__mask >> __bit & 1 && --__left == 0)
            return (unsigned int)__bit;
    }
    return ~0u;
}

// Shifts of high:low as one number of 64 bits; _l gives its upper half, _r its lower.
__GCL_DEVICE unsigned int __funnelshift_l(unsigned int __low, unsigned int __high,
                                          unsigned int __shift) {
    unsigned long long __both = (unsigned long long)__high << 32 | __low;
    return (unsigned int)(__both << (__shift & 31) >> 32);
}
__GCL_DEVICE unsigned int __funnelshift_r(unsigned int __low, unsigned int __high,
                                          unsigned int __shift) {
    unsigned long long __both = (unsigned long long)__high << 32 | __low;
    return (unsigned int)(__both >> (__shift & 31));
}
__GCL_DEVICE unsigned int __funnelshift_lc(unsigned int __low, unsigned int __high,
                                           unsigned int __shift) {
    return __shift >= 32 ? __low : __funnelshift_l(__low, __high, __shift);
}
__GCL_DEVICE unsigned int __funnelshift_rc(unsigned int __low, unsigned int __high,
                                           unsigned int __shift) {
    return __shift >= 32 ? __high : __funnelshift_r(__low, __high, __shift);
}

__GCL_DEVICE int __mulhi(int __x, int __y) {
    return (int)((long long)__x * __y >> 32);
}
__GCL_DEVICE unsigned int __umulhi(unsigned int __x, unsigned int __y) {
    return (unsigned int)((unsigned long long)__x * __y >> 32);
}
__GCL_DEVICE long long __mul64hi(long long __x, long long __y) {
    return (long long)((__int128)__x * __y >> 64);
}
__GCL_DEVICE unsigned long long __umul64hi(unsigned long long __x, unsigned long long __y) {
    return (unsigned long long)((unsigned __int128)__x * __y >> 64);
}
/// The low 32 bits of the product of the low 24 bits of each.
__GCL_DEVICE int __mul24(int __x, int __y) {
    int __a = (int)((unsigned int)__x << 8) >> 8, __b = (int)((unsigned int)__y << 8) >> 8;
    return (int)((unsigned int)__a * (unsigned int)__b);
}
__GCL_DEVICE unsigned int __umul24(unsigned int __x, unsigned int __y) {
    return (__x & 0xffffff) * (__y & 0xffffff);
}

__GCL_DEVICE unsigned int __sad(int __x, int __y, unsigned int __z) {
    return (__x > __y ? (unsigned int)__x - (unsigned int)__y
                      : (unsigned int)__y - (unsigned int)__x) +
           __z;
}
__GCL_DEVICE unsigned int __usad(unsigned int __x, unsigned int __y, unsigned int __z) {
    return (__x > __y ? __x - __y : __y - __x) + __z;
}
// Averages, without overflow; those with an r round up.
__GCL_DEVICE int __hadd(int __x, int __y) {
    return (int)(((long long)__x + __y) >> 1);
}
__GCL_DEVICE int __rhadd(int __x, int __y) {
    return (int)(((long long)__x + __y + 1) >> 1);
}
__GCL_DEVICE unsigned int __uhadd(unsigned int __x, unsigned int __y) {
    return (unsigned int)(((unsigned long long)__x + __y) >> 1);
}
__GCL_DEVICE unsigned int __urhadd(unsigned int __x, unsigned int __y) {
    return (unsigned int)(((unsigned long long)__x + __y + 1) >> 1);
}

// Dot products: four bytes with four bytes; two halves with the lower or upper two bytes.
__GCL_DEVICE int __gcl_byte(int __x, int __i) {
    return (signed char)(__x >> 8 * __i);
}
__GCL_DEVICE unsigned int __gcl_byte(unsigned int __x, int __i) {
    return (unsigned char)(__x >> 8 * __i);
}
__GCL_DEVICE int __gcl_half_word(int __x, int __i) {
    return (short)(__x >> 16 * __i);
}
__GCL_DEVICE unsigned int __gcl_half_word(unsigned int __x, int __i) {
    return (unsigned short)(__x >> 16 * __i);
}

#define __GCL_DOT(__type, __bytes, __halves)                                                       \
    __GCL_DEVICE __type __dp4a(__type __a, __type __b, __type __c) {                               \
        unsigned int __sum = (unsigned int)__c;                                                    \
        for (int __i = 0; __i < 4; __i++)                                                          \
            __sum += (unsigned int)(__gcl_byte(__a, __i) * __gcl_byte(__b, __i));                  \
        return (__type)__sum;                                                                      \
    }                                                                                              \
    __GCL_DEVICE __type __dp2a_lo(__type __a, __type __b, __type __c) {                            \
        return (__type)((unsigned int)__c +                                                        \
                        (unsigned int)(__gcl_half_word(__a, 0) * __gcl_byte(__b, 0)) +             \
                        (unsigned int)(__gcl_half_word(__a, 1) * __gcl_byte(__b, 1)));             \
    }                                                                                              \
    __GCL_DEVICE __type __dp2a_hi(__type __a, __type __b, __type __c) {                            \
        return (__type)((unsigned int)__c +                                                        \
                        (unsigned int)(__gcl_half_word(__a, 0) * __gcl_byte(__b, 2)) +             \
                        (unsigned int)(__gcl_half_word(__a, 1) * __gcl_byte(__b, 3)));             \
    }                                                                                              \
    __GCL_DEVICE __type __dp4a(__bytes __a, __bytes __b, __type __c) {                             \
        return __dp4a(__builtin_bit_cast(__type, __a), __builtin_bit_cast(__type, __b), __c);      \
    }                                                                                              \
    __GCL_DEVICE __type __dp2a_lo(__halves __a, __bytes __b, __type __c) {                         \
        return __dp2a_lo(__builtin_bit_cast(__type, __a), __builtin_bit_cast(__type, __b), __c);   \
    }                                                                                              \
    __GCL_DEVICE __type __dp2a_hi(__halves __a, __bytes __b, __type __c) {                         \
        return __dp2a_hi(__builtin_bit_cast(__type, __a), __builtin_bit_cast(__type, __b), __c);   \
    }
__GCL_DOT(int, char4, short2)
__GCL_DOT(unsigned int, uchar4, ushort2)
#undef __GCL_DOT

#endif
