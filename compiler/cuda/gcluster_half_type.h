// A 16-bit floating-point type, its pair, and every conversion. Included once for __half and once
// for __nv_bfloat16 by the header that names them; so there is no include guard.
//
// The including header defines
//   __GCL_HALF, __GCL_PAIR      the type and the type of two of them
//   __GCL_HALF_RAW, __GCL_PAIR_RAW   the same as plain bits
//   __GCL_FORMAT                struct with __widen (bits → float) and __narrow (float → bits)
//   __GCL_BROADCAST             the name of the function that makes a pair of one value twice
//   __GCL_ONE(a, b), __GCL_TWO(a, b)   the names a##half##b and a##half2##b, or bfloat16's
//
// Values are stored as bits, computed as float and rounded after every operation. Wider values are
// first rounded to an odd float: that keeps the information which later roundings need, so that
// each conversion rounds as if once.

struct __GCL_HALF_RAW {
    unsigned short x;
} __attribute__((aligned(2)));

struct __GCL_PAIR_RAW {
    unsigned short x;
    unsigned short y;
} __attribute__((aligned(4)));

struct __GCL_OTHER_HALF;

struct __GCL_HALF {
    unsigned short __x;

    __GCL_HALF() = default;

    __GCL_HALF_MEMBER constexpr __GCL_HALF(const __GCL_HALF_RAW &__raw) : __x(__raw.x) {
    }

    explicit __GCL_HALF_MEMBER __GCL_HALF(const __GCL_OTHER_HALF &__value);

    __GCL_HALF_MEMBER volatile __GCL_HALF &operator=(const __GCL_HALF_RAW &__raw) volatile {
        __x = __raw.x;
        return *this;
    }

    __GCL_HALF_MEMBER operator __GCL_HALF_RAW() const {
        return {__x};
    }

    __GCL_HALF_MEMBER operator __GCL_HALF_RAW() const volatile {
        return {__x};
    }

#ifndef __GCL_NO_HALF_CONVERSIONS
    __GCL_HALF_MEMBER __GCL_HALF(float __value) : __x(__gcl_narrow_rn<__GCL_FORMAT>(__value)) {
    }

    __GCL_HALF_MEMBER __GCL_HALF(double __value)
        : __x(__gcl_narrow_rn<__GCL_FORMAT>(__gcl_odd_float(__value))) {
    }

    __GCL_HALF_MEMBER operator float() const {
        return __GCL_FORMAT::__widen(__x);
    }

    __GCL_HALF_MEMBER operator bool() const {
        return (__x & 0x7fff) != 0;
    }

#define __GCL_FROM_INTEGER(__type)                                                                 \
    __GCL_HALF_MEMBER __GCL_HALF(__type __value)                                                   \
        : __x(__GCL_FORMAT::__narrow(__gcl_odd_float(__value))) {                                  \
    }
#define __GCL_TO_INTEGER(__type)                                                                   \
    __GCL_HALF_MEMBER operator __type() const {                                                    \
        return __gcl_to_integer<__type>(__GCL_FORMAT::__widen(__x));                               \
    }
    __GCL_FROM_INTEGER(short)
    __GCL_FROM_INTEGER(unsigned short)
    __GCL_FROM_INTEGER(int)
    __GCL_FROM_INTEGER(unsigned)
    __GCL_FROM_INTEGER(long)
    __GCL_FROM_INTEGER(unsigned long)
    __GCL_FROM_INTEGER(long long)
    __GCL_FROM_INTEGER(unsigned long long)
    __GCL_TO_INTEGER(char)
    __GCL_TO_INTEGER(signed char)
    __GCL_TO_INTEGER(unsigned char)
    __GCL_TO_INTEGER(short)
    __GCL_TO_INTEGER(unsigned short)
    __GCL_TO_INTEGER(int)
    __GCL_TO_INTEGER(unsigned)
    __GCL_TO_INTEGER(long)
    __GCL_TO_INTEGER(unsigned long)
    __GCL_TO_INTEGER(long long)
    __GCL_TO_INTEGER(unsigned long long)
#undef __GCL_FROM_INTEGER
#undef __GCL_TO_INTEGER
#endif
} __attribute__((aligned(2)));

struct __GCL_PAIR {
    __GCL_HALF x;
    __GCL_HALF y;

    __GCL_PAIR() = default;

    __GCL_HALF_MEMBER constexpr __GCL_PAIR(const __GCL_HALF &__low, const __GCL_HALF &__high)
        : x(__low), y(__high) {
    }

