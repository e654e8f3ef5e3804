// Half precision: values of either kind are exact as floats; results are computed in double, where
// sums and products of halves are exact, and rounded once. (A fused multiply-add of halves is exact
// in double but for bits so far apart that they decide nothing else than the direction, which
// rounding to odd keeps.)
#include "half.h"

#include <math.h>

#include "lanes.h"

float ptx_bfloat_value(uint16_t bits) {
    uint32_t wide = (uint32_t)bits << 16;
    float value;
    memcpy(&value, &wide, sizeof value);
    return value;
}

float ptx_half_value(uint16_t bits) {
    unsigned exponent = bits >> 10 & 31, fraction = bits & 1023;
    float value = exponent == 31  ? (fraction ? NAN : INFINITY)
                  : exponent == 0 ? (float)fraction * 0x1p-24f
                                  : ldexpf((float)(fraction | 1024), (int)exponent - 25);
    return bits & 0x8000 ? -value : value;
}

/// A value in a format with `digits` bits of precision and exponents from `least` on; its magnitude
/// as a multiple of the format's unit at that exponent, rounded.
static double round_to(double magnitude, int digits, int least, enum ptx_rounding rounding,
                       bool is_negative) {
    int exponent;
    frexp(magnitude, &exponent);
    exponent = exponent - 1 < least ? least : exponent - 1;
    int scale = exponent - digits + 1;
    double scaled = ldexp(magnitude, -scale), low = floor(scaled), rest = scaled - low;
    bool is_odd = fmod(low, 2) != 0, is_up = false;
    if (rounding == PTX_NEAREST)
        is_up = rest > 0.5 || (rest == 0.5 && is_odd);
    else if (rounding == PTX_NEAREST_AWAY)
        is_up = rest >= 0.5;
    else if (rounding == PTX_UP)
        is_up = rest > 0 && !is_negative;
    else if (rounding == PTX_DOWN)
        is_up = rest > 0 && is_negative;
    return ldexp(low + is_up, scale);
}

/// What overflows becomes: infinity, or the largest number if the rounding leads towards zero.
static double overflow_to(double largest, enum ptx_rounding rounding, bool is_negative) {
    bool is_inward = rounding == PTX_TOWARDS_ZERO || (rounding == PTX_UP && is_negative) ||
                     (rounding == PTX_DOWN && !is_negative);
    return is_inward ? largest : (double)INFINITY;
}

static double narrow(double value, int digits, int least, double largest,
                     enum ptx_rounding rounding) {
    bool is_negative = signbit(value);
    double magnitude = fabs(value);
    if (magnitude == 0 || isinf(magnitude))
        return value;
    double rounded = round_to(magnitude, digits, least, rounding, is_negative);
    if (rounded > largest)
        rounded = overflow_to(largest, rounding, is_negative);
    return is_negative ? -rounded : rounded;
}

uint16_t ptx_half_of(double value, enum ptx_rounding rounding) {
    if (isnan(value))
        return 0x7fff;
    double rounded = narrow(value, 11, -14, 65504, rounding), magnitude = fabs(rounded);
    unsigned sign = signbit(rounded) ? 0x8000 : 0;
    if (isinf(magnitude))
        return (uint16_t)(sign | 0x7c00);
    if (magnitude < 0x1p-14)
        return (uint16_t)(sign | (unsigned)(magnitude * 0x1p24));
    int exponent;
    double fraction = frexp(magnitude, &exponent);
    return (uint16_t)(sign | (unsigned)(exponent + 14) << 10 |
                      ((unsigned)(fraction * 2048) & 1023));
}

float ptx_float_of(double value, enum ptx_rounding rounding) {
    if (isnan(value) || rounding == PTX_NEAREST)
        return (float)value;
    return (float)narrow(value, 24, -126, 0x1.fffffep127, rounding);
}

uint16_t ptx_bfloat_of(double value, enum ptx_rounding rounding) {
    if (isnan(value))
        return 0x7fff;
    float rounded = (float)narrow(value, 8, -126, 0x1.fep127, rounding);
    uint32_t bits;
    memcpy(&bits, &rounded, sizeof bits);
    return (uint16_t)(bits >> 16);
}

// Arithmetic: single ones and pairs share what is done with one number.

struct format {
    float (*value)(uint16_t);
    uint16_t (*of)(double, enum ptx_rounding);
    unsigned least_exponent; ///< bits of the exponent, for .ftz
};

