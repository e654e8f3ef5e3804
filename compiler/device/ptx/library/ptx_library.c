// Instructions of PTX as functions of C, for many threads at a time. gcluster-cc carries this file
// as LLVM bitcode and puts in what the inline PTX of a program calls (ptx/library.c, which says how
// functions are named and take their operands).
//
// Definitions are those of the PTX ISA 8.5, "Instruction Set". Numbers of 16 bits are computed as
// float, or double where that isn't wide enough, and rounded to nearest once.
#include <stdbool.h>
#include <stdint.h>

#define INSTRUCTION(type, name) type __gcl_ptx_##name

static inline uint32_t bits_of(float x) {
    return __builtin_bit_cast(uint32_t, x);
}
static inline float from_bits(uint32_t x) {
    return __builtin_bit_cast(float, x);
}

// --- Integers

#define COUNT(bits, type, popcount, zeros)                                                         \
    INSTRUCTION(uint32_t, popc_b##bits)(type x) {                                                  \
        return (uint32_t)popcount(x);                                                              \
    }                                                                                              \
    INSTRUCTION(uint32_t, clz_b##bits)(type x) {                                                   \
        return x ? (uint32_t)zeros(x) : bits;                                                      \
    }                                                                                              \
    INSTRUCTION(uint32_t, bfind_u##bits)(type x) {                                                 \
        return x ? bits - 1 - (uint32_t)zeros(x) : UINT32_MAX;                                     \
    }                                                                                              \
    INSTRUCTION(uint32_t, bfind_shiftamt_u##bits)(type x) {                                        \
        return x ? (uint32_t)zeros(x) : UINT32_MAX;                                                \
    }                                                                                              \
    INSTRUCTION(uint32_t, bfind_s##bits)(type x) {                                                 \
        type y = x >> (bits - 1) ? ~x : x;                                                         \
        return y ? bits - 1 - (uint32_t)zeros(y) : UINT32_MAX;                                     \
    }                                                                                              \
    INSTRUCTION(uint32_t, bfind_shiftamt_s##bits)(type x) {                                        \
        type y = x >> (bits - 1) ? ~x : x;                                                         \
        return y ? (uint32_t)zeros(y) : UINT32_MAX;                                                \
    }                                                                                              \
    INSTRUCTION(type, brev_b##bits)(type x) {                                                      \
        return __builtin_bitreverse##bits(x);                                                      \
    }                                                                                              \
    INSTRUCTION(type, cnot_b##bits)(type x) {                                                      \
        return x == 0;                                                                             \
    }                                                                                              \
    INSTRUCTION(type, abs_s##bits)(type x) {                                                       \
        return x >> (bits - 1) ? -x : x;                                                           \
    }
COUNT(32, uint32_t, __builtin_popcount, __builtin_clz)
COUNT(64, uint64_t, __builtin_popcountll, __builtin_clzll)

/// The low `length` bits set, for any length.
static inline uint64_t low_bits(uint32_t length) {
    return length >= 64 ? UINT64_MAX : ((uint64_t)1 << length) - 1;
}

static inline uint64_t extract(uint64_t x, uint32_t at, uint32_t length, uint32_t bits,
                               bool is_signed) {
    at &= 255;
    length &= 255;
    uint32_t last = at + length > bits ? bits - 1 : at + length - 1;
    uint64_t sign = is_signed && length > 0 ? x >> (last & 63) & 1 : 0;
    uint64_t field = at >= bits ? 0 : x >> at;
    uint32_t known = at >= bits ? 0 : bits - at < length ? bits - at : length;
    return (field & low_bits(known)) | (sign ? ~low_bits(known) : 0);
}
INSTRUCTION(uint32_t, bfe_u32)(uint32_t x, uint32_t at, uint32_t length) {
    return (uint32_t)extract(x, at, length, 32, false);
}
INSTRUCTION(uint32_t, bfe_s32)(uint32_t x, uint32_t at, uint32_t length) {
    return (uint32_t)extract(x, at, length, 32, true);
}
INSTRUCTION(uint64_t, bfe_u64)(uint64_t x, uint32_t at, uint32_t length) {
    return extract(x, at, length, 64, false);
}
INSTRUCTION(uint64_t, bfe_s64)(uint64_t x, uint32_t at, uint32_t length) {
    return extract(x, at, length, 64, true);
}

