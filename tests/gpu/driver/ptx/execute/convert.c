// cvt. One step does all conversions, lane by lane: it reads a number as an integer or a double,
// which hold every type's values, rounds it as the operation says and cuts it to the result's type.
// Conversions that kernels are full of have steps of their own.
#include <math.h>

#include "access.h"
#include "half.h"
#include "real.h"

static bool is_real(enum ptx_type type) {
    char kind = ptx_type_facts[type].kind;
    return kind == 'f' || kind == 'h' || kind == 'z';
}

/// A number on its way: `value` if it is real, else `bits`, extended to 64.
struct number {
    bool is_real, is_signed;
    double value;
    uint64_t bits;
};

static struct number read_number(const unsigned char *from, enum ptx_type type, bool has_ftz) {
    struct number number = {.is_real = is_real(type),
                            .is_signed = ptx_type_facts[type].kind == 's'};
    unsigned size = ptx_type_facts[type].size;
    memcpy(&number.bits, from, size);
    unsigned unused = 64 - 8 * size;
    if (number.is_signed)
        number.bits = (uint64_t)((int64_t)(number.bits << unused) >> unused);
    if (has_ftz && type == PTX_F32 && !(number.bits & 0x7f800000))
        number.bits &= 0x80000000;
    float narrow;
    memcpy(&narrow, &number.bits, sizeof narrow);
    if (type == PTX_F16)
        number.value = (double)ptx_half_value((uint16_t)number.bits);
    else if (type == PTX_BF16)
        number.value = (double)ptx_bfloat_value((uint16_t)number.bits);
    else if (type == PTX_F32)
        number.value = (double)narrow;
    else if (type == PTX_F64)
        memcpy(&number.value, &number.bits, sizeof number.value);
    return number;
}

static double round_to_integer(double value, enum ptx_rounding rounding) {
    switch (rounding) {
    case PTX_TOWARDS_ZERO:
        return trunc(value);
    case PTX_DOWN:
        return floor(value);
    case PTX_UP:
        return ceil(value);
    default:
        return nearbyint(value);
    }
}

/// A real number as an integer of the type, the nearest one that it has; NaN is 0 (for 64 bits the
/// sign's bit alone).
static uint64_t integer_of(double value, enum ptx_type type, enum ptx_rounding rounding) {
    unsigned bits = 8u * ptx_type_facts[type].size;
    bool is_signed = ptx_type_facts[type].kind == 's';
    if (isnan(value))
        return bits == 64 ? UINT64_C(1) << 63 : 0;
    double rounded = round_to_integer(value, rounding);
    double limit = ldexp(1, (int)(is_signed ? bits - 1 : bits)), least = is_signed ? -limit : 0;
    uint64_t most = UINT64_MAX >> (64 - bits + is_signed);
    if (rounded >= limit)
        return most;
    if (rounded <= least)
        return is_signed ? ~most : 0;
    return rounded < 0 ? (uint64_t)(int64_t)rounded : (uint64_t)rounded;
}

/// An integer cut to the nearest one of the type.
static uint64_t saturate(struct number number, enum ptx_type type) {
    unsigned bits = 8u * ptx_type_facts[type].size;
    bool to_signed = ptx_type_facts[type].kind == 's';
    uint64_t most = UINT64_MAX >> (64 - bits + to_signed);
    bool is_negative = number.is_signed && (int64_t)number.bits < 0;
    if (!is_negative)
        return number.bits > most ? most : number.bits;
    if (!to_signed)
        return 0;
    int64_t least = (int64_t)~most;
    return (int64_t)number.bits < least ? (uint64_t)least : number.bits;
}

/// The bits of a real result. An integer of 64 bits goes to the type at once, as a double would
/// have rounded it before.
static uint64_t real_bits(struct number number, enum ptx_type type, const struct ptx_op *op) {
    enum ptx_rounding rounding = op->rounding;
    double value = number.value;
    uint64_t bits = 0;
    if (!number.is_real && (type == PTX_F64 || type == PTX_F32)) {
        ptx_set_rounding(rounding);
        volatile int64_t as_signed = (int64_t)number.bits;
        volatile uint64_t as_unsigned = number.bits;
        volatile double wide = number.is_signed ? (double)as_signed : (double)as_unsigned;
        volatile float narrow = number.is_signed ? (float)as_signed : (float)as_unsigned;
        ptx_set_rounding(PTX_NEAREST);
        double d = wide;
        float f = narrow;
        if (type == PTX_F64)
            memcpy(&bits, &d, sizeof d);
        else
            memcpy(&bits, &f, sizeof f);
        return bits;
    }
    if (!number.is_real)
        value = number.is_signed ? (double)(int64_t)number.bits : (double)number.bits;
    if (number.is_real && op->is_integral)
        value = round_to_integer(value, rounding);
    if (op->has_sat)
        value = value > 0 ? (value < 1 ? value : 1) : 0;
    if (op->is_relu && !isnan(value))
        value = value > 0 ? value : 0;
    if (type == PTX_F16)
        return ptx_half_of(value, rounding);
    if (type == PTX_BF16)
        return ptx_bfloat_of(value, rounding);
    if (type == PTX_F64) {
        memcpy(&bits, &value, sizeof value);
        return bits;
    }
    float narrow = ptx_float_of(value, rounding);
    memcpy(&bits, &narrow, sizeof narrow);
    if (isnan(narrow))
        return 0x7fffffff;
    return op->has_ftz && !(bits & 0x7f800000) ? bits & 0x80000000 : bits;
}