    __GCL_HALF_MEMBER constexpr __GCL_PAIR(const __GCL_PAIR_RAW &__raw)
        : x(__GCL_HALF_RAW{__raw.x}), y(__GCL_HALF_RAW{__raw.y}) {
    }

    __GCL_HALF_MEMBER operator __GCL_PAIR_RAW() const {
        return {x.__x, y.__x};
    }
} __attribute__((aligned(4)));

// ---- Bits ----

__GCL_BOTH __GCL_HALF __GCL_ONE(__ushort_as_, )(unsigned short __bits) {
    return __GCL_HALF_RAW{__bits};
}

__GCL_BOTH __GCL_HALF __GCL_ONE(__short_as_, )(short __bits) {
    return __GCL_HALF_RAW{(unsigned short)__bits};
}

__GCL_BOTH unsigned short __GCL_ONE(__, _as_ushort)(__GCL_HALF __value) {
    return __value.__x;
}

__GCL_BOTH short __GCL_ONE(__, _as_short)(__GCL_HALF __value) {
    return (short)__value.__x;
}

// ---- From and to float and double ----

__GCL_BOTH float __GCL_ONE(__, 2float)(__GCL_HALF __value) {
    return __GCL_FORMAT::__widen(__value.__x);
}

__GCL_BOTH __GCL_HALF __GCL_ONE(__float2, )(float __value) {
    return __GCL_HALF_RAW{__gcl_narrow_rn<__GCL_FORMAT>(__value)};
}

__GCL_BOTH __GCL_HALF __GCL_ONE(__float2, _rn)(float __value) {
    return __GCL_HALF_RAW{__gcl_narrow_rn<__GCL_FORMAT>(__value)};
}

__GCL_BOTH __GCL_HALF __GCL_ONE(__float2, _rz)(float __value) {
    return __GCL_HALF_RAW{__gcl_narrow_rz<__GCL_FORMAT>(__value)};
}

__GCL_BOTH __GCL_HALF __GCL_ONE(__float2, _rd)(float __value) {
    return __GCL_HALF_RAW{__gcl_narrow_rd<__GCL_FORMAT>(__value)};
}

__GCL_BOTH __GCL_HALF __GCL_ONE(__float2, _ru)(float __value) {
    return __GCL_HALF_RAW{__gcl_narrow_ru<__GCL_FORMAT>(__value)};
}

__GCL_BOTH __GCL_HALF __GCL_ONE(__double2, )(double __value) {
    return __GCL_HALF_RAW{__gcl_narrow_rn<__GCL_FORMAT>(__gcl_odd_float(__value))};
}

// ---- From and to integers ----

// rn rounds to nearest, rz towards zero, rd down, ru up. What doesn't fit an integer becomes its
// nearest value, and a NaN what __gcl_to_integer says.
#define __GCL_INTEGER(__type, __tag)                                                               \
    __GCL_BOTH __GCL_HALF __GCL_ONE(__##__tag##2, _rn)(__type __value) {                           \
        return __GCL_HALF_RAW{__GCL_FORMAT::__narrow(__gcl_odd_float(__value))};                   \
    }                                                                                              \
    __GCL_BOTH __GCL_HALF __GCL_ONE(__##__tag##2, _rz)(__type __value) {                           \
        return __GCL_HALF_RAW{__gcl_narrow_rz<__GCL_FORMAT>(__gcl_odd_float(__value))};            \
    }                                                                                              \
    __GCL_BOTH __GCL_HALF __GCL_ONE(__##__tag##2, _rd)(__type __value) {                           \
        return __GCL_HALF_RAW{__gcl_narrow_rd<__GCL_FORMAT>(__gcl_odd_float(__value))};            \
    }                                                                                              \
    __GCL_BOTH __GCL_HALF __GCL_ONE(__##__tag##2, _ru)(__type __value) {                           \
        return __GCL_HALF_RAW{__gcl_narrow_ru<__GCL_FORMAT>(__gcl_odd_float(__value))};            \
    }                                                                                              \
    __GCL_BOTH __type __GCL_ONE(__, 2##__tag##_rn)(__GCL_HALF __value) {                           \
        return __gcl_to_integer<__type>(__builtin_rintf(__GCL_FORMAT::__widen(__value.__x)));      \
    }                                                                                              \
    __GCL_BOTH __type __GCL_ONE(__, 2##__tag##_rz)(__GCL_HALF __value) {                           \
        return __gcl_to_integer<__type>(__GCL_FORMAT::__widen(__value.__x));                       \
    }                                                                                              \
    __GCL_BOTH __type __GCL_ONE(__, 2##__tag##_rd)(__GCL_HALF __value) {                           \
        return __gcl_to_integer<__type>(__builtin_floorf(__GCL_FORMAT::__widen(__value.__x)));     \
    }                                                                                              \
    __GCL_BOTH __type __GCL_ONE(__, 2##__tag##_ru)(__GCL_HALF __value) {                           \
        return __gcl_to_integer<__type>(__builtin_ceilf(__GCL_FORMAT::__widen(__value.__x)));      \
    }
