// Numbers of 8 bits, to store and convert: E4M3 (largest 448, no infinity) and E5M2 (the upper byte
// of a half), one, two or four together. Arithmetic is for the wider types.
#ifndef GCLUSTER_CUDA_FP8_H
#define GCLUSTER_CUDA_FP8_H
#define __CUDA_FP8_H__ // programs ask for it

#include "cuda_bf16.h"
#include "cuda_fp16.h"
#include "gcluster_narrow.h"

#ifdef __cplusplus

typedef unsigned char __nv_fp8_storage_t;
typedef unsigned short __nv_fp8x2_storage_t;
typedef unsigned int __nv_fp8x4_storage_t;

/// What becomes of numbers too large: infinity or NaN, or the largest finite number.
typedef enum __nv_saturation_t { __NV_NOSAT, __NV_SATFINITE } __nv_saturation_t;
typedef enum __nv_fp8_interpretation_t { __NV_E4M3, __NV_E5M2 } __nv_fp8_interpretation_t;

// ---- Conversions of bits ----

__GCL_BOTH __nv_fp8_storage_t __nv_cvt_float_to_fp8(float __value, __nv_saturation_t __saturate,
                                                    __nv_fp8_interpretation_t __format) {
    bool __e4m3 = __format == __NV_E4M3;
    unsigned __largest = __e4m3 ? 0x7e : 0x7b;
    unsigned __beyond = __saturate == __NV_SATFINITE ? __largest : __e4m3 ? 0x7f : 0x7c;
    unsigned __bits = __gcl_float_bits(__value);
    unsigned __sign = __bits >> 24 & 0x80;
    __bits &= 0x7fffffff;
    if (__bits > 0x7f800000)
        return 0x7f;
    int __dropped = __e4m3 ? 20 : 21;
    unsigned __bias = __e4m3 ? 120 : 112;
    unsigned __rounded;
    if (__bits < (__bias + 1) << 23) {
        // Where the type's numbers are equally spaced, a float of that spacing does the rounding.
        unsigned __spaced = (__bias + 1 + __dropped) << 23;
        float __sum = __gcl_bits_float(__bits) + __gcl_bits_float(__spaced);
        __rounded = __gcl_float_bits(__sum) - __spaced;
    } else {
        __bits += (1u << (__dropped - 1)) - 1 + (__bits >> __dropped & 1);
        __rounded = (__bits - (__bias << 23)) >> __dropped;
    }
    return (__nv_fp8_storage_t)(__sign | (__rounded > __largest ? __beyond : __rounded));
}

__GCL_BOTH __nv_fp8_storage_t __nv_cvt_double_to_fp8(double __value, __nv_saturation_t __saturate,
                                                     __nv_fp8_interpretation_t __format) {
    return __nv_cvt_float_to_fp8(__gcl_odd_float(__value), __saturate, __format);
}

__GCL_BOTH __nv_fp8_storage_t __nv_cvt_halfraw_to_fp8(__half_raw __value,
                                                      __nv_saturation_t __saturate,
                                                      __nv_fp8_interpretation_t __format) {
    return __nv_cvt_float_to_fp8(__gcl_fp16::__widen(__value.x), __saturate, __format);
}

__GCL_BOTH __nv_fp8_storage_t __nv_cvt_bfloat16raw_to_fp8(__nv_bfloat16_raw __value,
                                                          __nv_saturation_t __saturate,
                                                          __nv_fp8_interpretation_t __format) {
    return __nv_cvt_float_to_fp8(__gcl_bf16::__widen(__value.x), __saturate, __format);
}

#define __GCL_TO_PAIR(__name, __type, __single)                                                    \
    __GCL_BOTH __nv_fp8x2_storage_t __name(__type __values, __nv_saturation_t __saturate,          \
                                           __nv_fp8_interpretation_t __format) {                   \
        return (__nv_fp8x2_storage_t)(__single(__values.x, __saturate, __format) |                 \
                                      __single(__values.y, __saturate, __format) << 8);            \
    }
__GCL_TO_PAIR(__nv_cvt_float2_to_fp8x2, float2, __nv_cvt_float_to_fp8)
__GCL_TO_PAIR(__nv_cvt_double2_to_fp8x2, double2, __nv_cvt_double_to_fp8)
#undef __GCL_TO_PAIR