static inline uint64_t insert(uint64_t field, uint64_t x, uint32_t at, uint32_t length,
                              uint32_t bits) {
    at &= 255;
    uint64_t place = at >= bits ? 0 : low_bits(length & 255) << at;
    return (x & ~place) | (place ? field << at & place : 0);
}
INSTRUCTION(uint32_t, bfi_b32)(uint32_t field, uint32_t x, uint32_t at, uint32_t length) {
    return (uint32_t)insert(field, x, at, length, 32);
}
INSTRUCTION(uint64_t, bfi_b64)(uint64_t field, uint64_t x, uint32_t at, uint32_t length) {
    return insert(field, x, at, length, 64);
}

/// A byte of y:x, or its sign in each bit.
static inline uint32_t pick(uint32_t x, uint32_t y, uint32_t selector) {
    uint64_t both = (uint64_t)y << 32 | x;
    uint32_t byte = (uint32_t)(both >> 8 * (selector & 7)) & 255;
    return selector & 8 ? (byte & 128 ? 255 : 0) : byte;
}
static inline uint32_t permute(uint32_t x, uint32_t y, uint32_t selectors) {
    uint32_t result = 0;
    for (unsigned i = 0; i < 4; i++)
        result |= pick(x, y, selectors >> 4 * i) << 8 * i;
    return result;
}
#define PERMUTE(mode, selectors)                                                                   \
    INSTRUCTION(uint32_t, prmt_b32##mode)(uint32_t x, uint32_t y, uint32_t n) {                    \
        uint32_t i = n & 3;                                                                        \
        (void)i;                                                                                   \
        return permute(x, y, selectors);                                                           \
    }
PERMUTE(, n)
PERMUTE(_f4e, 0x3210 + 0x1111 * i)
PERMUTE(_b4e, (0x5670 + 0x1111 * i) & 0x7777)
PERMUTE(_rc8, 0x1111 * i)
PERMUTE(_ecl, i == 0 ? 0x3210 : i == 1 ? 0x3211 : i == 2 ? 0x3222 : 0x3333)
PERMUTE(_ecr, i == 0 ? 0x0000 : i == 1 ? 0x1110 : i == 2 ? 0x2210 : 0x3210)
PERMUTE(_rc16, i & 1 ? 0x3232 : 0x1010)

static inline uint64_t both(uint32_t low, uint32_t high) {
    return (uint64_t)high << 32 | low;
}
static inline uint32_t clamp_to(uint32_t n, uint32_t most) {
    return n > most ? most : n;
}
INSTRUCTION(uint32_t, shf_l_wrap_b32)(uint32_t low, uint32_t high, uint32_t n) {
    return (uint32_t)(both(low, high) << (n & 31) >> 32);
}
INSTRUCTION(uint32_t, shf_r_wrap_b32)(uint32_t low, uint32_t high, uint32_t n) {
    return (uint32_t)(both(low, high) >> (n & 31));
}
INSTRUCTION(uint32_t, shf_l_clamp_b32)(uint32_t low, uint32_t high, uint32_t n) {
    return (uint32_t)(both(low, high) << clamp_to(n, 32) >> 32);
}
INSTRUCTION(uint32_t, shf_r_clamp_b32)(uint32_t low, uint32_t high, uint32_t n) {
    return (uint32_t)(both(low, high) >> clamp_to(n, 32));
}

INSTRUCTION(uint32_t, sad_u32)(uint32_t x, uint32_t y, uint32_t sum) {
    return sum + (x < y ? y - x : x - y);
}
INSTRUCTION(uint32_t, sad_s32)(int32_t x, int32_t y, uint32_t sum) {
    return sum + (x < y ? (uint32_t)y - (uint32_t)x : (uint32_t)x - (uint32_t)y);
}
static inline uint64_t product_24(uint32_t x, uint32_t y, bool is_signed) {
    int64_t a = (int32_t)(x << 8) >> 8, b = (int32_t)(y << 8) >> 8;
    return is_signed ? (uint64_t)(a * b) : (uint64_t)(x & 0xffffff) * (y & 0xffffff);
}
#define MULTIPLY_24(letter, is_signed)                                                             \
    INSTRUCTION(uint32_t, mul24_lo_##letter##32)(uint32_t x, uint32_t y) {                         \
        return (uint32_t)product_24(x, y, is_signed);                                              \
    }                                                                                              \
    INSTRUCTION(uint32_t, mul24_hi_##letter##32)(uint32_t x, uint32_t y) {                         \
        return (uint32_t)(product_24(x, y, is_signed) >> 16);                                      \
    }                                                                                              \
    INSTRUCTION(uint32_t, mad24_lo_##letter##32)(uint32_t x, uint32_t y, uint32_t z) {             \
        return (uint32_t)product_24(x, y, is_signed) + z;                                          \
    }
