// Arithmetic, comparison, mathematics, atomics and warp shuffles of one 16-bit type; included as
// gcluster_half_type.h is, after it.
//
// The sum, difference, product, quotient and square root of two 16-bit numbers, rounded to float
// and then to 16 bits, are what one rounding gives: a float has more than twice their digits.

#define __GCL_H(__value) __GCL_FORMAT::__widen((__value).__x)
#define __GCL_R(__float_value) (__GCL_HALF(__GCL_HALF_RAW{__GCL_FORMAT::__narrow(__float_value)}))

// ---- Arithmetic ----

__GCL_BOTH __GCL_HALF __hneg(__GCL_HALF __value) {
    return __GCL_HALF_RAW{(unsigned short)(__value.__x ^ 0x8000)};
}

__GCL_BOTH __GCL_HALF __habs(__GCL_HALF __value) {
    return __GCL_HALF_RAW{(unsigned short)(__value.__x & 0x7fff)};
}

/// To [0, 1]; a NaN becomes 0.
__GCL_BOTH __GCL_HALF __gcl_unit(__GCL_HALF __value) {
    float __wide = __GCL_H(__value);
    return __GCL_R(__wide > 1.0f ? 1.0f : __wide > 0.0f ? __wide : 0.0f);
}

/// Negative numbers become 0; a NaN stays.
__GCL_BOTH __GCL_HALF __gcl_positive(__GCL_HALF __value) {
    return __GCL_H(__value) < 0.0f || __value.__x == 0x8000 ? __GCL_HALF(__GCL_HALF_RAW{0})
                                                            : __value;
}

// The _rn forms promise not to be fused with others, which here none ever is.
#define __GCL_ARITHMETIC(__name, __operator)                                                       \
    __GCL_BOTH __GCL_HALF __h##__name(__GCL_HALF __left, __GCL_HALF __right) {                     \
        __GCL_EXACT                                                                                \
        return __GCL_R(__GCL_H(__left) __operator __GCL_H(__right));                               \
    }                                                                                              \
    __GCL_BOTH __GCL_HALF __h##__name##_rn(__GCL_HALF __left, __GCL_HALF __right) {                \
        return __h##__name(__left, __right);                                                       \
    }                                                                                              \
    __GCL_BOTH __GCL_HALF __h##__name##_sat(__GCL_HALF __left, __GCL_HALF __right) {               \
        return __gcl_unit(__h##__name(__left, __right));                                           \
    }                                                                                              \
    __GCL_BOTH __GCL_PAIR __h##__name##2(__GCL_PAIR __left, __GCL_PAIR __right) {                  \
        return __GCL_PAIR(__h##__name(__left.x, __right.x), __h##__name(__left.y, __right.y));     \
    }                                                                                              \
    __GCL_BOTH __GCL_PAIR __h##__name##2_rn(__GCL_PAIR __left, __GCL_PAIR __right) {               \
        return __h##__name##2(__left, __right);                                                    \
    }                                                                                              \
    __GCL_BOTH __GCL_PAIR __h##__name##2_sat(__GCL_PAIR __left, __GCL_PAIR __right) {              \
        __GCL_PAIR __result = __h##__name##2(__left, __right);                                     \
        return __GCL_PAIR(__gcl_unit(__result.x), __gcl_unit(__result.y));                         \
    }
__GCL_ARITHMETIC(add, +)
__GCL_ARITHMETIC(sub, -)
__GCL_ARITHMETIC(mul, *)
#undef __GCL_ARITHMETIC

__GCL_BOTH __GCL_HALF __hdiv(__GCL_HALF __left, __GCL_HALF __right) {
    __GCL_EXACT
    return __GCL_R(__GCL_H(__left) / __GCL_H(__right));
}

__GCL_BOTH __GCL_HALF __hfma(__GCL_HALF __left, __GCL_HALF __right, __GCL_HALF __added) {
    return __GCL_HALF_RAW{__GCL_FORMAT::__fma(__GCL_H(__left), __GCL_H(__right), __GCL_H(__added))};
}

__GCL_BOTH __GCL_HALF __hfma_sat(__GCL_HALF __left, __GCL_HALF __right, __GCL_HALF __added) {
    return __gcl_unit(__hfma(__left, __right, __added));
}