__GCL_BOTH __nv_fp8x2_storage_t __nv_cvt_halfraw2_to_fp8x2(__half2_raw __values,
                                                           __nv_saturation_t __saturate,
                                                           __nv_fp8_interpretation_t __format) {
    float2 __wide = __half22float2(__half2(__values));
    return __nv_cvt_float2_to_fp8x2(__wide, __saturate, __format);
}

__GCL_BOTH __nv_fp8x2_storage_t __nv_cvt_bfloat16raw2_to_fp8x2(__nv_bfloat162_raw __values,
                                                               __nv_saturation_t __saturate,
                                                               __nv_fp8_interpretation_t __format) {
    float2 __wide = __bfloat1622float2(__nv_bfloat162(__values));
    return __nv_cvt_float2_to_fp8x2(__wide, __saturate, __format);
}

/// Exact: a half holds every number of both formats.
__GCL_BOTH __half_raw __nv_cvt_fp8_to_halfraw(__nv_fp8_storage_t __bits,
                                              __nv_fp8_interpretation_t __format) {
    unsigned short __sign = (unsigned short)((__bits & 0x80) << 8), __magnitude = __bits & 0x7f;
    if (__magnitude > (__format == __NV_E5M2 ? 0x7c : 0x7e))
        return __half_raw{0x7fff};
    if (__format == __NV_E5M2)
        return __half_raw{(unsigned short)(__bits << 8)};
    float __value = __gcl_fp16::__widen((unsigned short)(__magnitude << 7)) * 256.0f;
    return __half_raw{(unsigned short)(__sign | __gcl_fp16::__narrow(__value))};
}

__GCL_BOTH __half2_raw __nv_cvt_fp8x2_to_halfraw2(__nv_fp8x2_storage_t __bits,
                                                  __nv_fp8_interpretation_t __format) {
    return __half2_raw{__nv_cvt_fp8_to_halfraw((__nv_fp8_storage_t)__bits, __format).x,
                       __nv_cvt_fp8_to_halfraw((__nv_fp8_storage_t)(__bits >> 8), __format).x};
}

// ---- Types ----

#define __GCL_FP8_FROM(__self, __type, __cast, __convert, __format)                                \
    explicit __GCL_HALF_MEMBER __self(__type __value)                                              \
        : __x(__convert((__cast)__value, __NV_SATFINITE, __format)) {                              \
    }
#define __GCL_FP8_SINGLE(__self, __format)                                                         \
    struct __self {                                                                                \
        __nv_fp8_storage_t __x;                                                                    \
        __self() = default;                                                                        \
        __GCL_FP8_FROM(__self, __half, __half_raw, __nv_cvt_halfraw_to_fp8, __format)              \
        __GCL_FP8_FROM(__self, __nv_bfloat16, __nv_bfloat16_raw, __nv_cvt_bfloat16raw_to_fp8,      \
                       __format)                                                                   \
        __GCL_FP8_FROM(__self, float, float, __nv_cvt_float_to_fp8, __format)                      \
        __GCL_FP8_FROM(__self, double, double, __nv_cvt_double_to_fp8, __format)                   \
        __GCL_FP8_FROM(__self, short, float, __nv_cvt_float_to_fp8, __format)                      \
        __GCL_FP8_FROM(__self, unsigned short, float, __nv_cvt_float_to_fp8, __format)             \
        __GCL_FP8_FROM(__self, int, double, __nv_cvt_double_to_fp8, __format)                      \
        __GCL_FP8_FROM(__self, unsigned, double, __nv_cvt_double_to_fp8, __format)                 \
        __GCL_FP8_FROM(__self, long, double, __nv_cvt_double_to_fp8, __format)                     \
        __GCL_FP8_FROM(__self, unsigned long, double, __nv_cvt_double_to_fp8, __format)            \
        __GCL_FP8_FROM(__self, long long, double, __nv_cvt_double_to_fp8, __format)                \
        __GCL_FP8_FROM(__self, unsigned long long, double, __nv_cvt_double_to_fp8, __format)       \
        explicit __GCL_HALF_MEMBER operator __half() const {                                       \
            return __nv_cvt_fp8_to_halfraw(__x, __format);                                         \
        }                                                                                          \
        explicit __GCL_HALF_MEMBER operator float() const {                                        \
            return __gcl_fp16::__widen(__nv_cvt_fp8_to_halfraw(__x, __format).x);                  \
        }                                                                                          \
        explicit __GCL_HALF_MEMBER operator double() const {                                       \
            return (double)(float)*this;                                                           \
        }                                                                                          \
        explicit __GCL_HALF_MEMBER operator __nv_bfloat16() const {                                \
            return __float2bfloat16_rn((float)*this);                                              \
        }                                                                                          \
        explicit __GCL_HALF_MEMBER operator bool() const {                                         \
            return (__x & 0x7f) != 0;                                                              \
        }                                                                                          \
        __GCL_FP8_INTEGER(char)                                                                    \
        __GCL_FP8_INTEGER(signed char)                                                             \
        __GCL_FP8_INTEGER(unsigned char)                                                           \
        __GCL_FP8_INTEGER(short)                                                                   \
        __GCL_FP8_INTEGER(unsigned short)                                                          \
        __GCL_FP8_INTEGER(int)                                                                     \
        __GCL_FP8_INTEGER(unsigned)                                                                \
        __GCL_FP8_INTEGER(long)                                                                    \
        __GCL_FP8_INTEGER(unsigned long)                                                           \
        __GCL_FP8_INTEGER(long long)                                                               \
        __GCL_FP8_INTEGER(unsigned long long)                                                      \
    };
