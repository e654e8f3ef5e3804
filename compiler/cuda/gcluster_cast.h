// Conversions with the rounding mode in the name, and reinterpretation of bits.
//
// To integers they saturate; a NaN becomes 0, or, from a double or to 64 bits, the integer whose
// highest bit alone is set (PTX ISA, "cvt").
#ifndef GCLUSTER_CAST_H
#define GCLUSTER_CAST_H

#include "gcluster_rounding.h"

#include <limits.h>

/// `__to` from `__from`, in the four modes; the range of `__to` is [__low, __high), in `__from`.
#define __GCL_TO_INTEGER(__name, __from, __to, __low, __high, __minimum, __maximum, __nan,         \
                         __suffix)                                                                 \
    __GCL_DEVICE __to __name##_rz(__from __x) {                                                    \
        if (__x >= __high)                                                                         \
            return __maximum;                                                                      \
        if (__x >= __low)                                                                          \
            return (__to)__x;                                                                      \
        return __x < __low ? __minimum : __nan;                                                    \
    }                                                                                              \
    __GCL_DEVICE __to __name##_rn(__from __x) {                                                    \
        return __name##_rz(__builtin_rint##__suffix(__x));                                         \
    }                                                                                              \
    __GCL_DEVICE __to __name##_ru(__from __x) {                                                    \
        return __name##_rz(__builtin_ceil##__suffix(__x));                                         \
    }                                                                                              \
    __GCL_DEVICE __to __name##_rd(__from __x) {                                                    \
        return __name##_rz(__builtin_floor##__suffix(__x));                                        \
    }

__GCL_TO_INTEGER(__float2int, float, int, -0x1p31f, 0x1p31f, INT_MIN, INT_MAX, 0, f)
__GCL_TO_INTEGER(__float2uint, float, unsigned int, 0.0f, 0x1p32f, 0, UINT_MAX, 0, f)
__GCL_TO_INTEGER(__float2ll, float, long long, -0x1p63f, 0x1p63f, LLONG_MIN, LLONG_MAX, LLONG_MIN,
                 f)
__GCL_TO_INTEGER(__float2ull, float, unsigned long long, 0.0f, 0x1p64f, 0, ULLONG_MAX, 1ull << 63,
                 f)
__GCL_TO_INTEGER(__double2int, double, int, -0x1p31, 0x1p31, INT_MIN, INT_MAX, INT_MIN, )
__GCL_TO_INTEGER(__double2uint, double, unsigned int, 0.0, 0x1p32, 0, UINT_MAX, 1u << 31, )
__GCL_TO_INTEGER(__double2ll, double, long long, -0x1p63, 0x1p63, LLONG_MIN, LLONG_MAX, LLONG_MIN, )
__GCL_TO_INTEGER(__double2ull, double, unsigned long long, 0.0, 0x1p64, 0, ULLONG_MAX, 1ull << 63, )
#undef __GCL_TO_INTEGER

/// `__to` from the integer type `__from`, whose values are below `__high`, in the four modes.
#define __GCL_FROM_INTEGER(__name, __from, __to, __high)                                           \
    __GCL_DEVICE double __gcl_side_of##__name(__from __x, __to __nearest) {                        \
        if (__nearest >= __high)                                                                   \
            return -1.0;                                                                           \
        __from __back = (__from)__nearest;                                                         \
        return __back < __x ? 1.0 : __back > __x ? -1.0 : 0.0;                                     \
    }                                                                                              \
    __GCL_FROM_INTEGER_MODE(__name, __from, __to, rn)                                              \
    __GCL_FROM_INTEGER_MODE(__name, __from, __to, rz)                                              \
    __GCL_FROM_INTEGER_MODE(__name, __from, __to, ru)                                              \
    __GCL_FROM_INTEGER_MODE(__name, __from, __to, rd)
#define __GCL_FROM_INTEGER_MODE(__name, __from, __to, __mode)                                      \
    __GCL_DEVICE __to __name##_##__mode(__from __x) {                                              \
        return __gcl_round_##__mode((__to)__x, __gcl_side_of##__name(__x, (__to)__x));             \
    }

__GCL_FROM_INTEGER(__int2float, int, float, 0x1p31f)
__GCL_FROM_INTEGER(__uint2float, unsigned int, float, 0x1p32f)
__GCL_FROM_INTEGER(__ll2float, long long, float, 0x1p63f)
__GCL_FROM_INTEGER(__ull2float, unsigned long long, float, 0x1p64f)
__GCL_FROM_INTEGER(__ll2double, long long, double, 0x1p63)
__GCL_FROM_INTEGER(__ull2double, unsigned long long, double, 0x1p64)
#undef __GCL_FROM_INTEGER
#undef __GCL_FROM_INTEGER_MODE

__GCL_DEVICE double __int2double_rn(int __x) {
    return __x;
}
__GCL_DEVICE double __uint2double_rn(unsigned int __x) {
    return __x;
}

#define __GCL_NARROW(__mode)                                                                       \
    __GCL_DEVICE float __double2float_##__mode(double __x) {                                       \
        float __nearest = (float)__x;                                                              \
        return __gcl_round_##__mode(__nearest, __x - __nearest);                                   \
    }
__GCL_NARROW(rn)
__GCL_NARROW(rz)
__GCL_NARROW(ru)
__GCL_NARROW(rd)
#undef __GCL_NARROW

#define __GCL_BITS(__name, __from, __to)                                                           \
    __GCL_DEVICE __to __name(__from __x) {                                                         \
        return __builtin_bit_cast(__to, __x);                                                      \
    }
__GCL_BITS(__float_as_int, float, int)
__GCL_BITS(__float_as_uint, float, unsigned int)
__GCL_BITS(__int_as_float, int, float)
__GCL_BITS(__uint_as_float, unsigned int, float)
__GCL_BITS(__double_as_longlong, double, long long)
__GCL_BITS(__longlong_as_double, long long, double)
__GCL_BITS(__double_as_ulonglong, double, unsigned long long)
__GCL_BITS(__ulonglong_as_double, unsigned long long, double)
#undef __GCL_BITS

__GCL_DEVICE int __double2hiint(double __x) {
    return (int)(__builtin_bit_cast(unsigned long long, __x) >> 32);
}
__GCL_DEVICE int __double2loint(double __x) {
    return (int)__builtin_bit_cast(unsigned long long, __x);
}
__GCL_DEVICE double __hiloint2double(int __high, int __low) {
    unsigned long long __bits = (unsigned long long)(unsigned int)__high << 32;
    return __builtin_bit_cast(double, __bits | (unsigned int)__low);
}

#endif
