// The upper half of a float: __nv_bfloat16 (also nv_bfloat16), __nv_bfloat162 and their functions,
// for host and device, with the same sources as cuda_fp16.h.
#ifndef GCLUSTER_CUDA_BF16_H
#define GCLUSTER_CUDA_BF16_H
#define __CUDA_BF16_H__ // programs ask for it

#include "cuda_fp16.h"

#ifdef __cplusplus

struct __gcl_bf16 {
    static __GCL_HALF_MEMBER float __widen(unsigned short __bits) {
        return __gcl_bits_float((unsigned)__bits << 16);
    }

    static __GCL_HALF_MEMBER unsigned short __narrow(float __value) {
        unsigned __bits = __gcl_float_bits(__value);
        if (__value != __value)
            return 0x7fff;
        return (unsigned short)((__bits + 0x7fff + ((__bits >> 16) & 1)) >> 16);
    }

    static __GCL_HALF_MEMBER unsigned short __fma(float __left, float __right, float __added) {
        __GCL_EXACT
        // The product is exact. A far smaller summand may vanish in the sum just where it breaks a
        // tie; so the sum's error, which is exact too, turns its last bit odd.
        double __product = (double)__left * (double)__right;
        double __wide = (double)__added;
        double __sum = __product + __wide;
        double __part = __sum - __product;
        double __error = (__product - (__sum - __part)) + (__wide - __part);
        unsigned long long __bits = __builtin_bit_cast(unsigned long long, __sum);
        if (__error != 0.0 && __error == __error && !(__bits & 1))
            __bits += (__error > 0.0) == (__sum > 0.0) ? 1 : -1;
        return __narrow(__gcl_odd_float(__builtin_bit_cast(double, __bits)));
    }
};

#define __GCL_HALF __nv_bfloat16
#define __GCL_PAIR __nv_bfloat162
#define __GCL_HALF_RAW __nv_bfloat16_raw
#define __GCL_PAIR_RAW __nv_bfloat162_raw
#define __GCL_OTHER_HALF __half
#define __GCL_FORMAT __gcl_bf16
#define __GCL_ONE(__before, __after) __before##bfloat16##__after
#define __GCL_TWO(__before, __after) __before##bfloat162##__after
#define __GCL_BROADCAST __bfloat162bfloat162
#ifdef __CUDA_NO_BFLOAT16_CONVERSIONS__
#define __GCL_NO_HALF_CONVERSIONS
#endif
#ifdef __CUDA_NO_BFLOAT16_OPERATORS__
#define __GCL_NO_HALF_OPERATORS
#endif
#ifdef __CUDA_NO_BFLOAT162_OPERATORS__
#define __GCL_NO_PAIR_OPERATORS
#endif

#include "gcluster_half_type.h"

#include "gcluster_half_math.h"

#include "gcluster_half_undefine.h"

__GCL_HALF_MEMBER __half::__half(const __nv_bfloat16 &__value)
    : __x(__gcl_fp16::__narrow(__gcl_bf16::__widen(__value.__x))) {
}

__GCL_HALF_MEMBER __nv_bfloat16::__nv_bfloat16(const __half &__value)
    : __x(__gcl_bf16::__narrow(__gcl_fp16::__widen(__value.__x))) {
}

typedef __nv_bfloat16 nv_bfloat16;
typedef __nv_bfloat162 nv_bfloat162;
typedef __nv_bfloat16_raw nv_bfloat16_raw;
typedef __nv_bfloat162_raw nv_bfloat162_raw;

#define CUDART_INF_BF16 __ushort_as_bfloat16((unsigned short)0x7f80u)
#define CUDART_NAN_BF16 __ushort_as_bfloat16((unsigned short)0x7fffu)
#define CUDART_MIN_DENORM_BF16 __ushort_as_bfloat16((unsigned short)0x0001u)
#define CUDART_MAX_NORMAL_BF16 __ushort_as_bfloat16((unsigned short)0x7f7fu)
#define CUDART_NEG_ZERO_BF16 __ushort_as_bfloat16((unsigned short)0x8000u)
#define CUDART_ZERO_BF16 __ushort_as_bfloat16((unsigned short)0x0000u)
#define CUDART_ONE_BF16 __ushort_as_bfloat16((unsigned short)0x3f80u)

#endif

#endif