__GCL_BOTH __GCL_HALF __hfma_relu(__GCL_HALF __left, __GCL_HALF __right, __GCL_HALF __added) {
    return __gcl_positive(__hfma(__left, __right, __added));
}

__GCL_BOTH __GCL_PAIR __hneg2(__GCL_PAIR __value) {
    return __GCL_PAIR(__hneg(__value.x), __hneg(__value.y));
}

__GCL_BOTH __GCL_PAIR __habs2(__GCL_PAIR __value) {
    return __GCL_PAIR(__habs(__value.x), __habs(__value.y));
}

__GCL_BOTH __GCL_PAIR __h2div(__GCL_PAIR __left, __GCL_PAIR __right) {
    return __GCL_PAIR(__hdiv(__left.x, __right.x), __hdiv(__left.y, __right.y));
}

#define __GCL_FUSED(__suffix)                                                                      \
    __GCL_BOTH __GCL_PAIR __hfma2##__suffix(__GCL_PAIR __left, __GCL_PAIR __right,                 \
                                            __GCL_PAIR __added) {                                  \
        return __GCL_PAIR(__hfma##__suffix(__left.x, __right.x, __added.x),                        \
                          __hfma##__suffix(__left.y, __right.y, __added.y));                       \
    }
__GCL_FUSED()
__GCL_FUSED(_sat)
__GCL_FUSED(_relu)
#undef __GCL_FUSED

/// Complex left * right + added, real part in x.
__GCL_BOTH __GCL_PAIR __hcmadd(__GCL_PAIR __left, __GCL_PAIR __right, __GCL_PAIR __added) {
    __GCL_HALF __product_x = __hfma(__left.x, __right.x, __added.x);
    __GCL_HALF __product_y = __hfma(__left.x, __right.y, __added.y);
    return __GCL_PAIR(__hfma(__hneg(__left.y), __right.y, __product_x),
                      __hfma(__left.y, __right.x, __product_y));
}

// ---- Comparison ----

__GCL_BOTH bool __hisnan(__GCL_HALF __value) {
    return __GCL_H(__value) != __GCL_H(__value);
}

/// 1 for infinity, -1 for minus infinity, else 0.
__GCL_BOTH int __hisinf(__GCL_HALF __value) {
    float __wide = __GCL_H(__value);
    return __wide == __builtin_inff() ? 1 : __wide == -__builtin_inff() ? -1 : 0;
}

__GCL_BOTH __GCL_PAIR __hisnan2(__GCL_PAIR __value) {
    return __GCL_PAIR(__GCL_R(__hisnan(__value.x) ? 1.0f : 0.0f),
                      __GCL_R(__hisnan(__value.y) ? 1.0f : 0.0f));
}

// Each relation as bool, as 1.0 or 0.0 per element (2), as a mask per element, and for both (b).
#define __GCL_RELATION(__name, __expression)                                                       \
    __GCL_BOTH bool __h##__name(__GCL_HALF __left, __GCL_HALF __right) {                           \
        float __a = __GCL_H(__left), __b = __GCL_H(__right);                                       \
        return __expression;                                                                       \
    }                                                                                              \
    __GCL_BOTH __GCL_PAIR __h##__name##2(__GCL_PAIR __left, __GCL_PAIR __right) {                  \
        return __GCL_PAIR(__GCL_R(__h##__name(__left.x, __right.x) ? 1.0f : 0.0f),                 \
                          __GCL_R(__h##__name(__left.y, __right.y) ? 1.0f : 0.0f));                \
    }                                                                                              \
    __GCL_BOTH unsigned __h##__name##2_mask(__GCL_PAIR __left, __GCL_PAIR __right) {               \
        return (__h##__name(__left.x, __right.x) ? 0x0000ffffu : 0u) |                             \
               (__h##__name(__left.y, __right.y) ? 0xffff0000u : 0u);                              \
    }                                                                                              \
    __GCL_BOTH bool __hb##__name##2(__GCL_PAIR __left, __GCL_PAIR __right) {                       \
        return __h##__name(__left.x, __right.x) && __h##__name(__left.y, __right.y);               \
    }
__GCL_RELATION(eq, __a == __b)
__GCL_RELATION(ne, __a<__b || __a> __b)
__GCL_RELATION(lt, __a < __b)
__GCL_RELATION(le, __a <= __b)
__GCL_RELATION(gt, __a > __b)
__GCL_RELATION(ge, __a >= __b)
// True also if one is a NaN.
__GCL_RELATION(equ, !(__a < __b || __a > __b))
__GCL_RELATION(neu, !(__a == __b))
__GCL_RELATION(ltu, !(__a >= __b))
__GCL_RELATION(leu, !(__a > __b))
__GCL_RELATION(gtu, !(__a <= __b))
__GCL_RELATION(geu, !(__a < __b))
#undef __GCL_RELATION

// -0 is less than +0. Of a number and a NaN, the number; with _nan, the NaN.
#define __GCL_EXTREMUM(__name, __relation, __sign)                                                 \
    __GCL_BOTH __GCL_HALF __h##__name(__GCL_HALF __left, __GCL_HALF __right) {                     \
        float __a = __GCL_H(__left), __b = __GCL_H(__right);                                       \
        bool __take =                                                                              \
            __a __relation __b || (__a == __b && (__left.__x & 0x8000) == __sign) || __b != __b;   \
        return __take ? __left : __right;                                                          \
    }                                                                                              \
    __GCL_BOTH __GCL_HALF __h##__name##_nan(__GCL_HALF __left, __GCL_HALF __right) {               \
        if (__hisnan(__left) || __hisnan(__right))                                                 \
            return __GCL_HALF_RAW{0x7fff};                                                         \
        return __h##__name(__left, __right);                                                       \
    }                                                                                              \
    __GCL_BOTH __GCL_PAIR __h##__name##2(__GCL_PAIR __left, __GCL_PAIR __right) {                  \
        return __GCL_PAIR(__h##__name(__left.x, __right.x), __h##__name(__left.y, __right.y));     \
    }                                                                                              \
    __GCL_BOTH __GCL_PAIR __h##__name##2_nan(__GCL_PAIR __left, __GCL_PAIR __right) {              \
        return __GCL_PAIR(__h##__name##_nan(__left.x, __right.x),                                  \
                          __h##__name##_nan(__left.y, __right.y));                                 \
    }