static const struct format half = {ptx_half_value, ptx_half_of, 0x7c00};
static const struct format bfloat = {ptx_bfloat_value, ptx_bfloat_of, 0x7f80};

static double load(const struct format *format, const struct ptx_op *op, uint16_t bits) {
    if (op->has_ftz && !(bits & format->least_exponent))
        bits &= 0x8000;
    return (double)format->value(bits);
}

/// A sum whose lost bits are kept as a last odd bit, so that rounding it again is right.
static double add_to_odd(double a, double b) {
    double sum = a + b;
    if (!isfinite(sum))
        return sum;
    double high = sum - a, lost = (a - (sum - high)) + (b - high);
    uint64_t bits;
    memcpy(&bits, &sum, sizeof bits);
    if (lost == 0 || bits & 1)
        return sum;
    return nextafter(sum, lost > 0 ? (double)INFINITY : (double)-INFINITY);
}

enum operation { ADD, SUB, MUL, FMA, MIN, MAX, MIN_NAN, MAX_NAN, NEG, ABS };

static double lesser(double a, double b, bool is_max) {
    if (isnan(a) || isnan(b))
        return isnan(a) ? b : a;
    bool is_a = a < b || (a == b && signbit(a));
    return is_a != is_max ? a : b;
}

static double compute(enum operation operation, double a, double b, double c) {
    switch (operation) {
    case ADD:
        return a + b;
    case SUB:
        return a - b;
    case MUL:
        return a * b;
    case FMA:
        return add_to_odd(a * b, c);
    case MIN:
        return lesser(a, b, false);
    case MAX:
        return lesser(a, b, true);
    case MIN_NAN:
        return isnan(a) || isnan(b) ? (double)NAN : lesser(a, b, false);
    case MAX_NAN:
        return isnan(a) || isnan(b) ? (double)NAN : lesser(a, b, true);
    case NEG:
        return -a;
    default:
        return fabs(a);
    }
}

static uint16_t finish(const struct format *format, const struct ptx_op *op, double value) {
    if (op->has_sat)
        value = value > 0 ? (value < 1 ? value : 1) : 0;
    if (op->is_relu && !isnan(value))
        value = value > 0 ? value : 0;
    uint16_t bits = format->of(value, op->rounding);
    if (op->has_ftz && !(bits & format->least_exponent))
        bits &= 0x8000;
    return bits;
}

/// Each operand is `parts` numbers a lane.
static const struct ptx_op *run(struct ptx_warp *warp, const struct ptx_op *op,
                                enum operation operation, unsigned parts) {
    bool is_bfloat = op->type == PTX_BF16 || op->type == PTX_BF16X2;
    const struct format *format = is_bfloat ? &bfloat : &half;
    const uint16_t *s[3] = {NULL};
    for (unsigned i = 0; i < op->s_count; i++)
        s[i] = (const uint16_t *)(const void *)ptx_at(warp, op->s[i]);
    uint16_t *to = (uint16_t *)(void *)warp->scratch;
    for (unsigned at = 0; at < PTX_LANES * parts; at++) {
        double values[3] = {0};
        for (unsigned i = 0; i < op->s_count; i++)
            values[i] = load(format, op, s[i][at]);
        to[at] = finish(format, op, compute(operation, values[0], values[1], values[2]));
    }
    ptx_store(warp, op->d[0], to, 2 * parts);
    return op + 1;
}

#define HALF(name, operation)                                                                      \
    static const struct ptx_op *name##_one(struct ptx_warp *warp, const struct ptx_op *op) {       \
        return run(warp, op, operation, 1);                                                        \
    }                                                                                              \
    static const struct ptx_op *name##_pair(struct ptx_warp *warp, const struct ptx_op *op) {      \
        return run(warp, op, operation, 2);                                                        \
    }                                                                                              \
    ptx_steps ptx_##name##_half = {[PTX_F16] = name##_one,                                         \
                                   [PTX_BF16] = name##_one,                                        \
                                   [PTX_F16X2] = name##_pair,                                      \
                                   [PTX_BF16X2] = name##_pair};
HALF(add, ADD)
HALF(sub, SUB)
HALF(mul, MUL)
HALF(fma, FMA)
HALF(min, MIN)
HALF(max, MAX)
HALF(min_nan, MIN_NAN)
HALF(max_nan, MAX_NAN)
HALF(neg, NEG)
HALF(abs, ABS)