static uint64_t convert(const struct ptx_op *op, const unsigned char *from) {
    enum ptx_type type = op->type;
    struct number number = read_number(from, op->from_type, op->has_ftz);
    if (is_real(type))
        return real_bits(number, type, op);
    if (number.is_real)
        return integer_of(number.value, type, op->rounding);
    return op->has_sat ? saturate(number, type) : number.bits;
}

/// Two floats as a pair: the first operand is the high half.
static uint64_t convert_pair(const struct ptx_op *op, const unsigned char *high,
                             const unsigned char *low) {
    enum ptx_type half = op->type == PTX_F16X2 ? PTX_F16 : PTX_BF16;
    uint64_t h = real_bits(read_number(high, PTX_F32, false), half, op);
    uint64_t l = real_bits(read_number(low, PTX_F32, false), half, op);
    return h << 16 | l;
}

const struct ptx_op *ptx_step_convert(struct ptx_warp *warp, const struct ptx_op *op) {
    const unsigned char *a = ptx_at(warp, op->s[0]), *b = ptx_at(warp, op->s[op->s_count - 1]);
    size_t step = op->s_size[0], size = op->d_size[0], used = ptx_type_facts[op->type].size;
    bool is_signed = ptx_type_facts[op->type].kind == 's';
    for (size_t l = 0; l < PTX_LANES; l++) {
        uint64_t value = op->s_count == 2 ? convert_pair(op, a + l * step, b + l * step)
                                          : convert(op, a + l * step);
        unsigned unused = (unsigned)(64 - 8 * used);
        value <<= unused;
        value = is_signed ? (uint64_t)((int64_t)value >> unused) : value >> unused;
        memcpy(warp->scratch + l * size, &value, size);
    }
    ptx_store(warp, op->d[0], warp->scratch, size);
    return op + 1;
}

/// Steps for conversions that need no more than a cast in C.
#define CAST(name, R, T) PTX_STEP_1(name, R, T, a)
CAST(u64_of_u32, uint64_t, uint32_t)
CAST(s64_of_s32, int64_t, int32_t)
CAST(u32_of_u64, uint32_t, uint64_t)
CAST(u32_of_u16, uint32_t, uint16_t)
CAST(s32_of_s16, int32_t, int16_t)
CAST(u16_of_u32, uint16_t, uint32_t)
CAST(u64_of_u16, uint64_t, uint16_t)
CAST(s64_of_s16, int64_t, int16_t)
CAST(u16_of_u64, uint16_t, uint64_t)
CAST(f32_of_s32, float, int32_t)
CAST(f32_of_u32, float, uint32_t)
CAST(f64_of_s32, double, int32_t)
CAST(f64_of_u32, double, uint32_t)
CAST(f64_of_s64, double, int64_t)
CAST(f64_of_f32, double, float)
CAST(f32_of_s64, float, int64_t)

static const struct ptx_op *f32_of_f64(struct ptx_warp *warp, const struct ptx_op *op) {
    const double *from = (const double *)(const void *)ptx_at(warp, op->s[0]);
    float *to = (float *)(void *)warp->scratch;
    PTX_EACH_LANE(l) to[l] = (float)from[l];
    ptx_finish_float(to, op);
    ptx_store_32(warp, op->d[0], to);
    return op + 1;
}

/// An integer's conversion to another size is one of its register's, if the register isn't larger.
static ptx_step *choose_integer(const struct ptx_op *op) {
    unsigned to = op->d_size[0], from = op->s_size[0];
    bool is_signed = ptx_type_facts[op->from_type].kind == 's';
    if (from != ptx_type_facts[op->from_type].size || to != ptx_type_facts[op->type].size)
        return ptx_step_convert;
    if (to == 8 && from == 4)
        return is_signed ? s64_of_s32 : u64_of_u32;
    if (to == 4 && from == 8)
        return u32_of_u64;
    if (to == 4 && from == 2)
        return is_signed ? s32_of_s16 : u32_of_u16;
    if (to == 2 && from == 4)
        return u16_of_u32;
    if (to == 8 && from == 2)
        return is_signed ? s64_of_s16 : u64_of_u16;
    if (to == 2 && from == 8)
        return u16_of_u64;
    return ptx_step_convert;
}

static ptx_step *choose_real(const struct ptx_op *op) {
    static const struct {
        enum ptx_type to, from;
        ptx_step *step;
    } steps[] = {{PTX_F32, PTX_S32, f32_of_s32}, {PTX_F32, PTX_U32, f32_of_u32},
                 {PTX_F32, PTX_S64, f32_of_s64}, {PTX_F64, PTX_S32, f64_of_s32},
                 {PTX_F64, PTX_U32, f64_of_u32}, {PTX_F64, PTX_S64, f64_of_s64},
                 {PTX_F32, PTX_F64, f32_of_f64}, {PTX_F64, PTX_F32, f64_of_f32}};
    for (size_t i = 0; i < sizeof steps / sizeof *steps; i++)
        if (op->type == steps[i].to && op->from_type == steps[i].from &&
            op->s_size[0] == ptx_type_facts[op->from_type].size)
            return steps[i].step;
    return ptx_step_convert;
}

ptx_step *ptx_choose_convert(const struct ptx_op *op) {
    if (op->s_count == 2 || op->rounding != PTX_NEAREST || op->is_integral || op->is_relu ||
        op->has_sat)
        return ptx_step_convert;
    if (op->has_ftz && (op->from_type != PTX_F64 || op->type != PTX_F32))
        return ptx_step_convert;
    if (is_real(op->type))
        return choose_real(op);
    return is_real(op->from_type) ? ptx_step_convert : choose_integer(op);
}