#define __GCL_FP8_INTEGER(__type)                                                                  \
    explicit __GCL_HALF_MEMBER operator __type() const {                                           \
        return __gcl_to_integer<__type>((float)*this);                                             \
    }
__GCL_FP8_SINGLE(__nv_fp8_e4m3, __NV_E4M3)
__GCL_FP8_SINGLE(__nv_fp8_e5m2, __NV_E5M2)
#undef __GCL_FP8_SINGLE
#undef __GCL_FP8_INTEGER

// Two and four together: the first in the lowest byte.
#define __GCL_FP8_PAIR(__self, __format)                                                           \
    struct __self {                                                                                \
        __nv_fp8x2_storage_t __x;                                                                  \
        __self() = default;                                                                        \
        __GCL_FP8_FROM(__self, __half2, __half2_raw, __nv_cvt_halfraw2_to_fp8x2, __format)         \
        __GCL_FP8_FROM(__self, __nv_bfloat162, __nv_bfloat162_raw, __nv_cvt_bfloat16raw2_to_fp8x2, \
                       __format)                                                                   \
        __GCL_FP8_FROM(__self, float2, float2, __nv_cvt_float2_to_fp8x2, __format)                 \
        __GCL_FP8_FROM(__self, double2, double2, __nv_cvt_double2_to_fp8x2, __format)              \
        explicit __GCL_HALF_MEMBER operator __half2() const {                                      \
            return __nv_cvt_fp8x2_to_halfraw2(__x, __format);                                      \
        }                                                                                          \
        explicit __GCL_HALF_MEMBER operator float2() const {                                       \
            return __half22float2(__half2(*this));                                                 \
        }                                                                                          \
    };
__GCL_FP8_PAIR(__nv_fp8x2_e4m3, __NV_E4M3)
__GCL_FP8_PAIR(__nv_fp8x2_e5m2, __NV_E5M2)
#undef __GCL_FP8_PAIR

#define __GCL_FP8_FOUR(__self, __pair)                                                             \
    struct __self {                                                                                \
        __nv_fp8x4_storage_t __x;                                                                  \
        __self() = default;                                                                        \
        __GCL_HALF_MEMBER __self(__pair __low, __pair __high)                                      \
            : __x(__low.__x | (unsigned)__high.__x << 16) {                                        \
        }                                                                                          \
        explicit __GCL_HALF_MEMBER __self(__half2 __low, __half2 __high)                           \
            : __self(__pair(__low), __pair(__high)) {                                              \
        }                                                                                          \
        explicit __GCL_HALF_MEMBER __self(__nv_bfloat162 __low, __nv_bfloat162 __high)             \
            : __self(__pair(__low), __pair(__high)) {                                              \
        }                                                                                          \
        explicit __GCL_HALF_MEMBER __self(float4 __values)                                         \
            : __self(__pair(float2{__values.x, __values.y}),                                       \
                     __pair(float2{__values.z, __values.w})) {                                     \
        }                                                                                          \
        explicit __GCL_HALF_MEMBER __self(double4 __values)                                        \
            : __self(__pair(double2{__values.x, __values.y}),                                      \
                     __pair(double2{__values.z, __values.w})) {                                    \
        }                                                                                          \
        explicit __GCL_HALF_MEMBER operator float4() const {                                       \
            __pair __low, __high;                                                                  \
            __low.__x = (__nv_fp8x2_storage_t)__x;                                                 \
            __high.__x = (__nv_fp8x2_storage_t)(__x >> 16);                                        \
            float2 __first = (float2)__low, __second = (float2)__high;                             \
            return float4{__first.x, __first.y, __second.x, __second.y};                           \
        }                                                                                          \
    };
