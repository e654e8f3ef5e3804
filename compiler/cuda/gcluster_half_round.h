// Rounding that __half and __nv_bfloat16 share: exact ways from wider numbers down to 16 bits.
#ifndef GCLUSTER_HALF_ROUND_H
#define GCLUSTER_HALF_ROUND_H

#include "gcluster_base.h"
#include "vector_types.h"

#define __GCL_HALF_MEMBER __host__ __device__ __inline__ __attribute__((always_inline))

// Programs compiled for fast math must not reorder what makes these functions exact.
#ifdef __clang__
#define __GCL_EXACT _Pragma("clang fp contract(off) reassociate(off)")
#else
#define __GCL_EXACT
#endif

__GCL_BOTH unsigned __gcl_float_bits(float __value) {
    return __builtin_bit_cast(unsigned, __value);
}

__GCL_BOTH float __gcl_bits_float(unsigned __bits) {
    return __builtin_bit_cast(float, __bits);
}

/// The float next to `__value`, or itself if a float; of two neighbours the one with an odd last
/// bit. Rounding that again to at most 22 bits, in any direction, is as rounding `__value` once.
__GCL_BOTH float __gcl_odd_float(double __value) {
    __GCL_EXACT
    float __near = (float)__value;
    unsigned __bits = __gcl_float_bits(__near);
    if ((double)__near == __value || __value != __value || (__bits & 1))
        return __near;
    bool __too_large = __builtin_fabs((double)__near) > __builtin_fabs(__value);
    return __gcl_bits_float(__too_large ? __bits - 1 : __bits + 1);
}

__GCL_BOTH float __gcl_odd_float(unsigned long long __value) {
    // Bits that a double has no room for leave one bit behind, below all that matter.
    if (__value >> 53)
        __value = (__value & ~0xfffull) | ((__value & 0xfff) ? 0x800 : 0);
    return __gcl_odd_float((double)__value);
}

__GCL_BOTH float __gcl_odd_float(long long __value) {
    unsigned long long __bits = (unsigned long long)__value;
    return __value < 0 ? -__gcl_odd_float(0 - __bits) : __gcl_odd_float(__bits);
}

__GCL_BOTH float __gcl_odd_float(unsigned long __value) {
    return __gcl_odd_float((unsigned long long)__value);
}

__GCL_BOTH float __gcl_odd_float(long __value) {
    return __gcl_odd_float((long long)__value);
}

__GCL_BOTH float __gcl_odd_float(unsigned __value) {
    return __gcl_odd_float((double)__value);
}

__GCL_BOTH float __gcl_odd_float(int __value) {
    return __gcl_odd_float((double)__value);
}

__GCL_BOTH float __gcl_odd_float(unsigned short __value) {
    return (float)__value;
}

__GCL_BOTH float __gcl_odd_float(short __value) {
    return (float)__value;
}

#ifdef __cplusplus

// Directed rounding: to nearest, then one step of the bits where that went the wrong way. The bits
// count magnitudes, so that a step past the largest finite number is infinity and back.

/// To nearest, as conversions do: they make one NaN of all.
template <typename __format> __GCL_HALF_MEMBER unsigned short __gcl_narrow_rn(float __value) {
    return __value != __value ? (unsigned short)0x7fff : __format::__narrow(__value);
}

template <typename __format> __GCL_HALF_MEMBER unsigned short __gcl_narrow_rz(float __value) {
    unsigned short __bits = __gcl_narrow_rn<__format>(__value);
    float __near = __format::__widen(__bits);
    return __builtin_fabsf(__near) > __builtin_fabsf(__value) ? __bits - 1 : __bits;
}

template <typename __format> __GCL_HALF_MEMBER unsigned short __gcl_narrow_rd(float __value) {
    unsigned short __bits = __gcl_narrow_rn<__format>(__value);
    if (!(__format::__widen(__bits) > __value))
        return __bits;
    return (__bits & 0x8000) ? __bits + 1 : __bits - 1;
}

template <typename __format> __GCL_HALF_MEMBER unsigned short __gcl_narrow_ru(float __value) {
    unsigned short __bits = __gcl_narrow_rn<__format>(__value);
    if (!(__format::__widen(__bits) < __value))
        return __bits;
    return (__bits & 0x8000) ? __bits - 1 : __bits + 1;
}

/// Towards zero, to the type's nearest value if out of range; for a NaN 0, or of 64 bits the one
/// whose highest bit alone is set (PTX ISA, "cvt").
template <typename __T> __GCL_HALF_MEMBER __T __gcl_to_integer(float __value) {
    constexpr bool __has_sign = (__T)-1 < (__T)0;
    constexpr int __bits = 8 * sizeof(__T) - (__has_sign ? 1 : 0);
    constexpr __T __largest = (__T)(~0ull >> (64 - __bits));
    constexpr __T __smallest = __has_sign ? (__T)(-__largest - 1) : (__T)0;
    constexpr float __end = 2.0f * (float)(1ull << (__bits - 1));
    if (__value >= __end)
        return __largest;
    if (__value < (__has_sign ? -__end : 0.0f))
        return __smallest;
    if (__value == __value)
        return (__T)__value;
    return sizeof(__T) < 8 ? (__T)0 : (__T)(1ull << 63);
}

#endif

#endif
