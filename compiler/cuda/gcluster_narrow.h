// Numbers of 4 and 6 bits, and of 8 that are powers of two: conversions and what types of them have
// in common. Names and layouts are those of cuda_fp4.h, cuda_fp6.h and cuda_fp8.h.
#ifndef GCLUSTER_NARROW_H
#define GCLUSTER_NARROW_H

#include "cuda_bf16.h"
#include "cuda_fp16.h"
#include "device_types.h"

#ifdef __cplusplus

/// A format of `__fraction` bits behind the point, whose exponents begin at 1 - `__bias`;
/// `__largest` is the code of its largest number. There is no infinity, and no NaN: that becomes
/// the largest.
template <int __fraction, int __bias, unsigned __largest, unsigned __sign>
struct __gcl_narrow_bits {
    __GCL_HALF_MEMBER static unsigned __narrow(float __value, cudaRoundMode __mode) {
        unsigned __bits = __gcl_float_bits(__value), __magnitude = __bits & 0x7fffffff;
        bool __is_negative = __bits >> 31;
        if (__magnitude > 0x7f800000)
            return __largest;
        int __exponent = (int)(__magnitude >> 23) - 127;
        if (__exponent < 1 - __bias)
            __exponent = 1 - __bias;
        if (__exponent > 8)
            return __largest | (__is_negative ? __sign : 0);
        // Counted in the distance of neighbours: whole ones, and a rest, both exact.
        float __unit = __gcl_bits_float((unsigned)(__fraction - __exponent + 127) << 23);
        float __scaled = __gcl_bits_float(__magnitude) * __unit;
        unsigned __whole = (unsigned)__scaled;
        float __rest = __scaled - (float)__whole;
        bool __up = __mode == cudaRoundNearest  ? __rest > 0.5f || (__rest == 0.5f && (__whole & 1))
                    : __mode == cudaRoundPosInf ? __rest > 0 && !__is_negative
                    : __mode == cudaRoundMinInf ? __rest > 0 && __is_negative
                                                : false;
        unsigned __code =
            ((unsigned)(__exponent + __bias - 1) << __fraction) + __whole + (__up ? 1 : 0);
        return (__code > __largest ? __largest : __code) | (__is_negative ? __sign : 0);
    }

    __GCL_HALF_MEMBER static float __widen(unsigned __code) {
        int __exponent = (int)((__code & (__sign - 1)) >> __fraction);
        unsigned __digits = __code & ((1u << __fraction) - 1);
        if (__exponent > 0)
            __digits |= 1u << __fraction;
        else
            __exponent = 1;
        int __scale = __exponent - __bias - __fraction + 127;
        float __value = (float)__digits * __gcl_bits_float((unsigned)__scale << 23);
        return __code & __sign ? -__value : __value;
    }
};
typedef __gcl_narrow_bits<1, 1, 0x7, 0x8> __gcl_e2m1;
typedef __gcl_narrow_bits<3, 1, 0x1f, 0x20> __gcl_e2m3;
typedef __gcl_narrow_bits<2, 3, 0x1f, 0x20> __gcl_e3m2;

/// Powers of two from 2^-127 on; 0xff is NaN. Signs are left out.
struct __gcl_e8m0 {
    __GCL_HALF_MEMBER static unsigned __narrow(float __value, bool __saturates,
                                               cudaRoundMode __mode) {
        unsigned __magnitude = __gcl_float_bits(__value) & 0x7fffffff;
        if (__magnitude > 0x7f800000)
            return 0xff;
        unsigned __code = __magnitude >> 23;
        // Denormal numbers up to 2^-127 are that.
        unsigned __least = __code == 0 ? 0x400000 : __code << 23;
        if (__mode == cudaRoundPosInf && __magnitude > __least)
            __code++;
        return __code == 0xff && __saturates ? 0xfe : __code;
    }
    __GCL_HALF_MEMBER static float __widen(unsigned __code) {
        return __gcl_bits_float(__code == 0xff ? 0x7fffffff
                                : __code == 0  ? 0x400000
                                               : __code << 23);
    }
};

/// `type` is there for integers alone.
template <class __type> struct __gcl_integer_type {};
#define __GCL_IS_INTEGER(__type)                                                                   \
    template <> struct __gcl_integer_type<__type> {                                                \
        typedef __type type;                                                                       \
    };
__GCL_IS_INTEGER(char)
__GCL_IS_INTEGER(signed char)
__GCL_IS_INTEGER(unsigned char)
__GCL_IS_INTEGER(short)
__GCL_IS_INTEGER(unsigned short)
__GCL_IS_INTEGER(int)
__GCL_IS_INTEGER(unsigned)
__GCL_IS_INTEGER(long)
__GCL_IS_INTEGER(unsigned long)
__GCL_IS_INTEGER(long long)
__GCL_IS_INTEGER(unsigned long long)
#undef __GCL_IS_INTEGER