__GCL_FP8_FOUR(__nv_fp8x4_e4m3, __nv_fp8x2_e4m3)
__GCL_FP8_FOUR(__nv_fp8x4_e5m2, __nv_fp8x2_e5m2)
#undef __GCL_FP8_FOUR
#undef __GCL_FP8_FROM

// ---- E8M0: factors that are powers of two ----

#define __GCL_TO_E8M0(__type, __name, __wide, __float)                                             \
    __GCL_BOTH __nv_fp8_storage_t __nv_cvt_##__name##_to_e8m0(                                     \
        __type __value, __nv_saturation_t __saturate, cudaRoundMode __mode) {                      \
        return (__nv_fp8_storage_t)__gcl_e8m0::__narrow(__float(__value),                          \
                                                        __saturate == __NV_SATFINITE, __mode);     \
    }                                                                                              \
    __GCL_BOTH __nv_fp8x2_storage_t __nv_cvt_##__wide##_to_e8m0x2(                                 \
        __type##2 __values, __nv_saturation_t __saturate, cudaRoundMode __mode) {                  \
        return (                                                                                   \
            __nv_fp8x2_storage_t)(__nv_cvt_##__name##_to_e8m0(__values.x, __saturate, __mode) |    \
                                  __nv_cvt_##__name##_to_e8m0(__values.y, __saturate, __mode)      \
                                      << 8);                                                       \
    }
__GCL_TO_E8M0(float, float, float2, )
__GCL_TO_E8M0(double, double, double2, __gcl_odd_float)
#undef __GCL_TO_E8M0
__GCL_BOTH __nv_fp8_storage_t __nv_cvt_bfloat16raw_to_e8m0(__nv_bfloat16_raw __value,
                                                           __nv_saturation_t __saturate,
                                                           cudaRoundMode __mode) {
    return __nv_cvt_float_to_e8m0(__gcl_bf16::__widen(__value.x), __saturate, __mode);
}
__GCL_BOTH __nv_fp8x2_storage_t __nv_cvt_bfloat162raw_to_e8m0x2(__nv_bfloat162_raw __values,
                                                                __nv_saturation_t __saturate,
                                                                cudaRoundMode __mode) {
    float2 __wide = {__gcl_bf16::__widen(__values.x), __gcl_bf16::__widen(__values.y)};
    return __nv_cvt_float2_to_e8m0x2(__wide, __saturate, __mode);
}
__GCL_BOTH __nv_bfloat16_raw __nv_cvt_e8m0_to_bf16raw(__nv_fp8_storage_t __code) {
    return __nv_bfloat16_raw{(unsigned short)(__gcl_float_bits(__gcl_e8m0::__widen(__code)) >> 16)};
}
__GCL_BOTH __nv_bfloat162_raw __nv_cvt_e8m0x2_to_bf162raw(__nv_fp8x2_storage_t __codes) {
    return {__nv_cvt_e8m0_to_bf16raw((__nv_fp8_storage_t)__codes).x,
            __nv_cvt_e8m0_to_bf16raw((__nv_fp8_storage_t)(__codes >> 8)).x};
}

/// Types round up.
struct __gcl_fp8_e8m0 {
    typedef __nv_fp8x2_storage_t __two;
    typedef __nv_fp8x4_storage_t __four;
    __GCL_HALF_MEMBER static unsigned char __from(float __value) {
        return (unsigned char)__gcl_e8m0::__narrow(__value, true, cudaRoundPosInf);
    }
    __GCL_HALF_MEMBER static float __to(unsigned __code) {
        return __gcl_e8m0::__widen(__code & 255);
    }
};
__GCL_NARROW_TYPE(__nv_fp8_e8m0, __gcl_narrow<__gcl_fp8_e8m0>)
__GCL_NARROW_TYPE(__nv_fp8x2_e8m0, __gcl_narrow_pair<__gcl_fp8_e8m0, 8>)
__GCL_NARROW_TYPE(__nv_fp8x4_e8m0, __gcl_narrow_four<__gcl_fp8_e8m0, 8>)

#endif

#endif