MULTIPLY_24(u, false)
MULTIPLY_24(s, true)

static inline int32_t part(uint32_t x, unsigned i, unsigned bits, bool is_signed) {
    uint32_t up = x << (32 - bits * (i + 1));
    return is_signed ? (int32_t)up >> (32 - bits) : (int32_t)(up >> (32 - bits));
}
#define PRODUCTS(a, a_signed, b, b_signed)                                                         \
    INSTRUCTION(uint32_t, dp4a_##a##32_##b##32)(uint32_t x, uint32_t y, uint32_t sum) {            \
        for (unsigned i = 0; i < 4; i++)                                                           \
            sum += (uint32_t)(part(x, i, 8, a_signed) * part(y, i, 8, b_signed));                  \
        return sum;                                                                                \
    }                                                                                              \
    INSTRUCTION(uint32_t, dp2a_lo_##a##32_##b##32)(uint32_t x, uint32_t y, uint32_t sum) {         \
        for (unsigned i = 0; i < 2; i++)                                                           \
            sum += (uint32_t)(part(x, i, 16, a_signed) * part(y, i, 8, b_signed));                 \
        return sum;                                                                                \
    }                                                                                              \
    INSTRUCTION(uint32_t, dp2a_hi_##a##32_##b##32)(uint32_t x, uint32_t y, uint32_t sum) {         \
        for (unsigned i = 0; i < 2; i++)                                                           \
            sum += (uint32_t)(part(x, i, 16, a_signed) * part(y, i + 2, 8, b_signed));             \
        return sum;                                                                                \
    }
PRODUCTS(u, false, u, false)
PRODUCTS(u, false, s, true)
PRODUCTS(s, true, u, false)
PRODUCTS(s, true, s, true)

#define SELECT(name, type)                                                                         \
    INSTRUCTION(type, slct_##name##_s32)(type x, type y, int32_t z) {                              \
        return z >= 0 ? x : y;                                                                     \
    }                                                                                              \
    INSTRUCTION(type, slct_##name##_f32)(type x, type y, float z) {                                \
        return z >= 0 ? x : y;                                                                     \
    }
SELECT(b32, uint32_t)
SELECT(u32, uint32_t)
SELECT(s32, uint32_t)
SELECT(f32, float)
SELECT(b64, uint64_t)
SELECT(u64, uint64_t)
SELECT(s64, uint64_t)
SELECT(f64, double)

// Video instructions: one operation on whole words and an addition, or on bytes and their sum.
INSTRUCTION(uint32_t, vadd_u32_u32_u32_add)(uint32_t x, uint32_t y, uint32_t z) {
    return x + y + z;
}
INSTRUCTION(uint32_t, vsub_u32_u32_u32_add)(uint32_t x, uint32_t y, uint32_t z) {
    return x - y + z;
}
INSTRUCTION(uint32_t, vshl_u32_u32_u32_clamp_add)(uint32_t x, uint32_t y, uint32_t z) {
    return (y > 31 ? 0 : x << y) + z;
}
INSTRUCTION(uint32_t, vshr_u32_u32_u32_clamp_add)(uint32_t x, uint32_t y, uint32_t z) {
    return (y > 31 ? 0 : x >> y) + z;
}
INSTRUCTION(uint32_t, vabsdiff4_u32_u32_u32_add)(uint32_t x, uint32_t y, uint32_t z) {
    for (unsigned i = 0; i < 4; i++) {
        int32_t difference = part(x, i, 8, false) - part(y, i, 8, false);
        z += (uint32_t)(difference < 0 ? -difference : difference);
    }
    return z;
}

/// The old value, in whose place comes the next one.
#define WRAP(name, next)                                                                           \
    INSTRUCTION(uint32_t, atom_##name##_u32)(uint32_t *p, uint32_t most) {                         \
        uint32_t old = __atomic_load_n(p, __ATOMIC_RELAXED);                                       \
        while (!__atomic_compare_exchange_n(p, &old, next, false, __ATOMIC_RELAXED,                \
                                            __ATOMIC_RELAXED))                                     \
            continue;                                                                              \
        return old;                                                                                \
    }
WRAP(inc, old >= most ? 0 : old + 1)
WRAP(dec, old == 0 || old > most ? most : old - 1)

// --- Floating-point numbers of 32 bits

