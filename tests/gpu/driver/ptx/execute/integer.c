// Integer arithmetic. What C leaves undefined has here the results that GPUs give: overflow wraps,
// a quotient by zero has all bits set and its remainder is the dividend.
#include "lanes.h"

typedef __int128 s128;
typedef unsigned __int128 u128;

/// X(name, type, unsigned type, type of twice the size) for each size.
#define UNSIGNED(X)                                                                                \
    X(u16, uint16_t, uint16_t, uint32_t)                                                           \
    X(u32, uint32_t, uint32_t, uint64_t)                                                           \
    X(u64, uint64_t, uint64_t, u128)
#define SIGNED(X)                                                                                  \
    X(s16, int16_t, uint16_t, int32_t)                                                             \
    X(s32, int32_t, uint32_t, int64_t)                                                             \
    X(s64, int64_t, uint64_t, s128)

#define BY_TYPE(name)                                                                              \
    ptx_steps ptx_##name = {                                                                       \
        [PTX_U16] = name##_u16, [PTX_S16] = name##_s16, [PTX_U32] = name##_u32,                    \
        [PTX_S32] = name##_s32, [PTX_U64] = name##_u64, [PTX_S64] = name##_s64}
#define BY_WORD(name) ptx_steps ptx_##name = {[PTX_U32] = name##_u32, [PTX_S32] = name##_s32}
#define BY_LARGE(name)                                                                             \
    ptx_steps ptx_##name = {                                                                       \
        [PTX_U32] = name##_u32, [PTX_S32] = name##_u32, [PTX_B32] = name##_u32,                    \
        [PTX_U64] = name##_u64, [PTX_S64] = name##_u64, [PTX_B64] = name##_u64}

