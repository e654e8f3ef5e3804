// IEEE half precision: __half (also half, __nv_half), __half2 and their functions, for host and
// device. Conversions and types are in gcluster_half_type.h, arithmetic in gcluster_half_math.h.
#ifndef GCLUSTER_CUDA_FP16_H
#define GCLUSTER_CUDA_FP16_H
#define __CUDA_FP16_H__ // programs ask for it

#include "gcluster_half_round.h"

#ifdef __cplusplus

struct __gcl_fp16 {
#ifdef __FLT16_MANT_DIG__
    static __GCL_HALF_MEMBER float __widen(unsigned short __bits) {
        return (float)__builtin_bit_cast(_Float16, __bits);
    }

    static __GCL_HALF_MEMBER unsigned short __narrow(float __value) {
        return __builtin_bit_cast(unsigned short, (_Float16)__value);
    }
#else
    static __GCL_HALF_MEMBER float __widen(unsigned short __bits) {
        unsigned __sign = (unsigned)(__bits & 0x8000) << 16;
        unsigned __magnitude = (unsigned)(__bits & 0x7fff) << 13;
        if (__magnitude >= 0x0f800000u)
            return __gcl_bits_float(__sign | __magnitude | 0x7f800000u);
        // Scaling by 2^112 moves the exponent's bias, also for subnormal numbers.
        return __gcl_bits_float(__sign | __magnitude) * 5.192297e+33f;
    }

    static __GCL_HALF_MEMBER unsigned short __narrow(float __value) {
        unsigned __bits = __gcl_float_bits(__value);
        unsigned short __sign = (unsigned short)((__bits >> 16) & 0x8000u);
        __bits &= 0x7fffffffu;
        if (__bits > 0x7f800000u)
            return __sign | 0x7e00;
        if (__bits >= 0x477ff000u)
            return __sign | 0x7c00;
        // Below the smallest normal number, adding 1/2 puts the last bit where a float ends.
        if (__bits < 0x38800000u)
            return __sign | (__gcl_float_bits(__gcl_bits_float(__bits) + 0.5f) - 0x3f000000u);
        __bits += 0xfffu + ((__bits >> 13) & 1) - 0x38000000u;
        return __sign | (unsigned short)(__bits >> 13);
    }
#endif

    static __GCL_HALF_MEMBER unsigned short __fma(float __left, float __right, float __added) {
        __GCL_EXACT
        // The product is exact, and wherever the sum isn't, its error is far below half's last bit.
        return __narrow(__gcl_odd_float((double)__left * (double)__right + (double)__added));
    }
};

#define __GCL_HALF __half
#define __GCL_PAIR __half2
#define __GCL_HALF_RAW __half_raw
#define __GCL_PAIR_RAW __half2_raw
#define __GCL_OTHER_HALF __nv_bfloat16
#define __GCL_FORMAT __gcl_fp16
#define __GCL_ONE(__before, __after) __before##half##__after
#define __GCL_TWO(__before, __after) __before##half2##__after
#define __GCL_BROADCAST __half2half2
#ifdef __CUDA_NO_HALF_CONVERSIONS__
#define __GCL_NO_HALF_CONVERSIONS
#endif
#ifdef __CUDA_NO_HALF_OPERATORS__
#define __GCL_NO_HALF_OPERATORS
#endif
#ifdef __CUDA_NO_HALF2_OPERATORS__
#define __GCL_NO_PAIR_OPERATORS
#endif

#include "gcluster_half_type.h"

#include "gcluster_half_math.h"

#include "gcluster_half_undefine.h"

typedef __half __nv_half;
typedef __half2 __nv_half2;
typedef __half_raw __nv_half_raw;
typedef __half2_raw __nv_half2_raw;
typedef __half nv_half;
typedef __half2 nv_half2;
#ifndef CUDA_NO_HALF
typedef __half half;
typedef __half2 half2;
#endif

#define CUDART_INF_FP16 __ushort_as_half((unsigned short)0x7c00u)
#define CUDART_NAN_FP16 __ushort_as_half((unsigned short)0x7fffu)
#define CUDART_MIN_DENORM_FP16 __ushort_as_half((unsigned short)0x0001u)
#define CUDART_MAX_NORMAL_FP16 __ushort_as_half((unsigned short)0x7bffu)
#define CUDART_NEG_ZERO_FP16 __ushort_as_half((unsigned short)0x8000u)
#define CUDART_ZERO_FP16 __ushort_as_half((unsigned short)0x0000u)
#define CUDART_ONE_FP16 __ushort_as_half((unsigned short)0x3c00u)

#endif

#endif