/// One number. `__format` converts from and to float.
template <class __format> struct __gcl_narrow {
    unsigned char __x;

    __gcl_narrow() = default;
    explicit __GCL_HALF_MEMBER __gcl_narrow(__half __value)
        : __x(__format::__from(__half2float(__value))) {
    }
    explicit __GCL_HALF_MEMBER __gcl_narrow(__nv_bfloat16 __value)
        : __x(__format::__from(__bfloat162float(__value))) {
    }
    explicit __GCL_HALF_MEMBER __gcl_narrow(float __value) : __x(__format::__from(__value)) {
    }
    explicit __GCL_HALF_MEMBER __gcl_narrow(double __value)
        : __x(__format::__from(__gcl_odd_float(__value))) {
    }
    template <class __type, class = typename __gcl_integer_type<__type>::type>
    explicit __GCL_HALF_MEMBER __gcl_narrow(__type __value)
        : __x(__format::__from(__gcl_odd_float(__value))) {
    }

    explicit __GCL_HALF_MEMBER operator float() const {
        return __format::__to(__x);
    }
    explicit __GCL_HALF_MEMBER operator double() const {
        return __format::__to(__x);
    }
    explicit __GCL_HALF_MEMBER operator __half() const {
        return __float2half_rn(__format::__to(__x));
    }
    explicit __GCL_HALF_MEMBER operator __nv_bfloat16() const {
        return __float2bfloat16_rn(__format::__to(__x));
    }
    explicit __GCL_HALF_MEMBER operator bool() const {
        return __format::__to(__x) != 0;
    }
    template <class __type, class = typename __gcl_integer_type<__type>::type>
    explicit __GCL_HALF_MEMBER operator __type() const {
        return __gcl_to_integer<__type>(__format::__to(__x));
    }
};

/// Two, the first in the lower `__bits`.
template <class __format, int __bits> struct __gcl_narrow_pair {
    typename __format::__two __x;

    __gcl_narrow_pair() = default;
    explicit __GCL_HALF_MEMBER __gcl_narrow_pair(float2 __v) : __x(__pack(__v.x, __v.y)) {
    }
    explicit __GCL_HALF_MEMBER __gcl_narrow_pair(double2 __v)
        : __x(__pack(__gcl_odd_float(__v.x), __gcl_odd_float(__v.y))) {
    }
    explicit __GCL_HALF_MEMBER __gcl_narrow_pair(__half2 __v)
        : __x(__pack(__half2float(__v.x), __half2float(__v.y))) {
    }
    explicit __GCL_HALF_MEMBER __gcl_narrow_pair(__nv_bfloat162 __v)
        : __x(__pack(__bfloat162float(__v.x), __bfloat162float(__v.y))) {
    }
    explicit __GCL_HALF_MEMBER operator float2() const {
        return {__format::__to(__x & __mask), __format::__to(__x >> __bits & __mask)};
    }
    explicit __GCL_HALF_MEMBER operator __half2() const {
        return __float22half2_rn((float2) * this);
    }
    explicit __GCL_HALF_MEMBER operator __nv_bfloat162() const {
        return __float22bfloat162_rn((float2) * this);
    }

  private:
    enum { __mask = (1 << __bits) - 1 };
    __GCL_HALF_MEMBER static typename __format::__two __pack(float __low, float __high) {
        return (typename __format::__two)(__format::__from(__low) | __format::__from(__high)
                                                                        << __bits);
    }
};

template <class __format, int __bits> struct __gcl_narrow_four {
    typedef __gcl_narrow_pair<__format, __bits> __pair;
    typename __format::__four __x;

    __gcl_narrow_four() = default;
    explicit __GCL_HALF_MEMBER __gcl_narrow_four(float4 __v)
        : __x(__pack(__pair(float2{__v.x, __v.y}), __pair(float2{__v.z, __v.w}))) {
    }
    explicit __GCL_HALF_MEMBER __gcl_narrow_four(double4 __v)
        : __x(__pack(__pair(double2{__v.x, __v.y}), __pair(double2{__v.z, __v.w}))) {
    }
    explicit __GCL_HALF_MEMBER __gcl_narrow_four(__half2 __low, __half2 __high)
        : __x(__pack(__pair(__low), __pair(__high))) {
    }
    explicit __GCL_HALF_MEMBER __gcl_narrow_four(__nv_bfloat162 __low, __nv_bfloat162 __high)
        : __x(__pack(__pair(__low), __pair(__high))) {
    }
    explicit __GCL_HALF_MEMBER operator float4() const {
        __pair __low, __high;
        __low.__x = (typename __format::__two)__x;
        __high.__x = (typename __format::__two)(__x >> 2 * __bits);
        float2 __first = (float2)__low, __second = (float2)__high;
        return {__first.x, __first.y, __second.x, __second.y};
    }

  private:
    __GCL_HALF_MEMBER static typename __format::__four __pack(__pair __low, __pair __high) {
        return (typename __format::__four)(__low.__x | (unsigned)__high.__x << 2 * __bits);
    }
};