__GCL_EXTREMUM(max, >, 0)
__GCL_EXTREMUM(min, <, 0x8000)
#undef __GCL_EXTREMUM

// ---- Mathematics: computed as float, rounded once more ----

#define __GCL_FUNCTION(__name, __expression)                                                       \
    __GCL_BOTH __GCL_HALF h##__name(__GCL_HALF __value) {                                          \
        float __a = __GCL_H(__value);                                                              \
        return __GCL_R(__expression);                                                              \
    }                                                                                              \
    __GCL_BOTH __GCL_PAIR h2##__name(__GCL_PAIR __value) {                                         \
        return __GCL_PAIR(h##__name(__value.x), h##__name(__value.y));                             \
    }
__GCL_FUNCTION(sqrt, __builtin_sqrtf(__a))
__GCL_FUNCTION(rsqrt, 1.0f / __builtin_sqrtf(__a))
__GCL_FUNCTION(rcp, 1.0f / __a)
__GCL_FUNCTION(exp, __builtin_expf(__a))
__GCL_FUNCTION(exp2, __builtin_exp2f(__a))
__GCL_FUNCTION(exp10, __builtin_exp10f(__a))
__GCL_FUNCTION(log, __builtin_logf(__a))
__GCL_FUNCTION(log2, __builtin_log2f(__a))
__GCL_FUNCTION(log10, __builtin_log10f(__a))
__GCL_FUNCTION(sin, __builtin_sinf(__a))
__GCL_FUNCTION(cos, __builtin_cosf(__a))
__GCL_FUNCTION(tanh, __builtin_tanhf(__a))
__GCL_FUNCTION(tanh_approx, __builtin_tanhf(__a))
__GCL_FUNCTION(floor, __builtin_floorf(__a))
__GCL_FUNCTION(ceil, __builtin_ceilf(__a))
__GCL_FUNCTION(trunc, __builtin_truncf(__a))
__GCL_FUNCTION(rint, __builtin_rintf(__a))
#undef __GCL_FUNCTION