INSTRUCTION(float, tanh_approx_f32)(float x) {
    return __builtin_tanhf(x);
}
static inline float saturate(float x) {
    return x > 0 ? (x < 1 ? x : 1) : 0;
}
INSTRUCTION(float, cvt_sat_f32_f32)(float x) {
    return saturate(x);
}
INSTRUCTION(float, add_sat_f32)(float x, float y) {
    return saturate(x + y);
}
INSTRUCTION(float, mul_sat_f32)(float x, float y) {
    return saturate(x * y);
}
INSTRUCTION(float, fma_rn_sat_f32)(float x, float y, float z) {
    return saturate(__builtin_fmaf(x, y, z));
}
INSTRUCTION(float, min_NaN_f32)(float x, float y) {
    return x != x || y != y ? __builtin_nanf("") : __builtin_fminf(x, y);
}
INSTRUCTION(float, max_NaN_f32)(float x, float y) {
    return x != x || y != y ? __builtin_nanf("") : __builtin_fmaxf(x, y);
}
/// Ties go away from zero.
INSTRUCTION(uint32_t, cvt_rna_tf32_f32)(float x) {
    uint32_t b = bits_of(x);
    return (b & 0x7f800000) == 0x7f800000 ? b & 0xffffe000 : (b + 0x1000) & 0xffffe000;
}

// --- Numbers of 16 bits

static inline float from_half(uint16_t x) {
    return (float)__builtin_bit_cast(_Float16, x);
}
static inline uint16_t to_half(float x) {
    return __builtin_bit_cast(uint16_t, (_Float16)x);
}
static inline float from_brain(uint16_t x) {
    return from_bits((uint32_t)x << 16);
}
static inline uint16_t to_brain(float x) {
    uint32_t b = bits_of(x);
    return x != x ? 0x7fff : (uint16_t)((b + 0x7fff + (b >> 16 & 1)) >> 16);
}
/// Rounded so that a later rounding to fewer bits is as if it were the only one: to odd.
static inline float to_odd(double x) {
    float near = (float)x;
    uint32_t b = bits_of(near);
    if ((double)near == x || x != x || (b & 1))
        return near;
    bool is_above = (near > 0 ? (double)near > x : (double)near < x);
    return from_bits(is_above ? b - 1 : b + 1);
}
static inline float fused(float x, float y, float z) {
    return to_odd((double)x * (double)y + (double)z);
}

