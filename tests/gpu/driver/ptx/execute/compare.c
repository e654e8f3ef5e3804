// setp: comparisons to a predicate, joined with another one.
#include <math.h>

#include "half.h"
#include "real.h"

/// Bits of lanes for which the comparison holds.
#define COMPARE(name, T)                                                                           \
    static uint32_t name(const T *a, const T *b, unsigned comparison) {                            \
        uint32_t r = 0;                                                                            \
        switch (comparison) {                                                                      \
        case PTX_EQ:                                                                               \
            PTX_EACH_LANE(l) r |= (uint32_t)(a[l] == b[l]) << l;                                   \
            break;                                                                                 \
        case PTX_NE:                                                                               \
            PTX_EACH_LANE(l) r |= (uint32_t)(a[l] != b[l]) << l;                                   \
            break;                                                                                 \
        case PTX_LT:                                                                               \
            PTX_EACH_LANE(l) r |= (uint32_t)(a[l] < b[l]) << l;                                    \
            break;                                                                                 \
        case PTX_LE:                                                                               \
            PTX_EACH_LANE(l) r |= (uint32_t)(a[l] <= b[l]) << l;                                   \
            break;                                                                                 \
        case PTX_GT:                                                                               \
            PTX_EACH_LANE(l) r |= (uint32_t)(a[l] > b[l]) << l;                                    \
            break;                                                                                 \
        default:                                                                                   \
            PTX_EACH_LANE(l) r |= (uint32_t)(a[l] >= b[l]) << l;                                   \
            break;                                                                                 \
        }                                                                                          \
        return r;                                                                                  \
    }
COMPARE(compare_u16, uint16_t)
COMPARE(compare_s16, int16_t)
COMPARE(compare_u32, uint32_t)
COMPARE(compare_s32, int32_t)
COMPARE(compare_u64, uint64_t)
COMPARE(compare_s64, int64_t)
COMPARE(compare_f32, float)
COMPARE(compare_f64, double)

/// Floating-point comparisons: those that hold for NaN too are others or that one of them is NaN.
#define UNORDERED(name, T)                                                                         \
    static uint32_t any_##name(const T *a, const T *b, unsigned comparison) {                      \
        uint32_t nan = 0;                                                                          \
        if (comparison < PTX_EQU) {                                                                \
            uint32_t r = compare_##name(a, b, comparison);                                         \
            if (comparison != PTX_NE)                                                              \
                return r;                                                                          \
            PTX_EACH_LANE(l) nan |= (uint32_t)(isnan(a[l]) || isnan(b[l])) << l;                   \
            return r & ~nan;                                                                       \
        }                                                                                          \
        PTX_EACH_LANE(l) nan |= (uint32_t)(isnan(a[l]) || isnan(b[l])) << l;                       \
        if (comparison == PTX_NUM)                                                                 \
            return ~nan;                                                                           \
        if (comparison == PTX_NAN)                                                                 \
            return nan;                                                                            \
        return nan | compare_##name(a, b, comparison - PTX_EQU);                                   \
    }
UNORDERED(f32, float)
UNORDERED(f64, double)

static const struct ptx_op *finish(struct ptx_warp *warp, const struct ptx_op *op, uint32_t holds) {
    uint32_t joined[2] = {holds, ~holds};
    for (unsigned i = 0; i < op->d_count; i++) {
        uint32_t bits = joined[i];
        if (op->s_count > 2) {
            uint32_t with = ptx_predicate(warp, op->s[2]);
            bits = op->kind == 0 ? bits & with : op->kind == 1 ? bits | with : bits ^ with;
        }
        joined[i] = bits;
    }
    for (unsigned i = 0; i < op->d_count; i++)
        ptx_set_predicate(warp, op->d[i], joined[i]);
    return op + 1;
}

#define SETP(name, T)                                                                              \
    static const struct ptx_op *setp_##name(struct ptx_warp *warp, const struct ptx_op *op) {      \
        const T *a = (const T *)(const void *)ptx_at(warp, op->s[0]);                              \
        const T *b = (const T *)(const void *)ptx_at(warp, op->s[1]);                              \
        return finish(warp, op, compare_##name(a, b, op->comparison));                             \
    }
SETP(u16, uint16_t)
SETP(s16, int16_t)
SETP(u32, uint32_t)
SETP(s32, int32_t)
SETP(u64, uint64_t)
SETP(s64, int64_t)

static const struct ptx_op *setp_f32(struct ptx_warp *warp, const struct ptx_op *op) {
    float room[2][PTX_LANES];
    const float *a = ptx_float_operand(warp, op, 0, room[0]);
    const float *b = ptx_float_operand(warp, op, 1, room[1]);
    return finish(warp, op, any_f32(a, b, op->comparison));
}

static const struct ptx_op *setp_f64(struct ptx_warp *warp, const struct ptx_op *op) {
    const double *a = (const double *)(const void *)ptx_at(warp, op->s[0]);
    const double *b = (const double *)(const void *)ptx_at(warp, op->s[1]);
    return finish(warp, op, any_f64(a, b, op->comparison));
}

static const struct ptx_op *setp_half(struct ptx_warp *warp, const struct ptx_op *op) {
    float values[2][PTX_LANES];
    for (unsigned i = 0; i < 2; i++) {
        const uint16_t *bits = (const uint16_t *)(const void *)ptx_at(warp, op->s[i]);
        PTX_EACH_LANE(l)
        values[i][l] = op->type == PTX_F16 ? ptx_half_value(bits[l]) : ptx_bfloat_value(bits[l]);
    }
    return finish(warp, op, any_f32(values[0], values[1], op->comparison));
}

/// Pairs: the first result is that of the low halves, the second that of the high ones.
static const struct ptx_op *setp_pair(struct ptx_warp *warp, const struct ptx_op *op) {
    for (unsigned half = 0; half < 2 && half < op->d_count; half++) {
        float values[2][PTX_LANES];
        for (unsigned i = 0; i < 2; i++) {
            const uint32_t *bits = (const uint32_t *)(const void *)ptx_at(warp, op->s[i]);
            PTX_EACH_LANE(l) {
                uint16_t part = (uint16_t)(bits[l] >> 16 * half);
                values[i][l] =
                    op->type == PTX_F16X2 ? ptx_half_value(part) : ptx_bfloat_value(part);
            }
        }
        uint32_t bits = any_f32(values[0], values[1], op->comparison);
        if (op->s_count > 2) {
            uint32_t with = ptx_predicate(warp, op->s[2]);
            bits = op->kind == 0 ? bits & with : op->kind == 1 ? bits | with : bits ^ with;
        }
        ptx_set_predicate(warp, op->d[half], bits);
    }
    return op + 1;
}

ptx_step *ptx_choose_setp(enum ptx_type type) {
    static ptx_step *const steps[PTX_TYPE_COUNT] = {
        [PTX_B16] = setp_u16,   [PTX_U16] = setp_u16,    [PTX_S16] = setp_s16,
        [PTX_B32] = setp_u32,   [PTX_U32] = setp_u32,    [PTX_S32] = setp_s32,
        [PTX_B64] = setp_u64,   [PTX_U64] = setp_u64,    [PTX_S64] = setp_s64,
        [PTX_F32] = setp_f32,   [PTX_F64] = setp_f64,    [PTX_F16] = setp_half,
        [PTX_BF16] = setp_half, [PTX_F16X2] = setp_pair, [PTX_BF16X2] = setp_pair};
    return steps[type];
}