// ---- Operators ----

#ifndef __GCL_NO_HALF_OPERATORS
#define __GCL_OPERATOR(__operator, __name)                                                         \
    __GCL_BOTH __GCL_HALF operator __operator(const __GCL_HALF &__left,                            \
                                              const __GCL_HALF &__right) {                         \
        return __h##__name(__left, __right);                                                       \
    }                                                                                              \
    __GCL_BOTH __GCL_HALF &operator __operator##=(__GCL_HALF & __left,                             \
                                                  const __GCL_HALF & __right) {                    \
        return __left = __h##__name(__left, __right);                                              \
    }
__GCL_OPERATOR(+, add)
__GCL_OPERATOR(-, sub)
__GCL_OPERATOR(*, mul)
__GCL_OPERATOR(/, div)
#undef __GCL_OPERATOR

__GCL_BOTH __GCL_HALF operator+(const __GCL_HALF &__value) {
    return __value;
}

__GCL_BOTH __GCL_HALF operator-(const __GCL_HALF &__value) {
    return __hneg(__value);
}

#define __GCL_OPERATOR(__operator, __name)                                                         \
    __GCL_BOTH __GCL_HALF &operator __operator(__GCL_HALF & __value) {                             \
        return __value = __h##__name(__value, __GCL_R(1.0f));                                      \
    }                                                                                              \
    __GCL_BOTH __GCL_HALF operator __operator(__GCL_HALF &__value, int) {                          \
        __GCL_HALF __before = __value;                                                             \
        __value = __h##__name(__value, __GCL_R(1.0f));                                             \
        return __before;                                                                           \
    }
__GCL_OPERATOR(++, add)
__GCL_OPERATOR(--, sub)
#undef __GCL_OPERATOR

#define __GCL_OPERATOR(__operator, __name)                                                         \
    __GCL_BOTH bool operator __operator(const __GCL_HALF &__left, const __GCL_HALF &__right) {     \
        return __h##__name(__left, __right);                                                       \
    }
__GCL_OPERATOR(==, eq)
__GCL_OPERATOR(!=, neu)
__GCL_OPERATOR(<, lt)
__GCL_OPERATOR(<=, le)
__GCL_OPERATOR(>, gt)
__GCL_OPERATOR(>=, ge)
#undef __GCL_OPERATOR
#endif

#ifndef __GCL_NO_PAIR_OPERATORS
#define __GCL_OPERATOR(__operator, __name)                                                         \
    __GCL_BOTH __GCL_PAIR operator __operator(const __GCL_PAIR &__left,                            \
                                              const __GCL_PAIR &__right) {                         \
        return __h##__name(__left, __right);                                                       \
    }                                                                                              \
    __GCL_BOTH __GCL_PAIR &operator __operator##=(__GCL_PAIR & __left,                             \
                                                  const __GCL_PAIR & __right) {                    \
        return __left = __h##__name(__left, __right);                                              \
    }
__GCL_OPERATOR(+, add2)
__GCL_OPERATOR(-, sub2)
__GCL_OPERATOR(*, mul2)
__GCL_OPERATOR(/, 2div)
#undef __GCL_OPERATOR

__GCL_BOTH __GCL_PAIR operator+(const __GCL_PAIR &__value) {
    return __value;
}

__GCL_BOTH __GCL_PAIR operator-(const __GCL_PAIR &__value) {
    return __hneg2(__value);
}

#define __GCL_OPERATOR(__operator, __name)                                                         \
    __GCL_BOTH __GCL_PAIR &operator __operator(__GCL_PAIR & __value) {                             \
        return __value = __h##__name(__value, __GCL_PAIR(__GCL_R(1.0f), __GCL_R(1.0f)));           \
    }                                                                                              \
    __GCL_BOTH __GCL_PAIR operator __operator(__GCL_PAIR &__value, int) {                          \
        __GCL_PAIR __before = __value;                                                             \
        __value = __h##__name(__value, __GCL_PAIR(__GCL_R(1.0f), __GCL_R(1.0f)));                  \
        return __before;                                                                           \
    }