#define SIXTEEN(f, widen, narrow)                                                                  \
    SIXTEEN_2(add_##f, widen, narrow, x + y)                                                       \
    SIXTEEN_2(add_rn_##f, widen, narrow, x + y)                                                    \
    SIXTEEN_2(sub_##f, widen, narrow, x - y)                                                       \
    SIXTEEN_2(sub_rn_##f, widen, narrow, x - y)                                                    \
    SIXTEEN_2(mul_##f, widen, narrow, x *y)                                                        \
    SIXTEEN_2(mul_rn_##f, widen, narrow, x *y)                                                     \
    SIXTEEN_2(min_##f, widen, narrow, __builtin_fminf(x, y))                                       \
    SIXTEEN_2(max_##f, widen, narrow, __builtin_fmaxf(x, y))                                       \
    SIXTEEN_1(ex2_approx_##f, widen, narrow, __builtin_exp2f(x))                                   \
    SIXTEEN_1(tanh_approx_##f, widen, narrow, __builtin_tanhf(x))                                  \
    SIXTEEN_3(fma_rn_##f, widen, narrow, fused(x, y, z))                                           \
    SIXTEEN_3(fma_rn_relu_##f, widen, narrow, __builtin_fmaxf(fused(x, y, z), 0))
/// An instruction on one number and, with x2 behind, on two in a word.
#define SIXTEEN_1(name, widen, narrow, expression)                                                 \
    static inline uint16_t one_##name(uint16_t a) {                                                \
        float x = widen(a);                                                                        \
        return narrow(expression);                                                                 \
    }                                                                                              \
    INSTRUCTION(uint16_t, name)(uint16_t a) {                                                      \
        return one_##name(a);                                                                      \
    }                                                                                              \
    INSTRUCTION(uint32_t, name##x2)(uint32_t a) {                                                  \
        return one_##name((uint16_t)a) | (uint32_t)one_##name((uint16_t)(a >> 16)) << 16;          \
    }
#define SIXTEEN_2(name, widen, narrow, expression)                                                 \
    static inline uint16_t one_##name(uint16_t a, uint16_t b) {                                    \
        float x = widen(a), y = widen(b);                                                          \
        return narrow(expression);                                                                 \
    }                                                                                              \
    INSTRUCTION(uint16_t, name)(uint16_t a, uint16_t b) {                                          \
        return one_##name(a, b);                                                                   \
    }                                                                                              \
    INSTRUCTION(uint32_t, name##x2)(uint32_t a, uint32_t b) {                                      \
        return one_##name((uint16_t)a, (uint16_t)b) |                                              \
               (uint32_t)one_##name((uint16_t)(a >> 16), (uint16_t)(b >> 16)) << 16;               \
    }
#define SIXTEEN_3(name, widen, narrow, expression)                                                 \
    static inline uint16_t one_##name(uint16_t a, uint16_t b, uint16_t c) {                        \
        float x = widen(a), y = widen(b), z = widen(c);                                            \
        return narrow(expression);                                                                 \
    }                                                                                              \
    INSTRUCTION(uint16_t, name)(uint16_t a, uint16_t b, uint16_t c) {                              \
        return one_##name(a, b, c);                                                                \
    }                                                                                              \
    INSTRUCTION(uint32_t, name##x2)(uint32_t a, uint32_t b, uint32_t c) {                          \
        return one_##name((uint16_t)a, (uint16_t)b, (uint16_t)c) |                                 \
               (uint32_t)one_##name((uint16_t)(a >> 16), (uint16_t)(b >> 16), (uint16_t)(c >> 16)) \
                   << 16;                                                                          \
    }
SIXTEEN(f16, from_half, to_half)
SIXTEEN(bf16, from_brain, to_brain)

#define SIGN(f)                                                                                    \
    INSTRUCTION(uint16_t, neg_##f)(uint16_t x) {                                                   \
        return x ^ 0x8000;                                                                         \
    }                                                                                              \
    INSTRUCTION(uint16_t, abs_##f)(uint16_t x) {                                                   \
        return x & 0x7fff;                                                                         \
    }                                                                                              \
    INSTRUCTION(uint32_t, neg_##f##x2)(uint32_t x) {                                               \
        return x ^ 0x80008000;                                                                     \
    }                                                                                              \
    INSTRUCTION(uint32_t, abs_##f##x2)(uint32_t x) {                                               \
        return x & 0x7fff7fff;                                                                     \
    }
SIGN(f16)
SIGN(bf16)

// The first of two numbers becomes the upper half.
#define NARROW(f, narrow)                                                                          \
    INSTRUCTION(uint16_t, cvt_rn_##f##_f32)(float x) {                                             \
        return narrow(x);                                                                          \
    }                                                                                              \
    INSTRUCTION(uint16_t, cvt_rn_relu_##f##_f32)(float x) {                                        \
        return narrow(x != x ? x : __builtin_fmaxf(x, 0));                                         \
    }                                                                                              \
    INSTRUCTION(uint32_t, cvt_rn_##f##x2_f32)(float high, float low) {                             \
        return (uint32_t)narrow(high) << 16 | narrow(low);                                         \
    }                                                                                              \
    INSTRUCTION(uint32_t, cvt_rn_relu_##f##x2_f32)(float high, float low) {                        \
        return (uint32_t)narrow(high != high ? high : __builtin_fmaxf(high, 0)) << 16 |            \
               narrow(low != low ? low : __builtin_fmaxf(low, 0));                                 \
    }
NARROW(f16, to_half)
NARROW(bf16, to_brain)
INSTRUCTION(float, cvt_f32_f16)(uint16_t x) {
    return from_half(x);
}
INSTRUCTION(float, cvt_f32_bf16)(uint16_t x) {
    return from_brain(x);
}
INSTRUCTION(double, cvt_f64_f16)(uint16_t x) {
    return (double)from_half(x);
}
INSTRUCTION(uint16_t, cvt_rn_f16_f64)(double x) {
    return to_half(to_odd(x));
}
INSTRUCTION(uint16_t, cvt_rn_f16_s32)(int32_t x) {
    return to_half(to_odd(x));
}
INSTRUCTION(uint16_t, cvt_rn_f16_u32)(uint32_t x) {
    return to_half(to_odd(x));
}
INSTRUCTION(uint16_t, cvt_rn_f16_s16)(int16_t x) {
    return to_half(x);
}
INSTRUCTION(uint16_t, cvt_rn_f16_u16)(uint16_t x) {
    return to_half(x);
}

#include "matrix.h"