/// What types of a format are made of, rounding as their constructors do.
template <class __codes, class __pair, class __quad> struct __gcl_narrow_format {
    typedef __pair __two;
    typedef __quad __four;
    __GCL_HALF_MEMBER static unsigned char __from(float __value) {
        return (unsigned char)__codes::__narrow(__value, cudaRoundNearest);
    }
    __GCL_HALF_MEMBER static float __to(unsigned __code) {
        return __codes::__widen(__code);
    }
};

/// Functions __nv_cvt_<type>_to_<name> and back, of formats that __choose_narrow and __choose_widen
/// tell apart.
#define __GCL_NARROW_FUNCTIONS(__name, __interpretation, __bits, __one, __two)                     \
    __GCL_BOTH __one __nv_cvt_float_to_##__name(float __value, __interpretation __format,          \
                                                cudaRoundMode __mode) {                            \
        return (__one)__gcl_to_##__name(__value, __format, __mode);                                \
    }                                                                                              \
    __GCL_BOTH __one __nv_cvt_double_to_##__name(double __value, __interpretation __format,        \
                                                 cudaRoundMode __mode) {                           \
        return (__one)__gcl_to_##__name(__gcl_odd_float(__value), __format, __mode);               \
    }                                                                                              \
    __GCL_BOTH __one __nv_cvt_halfraw_to_##__name(__half_raw __value, __interpretation __format,   \
                                                  cudaRoundMode __mode) {                          \
        return (__one)__gcl_to_##__name(__half2float(__half(__value)), __format, __mode);          \
    }                                                                                              \
    __GCL_BOTH __one __nv_cvt_bfloat16raw_to_##__name(                                             \
        __nv_bfloat16_raw __value, __interpretation __format, cudaRoundMode __mode) {              \
        return (__one)__gcl_to_##__name(__bfloat162float(__nv_bfloat16(__value)), __format,        \
                                        __mode);                                                   \
    }                                                                                              \
    __GCL_BOTH __two __nv_cvt_float2_to_##__name##x2(float2 __v, __interpretation __format,        \
                                                     cudaRoundMode __mode) {                       \
        return (__two)(__gcl_to_##__name(__v.x, __format, __mode) |                                \
                       __gcl_to_##__name(__v.y, __format, __mode) << __bits);                      \
    }                                                                                              \
    __GCL_BOTH __two __nv_cvt_double2_to_##__name##x2(double2 __v, __interpretation __format,      \
                                                      cudaRoundMode __mode) {                      \
        float2 __near = {__gcl_odd_float(__v.x), __gcl_odd_float(__v.y)};                          \
        return __nv_cvt_float2_to_##__name##x2(__near, __format, __mode);                          \
    }                                                                                              \
    __GCL_BOTH __two __nv_cvt_halfraw2_to_##__name##x2(__half2_raw __v, __interpretation __format, \
                                                       cudaRoundMode __mode) {                     \
        return __nv_cvt_float2_to_##__name##x2(__half22float2(__half2(__v)), __format, __mode);    \
    }                                                                                              \
    __GCL_BOTH __two __nv_cvt_bfloat16raw2_to_##__name##x2(                                        \
        __nv_bfloat162_raw __v, __interpretation __format, cudaRoundMode __mode) {                 \
        return __nv_cvt_float2_to_##__name##x2(__bfloat1622float2(__nv_bfloat162(__v)), __format,  \
                                               __mode);                                            \
    }                                                                                              \
    __GCL_BOTH __half_raw __nv_cvt_##__name##_to_halfraw(__one __code,                             \
                                                         __interpretation __format) {              \
        return __float2half_rn(__gcl_of_##__name(__code, __format));                               \
    }                                                                                              \
    __GCL_BOTH __half2_raw __nv_cvt_##__name##x2_to_halfraw2(__two __codes,                        \
                                                             __interpretation __format) {          \
        return {__nv_cvt_##__name##_to_halfraw(__codes & ((1 << __bits) - 1), __format).x,         \
                __nv_cvt_##__name##_to_halfraw((__one)(__codes >> __bits), __format).x};           \
    }

/// A type of CUDA's that is one of the templates above.
#define __GCL_NARROW_TYPE(__name, ...)                                                             \
    struct __name : __VA_ARGS__ {                                                                  \
        typedef __VA_ARGS__ __base;                                                                \
        using __base::__base;                                                                      \
        __name() = default;                                                                        \
    };

#endif

#endif