#define X(name, T, U, W)                                                                           \
    PTX_STEP_2(mul_lo_##name, T, T, T, (W)a *(W)b)                                                 \
    PTX_STEP_2(mul_hi_##name, T, T, T, ((W)a * (W)b) >> (8 * sizeof(T)))                           \
    PTX_STEP_3(mad_lo_##name, T, T, T, T, (U)((W)a * (W)b) + (U)c)                                 \
    PTX_STEP_3(mad_hi_##name, T, T, T, T, (U)(((W)a * (W)b) >> (8 * sizeof(T))) + (U)c)            \
    PTX_STEP_2(min_##name, T, T, T, a < b ? a : b)                                                 \
    PTX_STEP_2(max_##name, T, T, T, a > b ? a : b)                                                 \
    PTX_STEP_3(sad_##name, T, T, T, T, (U)c + (a < b ? (U)b - (U)a : (U)a - (U)b))
UNSIGNED(X)
SIGNED(X)
#undef X

#define X(name, T, U, W)                                                                           \
    PTX_STEP_2(div_##name, T, T, T, b == 0 ? (T) ~(T)0 : a / b)                                    \
    PTX_STEP_2(rem_##name, T, T, T, b == 0 ? a : a % b)
UNSIGNED(X)
#undef X

#define X(name, T, U, W)                                                                           \
    PTX_STEP_2(div_##name, T, T, T, b == 0 ? (T) - 1 : b == -1 ? (T)(0 - (U)a) : (T)(a / b))       \
    PTX_STEP_2(rem_##name, T, T, T, b == 0 ? a : b == -1 ? 0 : a % b)                              \
    PTX_STEP_1(neg_##name, T, T, 0 - (U)a)                                                         \
    PTX_STEP_1(abs_##name, T, T, a < 0 ? 0 - (U)a : (U)a)
SIGNED(X)
#undef X

PTX_STEP_2(add_u16, uint16_t, uint16_t, uint16_t, a + b)
PTX_STEP_2(add_u32, uint32_t, uint32_t, uint32_t, a + b)
PTX_STEP_2(add_u64, uint64_t, uint64_t, uint64_t, a + b)
PTX_STEP_2(sub_u16, uint16_t, uint16_t, uint16_t, a - b)
PTX_STEP_2(sub_u32, uint32_t, uint32_t, uint32_t, a - b)
PTX_STEP_2(sub_u64, uint64_t, uint64_t, uint64_t, a - b)

static int64_t saturate(int64_t value) {
    return value > INT32_MAX ? INT32_MAX : value < INT32_MIN ? INT32_MIN : value;
}
PTX_STEP_2(add_sat, int32_t, int32_t, int32_t, saturate((int64_t)a + b))
PTX_STEP_2(sub_sat, int32_t, int32_t, int32_t, saturate((int64_t)a - b))

static const struct ptx_op *add_s32(struct ptx_warp *warp, const struct ptx_op *op) {
    return op->has_sat ? add_sat(warp, op) : add_u32(warp, op);
}
static const struct ptx_op *sub_s32(struct ptx_warp *warp, const struct ptx_op *op) {
    return op->has_sat ? sub_sat(warp, op) : sub_u32(warp, op);
}
#define add_s16 add_u16
#define add_s64 add_u64
#define sub_s16 sub_u16
#define sub_s64 sub_u64
BY_TYPE(add);
BY_TYPE(sub);
BY_TYPE(mul_lo);
BY_TYPE(mul_hi);
BY_TYPE(mad_lo);
BY_TYPE(mad_hi);
BY_TYPE(div);
BY_TYPE(rem);
BY_TYPE(min);
BY_TYPE(max);
ptx_steps ptx_neg = {[PTX_S16] = neg_s16, [PTX_S32] = neg_s32, [PTX_S64] = neg_s64};
ptx_steps ptx_abs = {[PTX_S16] = abs_s16, [PTX_S32] = abs_s32, [PTX_S64] = abs_s64};
BY_TYPE(sad);

const struct ptx_op *ptx_step_add_64(struct ptx_warp *warp, const struct ptx_op *op) {
    return add_u64(warp, op);
}

#define X(name, T, R, S)                                                                           \
    PTX_STEP_2(mul_wide_##name, R, T, T, (R)a *(R)b)                                               \
    PTX_STEP_3(mad_wide_##name, R, T, T, R, (S)((R)a * (R)b) + (S)c)
X(u16, uint16_t, uint32_t, uint32_t)
X(s16, int16_t, int32_t, uint32_t)
X(u32, uint32_t, uint64_t, uint64_t)
X(s32, int32_t, int64_t, uint64_t)
#undef X
#define BY_NARROW(name)                                                                            \
    ptx_steps ptx_##name = {[PTX_U16] = name##_u16,                                                \
                            [PTX_S16] = name##_s16,                                                \
                            [PTX_U32] = name##_u32,                                                \
                            [PTX_S32] = name##_s32}
BY_NARROW(mul_wide);
BY_NARROW(mad_wide);

// 24 bits.

#define LOW_24(T, a) ((T)((uint32_t)(a) << 8) >> 8)
#define X(name, T, W)                                                                              \
    PTX_STEP_2(mul24_lo_##name, T, T, T, (W)LOW_24(T, a) * (W)LOW_24(T, b))                        \
    PTX_STEP_2(mul24_hi_##name, T, T, T, ((W)LOW_24(T, a) * (W)LOW_24(T, b)) >> 16)                \
    PTX_STEP_3(mad24_lo_##name, T, T, T, T,                                                        \
               (uint32_t)((W)LOW_24(T, a) * (W)LOW_24(T, b)) + (uint32_t)c)                        \
    PTX_STEP_3(mad24_hi_##name, T, T, T, T,                                                        \
               (uint32_t)(((W)LOW_24(T, a) * (W)LOW_24(T, b)) >> 16) + (uint32_t)c)
X(u32, uint32_t, uint64_t)
X(s32, int32_t, int64_t)
#undef X
BY_WORD(mul24_lo);
BY_WORD(mul24_hi);
BY_WORD(mad24_lo);
BY_WORD(mad24_hi);

// Dot products of bytes and half words: both operands' signedness is in the types.

static int32_t dot_4(uint32_t a, uint32_t b, uint32_t c, bool is_a_signed, bool is_b_signed) {
    for (int i = 0; i < 4; i++) {
        int32_t x = is_a_signed ? (int8_t)(a >> 8 * i) : (uint8_t)(a >> 8 * i);
        int32_t y = is_b_signed ? (int8_t)(b >> 8 * i) : (uint8_t)(b >> 8 * i);
        c += (uint32_t)(x * y);
    }
    return (int32_t)c;
}

static int32_t dot_2(uint32_t a, uint32_t b, uint32_t c, bool is_a_signed, bool is_b_signed) {
    for (int i = 0; i < 2; i++) {
        int32_t x = is_a_signed ? (int16_t)(a >> 16 * i) : (uint16_t)(a >> 16 * i);
        int32_t y = is_b_signed ? (int8_t)(b >> 8 * i) : (uint8_t)(b >> 8 * i);
        c += (uint32_t)x * (uint32_t)y;
    }
    return (int32_t)c;
}

#define IS_SIGNED_A (op->type == PTX_S32)
#define IS_SIGNED_B (op->from_type == PTX_S32)
PTX_STEP_3(dp4a_u32, uint32_t, uint32_t, uint32_t, uint32_t,
           dot_4(a, b, c, IS_SIGNED_A, IS_SIGNED_B))
PTX_STEP_3(dp2a_lo_u32, uint32_t, uint32_t, uint32_t, uint32_t,
           dot_2(a, b, c, IS_SIGNED_A, IS_SIGNED_B))
PTX_STEP_3(dp2a_hi_u32, uint32_t, uint32_t, uint32_t, uint32_t,
           dot_2(a, b >> 16, c, IS_SIGNED_A, IS_SIGNED_B))
#define dp4a_s32 dp4a_u32
#define dp2a_lo_s32 dp2a_lo_u32
#define dp2a_hi_s32 dp2a_hi_u32
BY_WORD(dp4a);
BY_WORD(dp2a_lo);
BY_WORD(dp2a_hi);

// Carries: the last operand is a predicate register, and so is the last result, where an operation
// has one.

/// Sum or difference, with the carry in and out as a bit.
#define CARRY(name, T, has_in, has_out, a_value, is_difference)                                    \
    static const struct ptx_op *name(struct ptx_warp *warp, const struct ptx_op *op) {             \
        const T *pa = (const T *)(const void *)ptx_at(warp, op->s[0]);                             \
        const T *pb = (const T *)(const void *)ptx_at(warp, op->s[1]);                             \
        uint32_t in = has_in ? ptx_predicate(warp, op->s[2]) : 0, out = 0;                         \
        T *restrict to = (T *)(void *)warp->scratch;                                               \
        PTX_EACH_LANE(l) {                                                                         \
            u128 carry = in >> l & 1, a = pa[l], b = pb[l];                                        \
            u128 value = is_difference ? a - b - carry : a + b + carry;                            \
            to[l] = (T)value;                                                                      \
            out |= (uint32_t)(value >> (8 * sizeof(T)) & 1) << l;                                  \
        }                                                                                          \
        ptx_store(warp, op->d[0], to, sizeof(T));                                                  \
        if (has_out)                                                                               \
            ptx_set_predicate(warp, op->d[1], out);                                                \
        return op + 1;                                                                             \
    }
#define X(name, T)                                                                                 \
    CARRY(add_cc_##name, T, false, true, a, false)                                                 \
    CARRY(addc_##name, T, true, false, a, false)                                                   \
    CARRY(addc_cc_##name, T, true, true, a, false)                                                 \
    CARRY(sub_cc_##name, T, false, true, a, true)                                                  \
    CARRY(subc_##name, T, true, false, a, true)                                                    \
    CARRY(subc_cc_##name, T, true, true, a, true)
X(u32, uint32_t)
X(u64, uint64_t)
#undef X
BY_LARGE(add_cc);
BY_LARGE(addc);
BY_LARGE(addc_cc);
BY_LARGE(sub_cc);
BY_LARGE(subc);
BY_LARGE(subc_cc);

/// Product plus third operand, with carries; the high half of the product of signed types differs.
#define CARRY_PRODUCT(name, T, W, shift, has_in, has_out)                                          \
    static const struct ptx_op *name(struct ptx_warp *warp, const struct ptx_op *op) {             \
        const T *pa = (const T *)(const void *)ptx_at(warp, op->s[0]);                             \
        const T *pb = (const T *)(const void *)ptx_at(warp, op->s[1]);                             \
        const T *pc = (const T *)(const void *)ptx_at(warp, op->s[2]);                             \
        uint32_t in = has_in ? ptx_predicate(warp, op->s[3]) : 0, out = 0;                         \
        uint64_t to[PTX_LANES];                                                                    \
        T *narrow = (T *)(void *)warp->scratch;                                                    \
        PTX_EACH_LANE(l) {                                                                         \
            uint64_t part = (uint64_t)(((W)pa[l] * (W)pb[l]) >> (shift));                          \
            uint64_t bits = sizeof(T) == 4 ? UINT32_MAX : UINT64_MAX;                              \
            u128 sum = (u128)(part & bits) + (u128)((uint64_t)pc[l] & bits) + (in >> l & 1);       \
            to[l] = (uint64_t)sum;                                                                 \
            out |= (uint32_t)(sum >> (8 * sizeof(T)) & 1) << l;                                    \
        }                                                                                          \
        PTX_EACH_LANE(l) narrow[l] = (T)to[l];                                                     \
        ptx_store(warp, op->d[0], narrow, sizeof(T));                                              \
        if (has_out)                                                                               \
            ptx_set_predicate(warp, op->d[1], out);                                                \
        return op + 1;                                                                             \
    }
#define X(name, T, W)                                                                              \
    CARRY_PRODUCT(mad_lo_cc_##name, T, W, 0, false, true)                                          \
    CARRY_PRODUCT(mad_hi_cc_##name, T, W, 8 * sizeof(T), false, true)                              \
    CARRY_PRODUCT(madc_lo_##name, T, W, 0, true, false)                                            \
    CARRY_PRODUCT(madc_lo_cc_##name, T, W, 0, true, true)                                          \
    CARRY_PRODUCT(madc_hi_##name, T, W, 8 * sizeof(T), true, false)                                \
    CARRY_PRODUCT(madc_hi_cc_##name, T, W, 8 * sizeof(T), true, true)
X(u32, uint32_t, uint64_t)
X(s32, int32_t, int64_t)
X(u64, uint64_t, u128)
X(s64, int64_t, s128)
#undef X
#define BY_CARRY(name)                                                                             \
    ptx_steps ptx_##name = {[PTX_U32] = name##_u32,                                                \
                            [PTX_S32] = name##_s32,                                                \
                            [PTX_U64] = name##_u64,                                                \
                            [PTX_S64] = name##_s64}
BY_CARRY(mad_lo_cc);
BY_CARRY(mad_hi_cc);
BY_CARRY(madc_lo);
BY_CARRY(madc_lo_cc);
BY_CARRY(madc_hi);
BY_CARRY(madc_hi_cc);