__GCL_INTEGER(short, short)
__GCL_INTEGER(unsigned short, ushort)
__GCL_INTEGER(int, int)
__GCL_INTEGER(unsigned, uint)
__GCL_INTEGER(long long, ll)
__GCL_INTEGER(unsigned long long, ull)
#undef __GCL_INTEGER

__GCL_BOTH signed char __GCL_ONE(__, 2char_rz)(__GCL_HALF __value) {
    return __gcl_to_integer<signed char>(__GCL_FORMAT::__widen(__value.__x));
}

__GCL_BOTH unsigned char __GCL_ONE(__, 2uchar_rz)(__GCL_HALF __value) {
    return __gcl_to_integer<unsigned char>(__GCL_FORMAT::__widen(__value.__x));
}

// ---- Pairs ----

__GCL_BOTH __GCL_PAIR __GCL_TWO(make_, )(__GCL_HALF __low, __GCL_HALF __high) {
    return __GCL_PAIR(__low, __high);
}

__GCL_BOTH __GCL_PAIR __GCL_TWO(__halves2, )(__GCL_HALF __low, __GCL_HALF __high) {
    return __GCL_PAIR(__low, __high);
}

__GCL_BOTH __GCL_PAIR __GCL_BROADCAST(__GCL_HALF __value) {
    return __GCL_PAIR(__value, __value);
}

__GCL_BOTH __GCL_PAIR __GCL_TWO(__float2, _rn)(float __value) {
    __GCL_HALF __half_value = __GCL_ONE(__float2, _rn)(__value);
    return __GCL_PAIR(__half_value, __half_value);
}

__GCL_BOTH __GCL_PAIR __GCL_TWO(__floats2, _rn)(float __low, float __high) {
    return __GCL_PAIR(__GCL_ONE(__float2, _rn)(__low), __GCL_ONE(__float2, _rn)(__high));
}

__GCL_BOTH __GCL_PAIR __GCL_TWO(__float22, _rn)(float2 __values) {
    return __GCL_TWO(__floats2, _rn)(__values.x, __values.y);
}

__GCL_BOTH float2 __GCL_TWO(__, 2float2)(__GCL_PAIR __values) {
    float2 __result;
    __result.x = __GCL_ONE(__, 2float)(__values.x);
    __result.y = __GCL_ONE(__, 2float)(__values.y);
    return __result;
}

__GCL_BOTH float __low2float(__GCL_PAIR __values) {
    return __GCL_ONE(__, 2float)(__values.x);
}

__GCL_BOTH float __high2float(__GCL_PAIR __values) {
    return __GCL_ONE(__, 2float)(__values.y);
}

__GCL_BOTH __GCL_HALF __GCL_ONE(__low2, )(__GCL_PAIR __values) {
    return __values.x;
}

__GCL_BOTH __GCL_HALF __GCL_ONE(__high2, )(__GCL_PAIR __values) {
    return __values.y;
}

__GCL_BOTH __GCL_PAIR __GCL_TWO(__low2, )(__GCL_PAIR __values) {
    return __GCL_PAIR(__values.x, __values.x);
}

__GCL_BOTH __GCL_PAIR __GCL_TWO(__high2, )(__GCL_PAIR __values) {
    return __GCL_PAIR(__values.y, __values.y);
}

__GCL_BOTH __GCL_PAIR __GCL_TWO(__lows2, )(__GCL_PAIR __left, __GCL_PAIR __right) {
    return __GCL_PAIR(__left.x, __right.x);
}

__GCL_BOTH __GCL_PAIR __GCL_TWO(__highs2, )(__GCL_PAIR __left, __GCL_PAIR __right) {
    return __GCL_PAIR(__left.y, __right.y);
}

__GCL_BOTH __GCL_PAIR __lowhigh2highlow(__GCL_PAIR __values) {
    return __GCL_PAIR(__values.y, __values.x);
}