__GCL_OPERATOR(++, add2)
__GCL_OPERATOR(--, sub2)
#undef __GCL_OPERATOR

#define __GCL_OPERATOR(__operator, __name)                                                         \
    __GCL_BOTH bool operator __operator(const __GCL_PAIR &__left, const __GCL_PAIR &__right) {     \
        return __hb##__name(__left, __right);                                                      \
    }
__GCL_OPERATOR(==, eq2)
__GCL_OPERATOR(!=, neu2)
__GCL_OPERATOR(<, lt2)
__GCL_OPERATOR(<=, le2)
__GCL_OPERATOR(>, gt2)
__GCL_OPERATOR(>=, ge2)
#undef __GCL_OPERATOR
#endif

// ---- Device only: shuffles, cache hints, atomics ----

#ifdef __CUDA__

// The bits travel as an unsigned integer.
#define __GCL_SHUFFLE(__name, __argument)                                                          \
    __GCL_DEVICE __GCL_HALF __name(unsigned __mask, __GCL_HALF __value, __argument __lane,         \
                                   int __width = 32) {                                             \
        return __GCL_HALF_RAW{                                                                     \
            (unsigned short)::__name(__mask, (unsigned)__value.__x, __lane, __width)};             \
    }                                                                                              \
    __GCL_DEVICE __GCL_PAIR __name(unsigned __mask, __GCL_PAIR __value, __argument __lane,         \
                                   int __width = 32) {                                             \
        return __builtin_bit_cast(                                                                 \
            __GCL_PAIR, ::__name(__mask, __builtin_bit_cast(unsigned, __value), __lane, __width)); \
    }
__GCL_SHUFFLE(__shfl_sync, int)
__GCL_SHUFFLE(__shfl_up_sync, unsigned)
__GCL_SHUFFLE(__shfl_down_sync, unsigned)
__GCL_SHUFFLE(__shfl_xor_sync, int)
#undef __GCL_SHUFFLE

#define __GCL_LOAD(__name)                                                                         \
    __GCL_DEVICE __GCL_HALF __name(const __GCL_HALF *__address) {                                  \
        return *__address;                                                                         \
    }                                                                                              \
    __GCL_DEVICE __GCL_PAIR __name(const __GCL_PAIR *__address) {                                  \
        return *__address;                                                                         \
    }
__GCL_LOAD(__ldg)
__GCL_LOAD(__ldcg)
__GCL_LOAD(__ldca)
__GCL_LOAD(__ldcs)
__GCL_LOAD(__ldlu)
__GCL_LOAD(__ldcv)
#undef __GCL_LOAD

#define __GCL_STORE(__name)                                                                        \
    __GCL_DEVICE void __name(__GCL_HALF *__address, __GCL_HALF __value) {                          \
        *__address = __value;                                                                      \
    }                                                                                              \
    __GCL_DEVICE void __name(__GCL_PAIR *__address, __GCL_PAIR __value) {                          \
        *__address = __value;                                                                      \
    }
__GCL_STORE(__stwb)
__GCL_STORE(__stcg)
__GCL_STORE(__stcs)
__GCL_STORE(__stwt)
#undef __GCL_STORE

__GCL_DEVICE __GCL_HALF atomicAdd(__GCL_HALF *__address, __GCL_HALF __value) {
    unsigned short *__bits = &__address->__x;
    unsigned short __old = __atomic_load_n(__bits, __ATOMIC_RELAXED);
    while (!__atomic_compare_exchange_n(__bits, &__old, __hadd(__GCL_HALF_RAW{__old}, __value).__x,
                                        true, __ATOMIC_RELAXED, __ATOMIC_RELAXED))
        ;
    return __GCL_HALF_RAW{__old};
}

// Each element is added atomically, not the pair; so the pair need not be aligned for one access.
__GCL_DEVICE __GCL_PAIR atomicAdd(__GCL_PAIR *__address, __GCL_PAIR __value) {
    return __GCL_PAIR(atomicAdd(&__address->x, __value.x), atomicAdd(&__address->y, __value.y));
}

#endif

#undef __GCL_H
#undef __GCL_R
