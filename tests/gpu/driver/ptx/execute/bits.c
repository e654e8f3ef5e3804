// Operations on bits. Shift counts and positions are clamped as PTX says, so that no C shift is
// undefined.
#include "lanes.h"

#define LOGIC(name, value)                                                                         \
    PTX_STEP_2(name##_16, uint16_t, uint16_t, uint16_t, value)                                     \
    PTX_STEP_2(name##_32, uint32_t, uint32_t, uint32_t, value)                                     \
    PTX_STEP_2(name##_64, uint64_t, uint64_t, uint64_t, value)                                     \
    static const struct ptx_op *name##_p(struct ptx_warp *warp, const struct ptx_op *op) {         \
        uint32_t a = ptx_predicate(warp, op->s[0]), b = ptx_predicate(warp, op->s[1]);             \
        ptx_set_predicate(warp, op->d[0], value);                                                  \
        return op + 1;                                                                             \
    }                                                                                              \
    ptx_steps ptx_##name = {[PTX_B16] = name##_16,                                                 \
                            [PTX_B32] = name##_32,                                                 \
                            [PTX_B64] = name##_64,                                                 \
                            [PTX_PRED] = name##_p};
LOGIC(and, a &b)
LOGIC(or, a | b)
LOGIC(xor, a ^ b)

PTX_STEP_1(not_16, uint16_t, uint16_t, ~a)
PTX_STEP_1(not_32, uint32_t, uint32_t, ~a)
PTX_STEP_1(not_64, uint64_t, uint64_t, ~a)
ptx_steps ptx_not = {[PTX_B16] = not_16,
                     [PTX_B32] = not_32,
                     [PTX_B64] = not_64,
                     [PTX_PRED] = ptx_step_predicate_not};

PTX_STEP_1(cnot_16, uint16_t, uint16_t, a == 0)
PTX_STEP_1(cnot_32, uint32_t, uint32_t, a == 0)
PTX_STEP_1(cnot_64, uint64_t, uint64_t, a == 0)
ptx_steps ptx_cnot = {[PTX_B16] = cnot_16, [PTX_B32] = cnot_32, [PTX_B64] = cnot_64};

// Shifts by more than all bits give zeros, or signs.

#define SHIFTS(X)                                                                                  \
    X(16, uint16_t, int16_t)                                                                       \
    X(32, uint32_t, int32_t)                                                                       \
    X(64, uint64_t, int64_t)
#define X(n, U, S)                                                                                 \
    PTX_STEP_2(shl_##n, U, U, uint32_t, b < n ? a << (b & (n - 1)) : 0)                            \
    PTX_STEP_2(shr_##n, U, U, uint32_t, b < n ? a >> (b & (n - 1)) : 0)                            \
    PTX_STEP_2(sar_##n, S, S, uint32_t, a >> (b < n ? b : n - 1))
SHIFTS(X)
#undef X
ptx_steps ptx_shl = {[PTX_B16] = shl_16, [PTX_B32] = shl_32, [PTX_B64] = shl_64};
ptx_steps ptx_shr = {[PTX_B16] = shr_16, [PTX_B32] = shr_32, [PTX_B64] = shr_64,
                     [PTX_U16] = shr_16, [PTX_U32] = shr_32, [PTX_U64] = shr_64,
                     [PTX_S16] = sar_16, [PTX_S32] = sar_32, [PTX_S64] = sar_64};

#define WIDE(a, b) ((uint64_t)(b) << 32 | (a))
#define WRAP(c) ((c) & 31)
#define CLAMP(c) ((c) < 32 ? (c) : 32)
#define FUNNEL(name, value)                                                                        \
    PTX_STEP_3(name##_step, uint32_t, uint32_t, uint32_t, uint32_t, value)                         \
    const struct ptx_op *ptx_step_##name(struct ptx_warp *warp, const struct ptx_op *op) {         \
        return name##_step(warp, op);                                                              \
    }
FUNNEL(shf_l_wrap, (WIDE(a, b) << WRAP(c)) >> 32)
FUNNEL(shf_l_clamp, (WIDE(a, b) << CLAMP(c)) >> 32)
FUNNEL(shf_r_wrap, WIDE(a, b) >> WRAP(c))
FUNNEL(shf_r_clamp, WIDE(a, b) >> CLAMP(c))

// Counting.

PTX_STEP_1(popc_32, uint32_t, uint32_t, __builtin_popcount(a))
PTX_STEP_1(popc_64, uint32_t, uint64_t, __builtin_popcountll(a))
ptx_steps ptx_popc = {[PTX_B32] = popc_32, [PTX_B64] = popc_64};
PTX_STEP_1(clz_32, uint32_t, uint32_t, a ? __builtin_clz(a) : 32)
PTX_STEP_1(clz_64, uint32_t, uint64_t, a ? __builtin_clzll(a) : 64)
ptx_steps ptx_clz = {[PTX_B32] = clz_32, [PTX_B64] = clz_64};

static uint64_t reverse(uint64_t a) {
    a = (a >> 1 & UINT64_C(0x5555555555555555)) | (a & UINT64_C(0x5555555555555555)) << 1;
    a = (a >> 2 & UINT64_C(0x3333333333333333)) | (a & UINT64_C(0x3333333333333333)) << 2;
    a = (a >> 4 & UINT64_C(0x0f0f0f0f0f0f0f0f)) | (a & UINT64_C(0x0f0f0f0f0f0f0f0f)) << 4;
    return __builtin_bswap64(a);
}
PTX_STEP_1(brev_32, uint32_t, uint32_t, reverse(a) >> 32)
PTX_STEP_1(brev_64, uint64_t, uint64_t, reverse(a))
ptx_steps ptx_brev = {[PTX_B32] = brev_32, [PTX_B64] = brev_64};

/// The highest bit that isn't the sign; -1: none. With `is_shift`, the shift that brings it to the
/// top.
static uint32_t find_bit(uint64_t a, unsigned bits, bool is_shift) {
    if (a == 0)
        return UINT32_MAX;
    uint32_t at = 63 - (uint32_t)__builtin_clzll(a);
    return is_shift ? bits - 1 - at : at;
}
#define SIGNLESS(S, U, a) ((U)((S)(a) < 0 ? ~(a) : (a)))
#define FIND(suffix, is_shift)                                                                     \
    PTX_STEP_1(bfind_u32##suffix, uint32_t, uint32_t, find_bit(a, 32, is_shift))                   \
    PTX_STEP_1(bfind_u64##suffix, uint32_t, uint64_t, find_bit(a, 64, is_shift))                   \
    PTX_STEP_1(bfind_s32##suffix, uint32_t, int32_t,                                               \
               find_bit(SIGNLESS(int32_t, uint32_t, a), 32, is_shift))                             \
    PTX_STEP_1(bfind_s64##suffix, uint32_t, int64_t,                                               \
               find_bit(SIGNLESS(int64_t, uint64_t, a), 64, is_shift))                             \
    ptx_steps ptx_bfind##suffix = {[PTX_U32] = bfind_u32##suffix,                                  \
                                   [PTX_U64] = bfind_u64##suffix,                                  \
                                   [PTX_S32] = bfind_s32##suffix,                                  \
                                   [PTX_S64] = bfind_s64##suffix};
FIND(, false)
FIND(_shift, true)

/// The position of the n-th bit set from `base` on (n < 0: downwards); -1: there is none.
static uint32_t find_nth(uint32_t mask, uint32_t base, int32_t n) {
    if (base > 31)
        return UINT32_MAX;
    if (n == 0)
        return mask >> base & 1 ? base : UINT32_MAX;
    for (int32_t at = (int32_t)base, step = n > 0 ? 1 : -1; at >= 0 && at < 32; at += step) {
        n -= mask >> at & 1 ? step : 0;
        if (n == 0)
            return (uint32_t)at;
    }
    return UINT32_MAX;
}
PTX_STEP_3(fns_32, uint32_t, uint32_t, uint32_t, int32_t, find_nth(a, b, c))
ptx_steps ptx_fns = {[PTX_B32] = fns_32};

// Fields.

static uint64_t extract(uint64_t a, uint32_t position, uint32_t length, unsigned bits,
                        bool is_signed) {
    position &= 255;
    length &= 255;
    uint64_t last = position + length < bits ? position + length : bits;
    uint64_t sign_at = length == 0 ? 0 : last - 1;
    uint64_t sign = is_signed && length > 0 && a >> (sign_at & 63) & 1 ? UINT64_MAX : 0;
    uint64_t field = position < bits ? a >> (position & 63) : 0;
    uint64_t count = position < last ? last - position : 0;
    return count < 64 ? (field & ((UINT64_C(1) << count) - 1)) | sign << count : field;
}
PTX_STEP_3(bfe_u32, uint32_t, uint32_t, uint32_t, uint32_t, extract(a, b, c, 32, false))
PTX_STEP_3(bfe_s32, uint32_t, uint32_t, uint32_t, uint32_t, extract(a, b, c, 32, true))
PTX_STEP_3(bfe_u64, uint64_t, uint64_t, uint32_t, uint32_t, extract(a, b, c, 64, false))
PTX_STEP_3(bfe_s64, uint64_t, uint64_t, uint32_t, uint32_t, extract(a, b, c, 64, true))
ptx_steps ptx_bfe = {
    [PTX_U32] = bfe_u32, [PTX_S32] = bfe_s32, [PTX_U64] = bfe_u64, [PTX_S64] = bfe_s64};

static uint64_t insert(uint64_t a, uint64_t b, uint32_t position, uint32_t length) {
    position &= 255;
    length &= 255;
    if (position > 63)
        return b;
    uint64_t field = length < 64 ? (UINT64_C(1) << length) - 1 : UINT64_MAX;
    return (b & ~(field << position)) | (a & field) << position;
}
#define INSERT(T, suffix)                                                                          \
    static const struct ptx_op *bfi_##suffix(struct ptx_warp *warp, const struct ptx_op *op) {     \
        const T *pa = (const T *)(const void *)ptx_at(warp, op->s[0]);                             \
        const T *pb = (const T *)(const void *)ptx_at(warp, op->s[1]);                             \
        const uint32_t *pc = (const uint32_t *)(const void *)ptx_at(warp, op->s[2]);               \
        const uint32_t *pd = (const uint32_t *)(const void *)ptx_at(warp, op->s[3]);               \
        T *restrict to = (T *)(void *)warp->scratch;                                               \
        PTX_EACH_LANE(l) to[l] = (T)insert(pa[l], pb[l], pc[l], pd[l]);                            \
        ptx_store(warp, op->d[0], to, sizeof(T));                                                  \
        return op + 1;                                                                             \
    }
INSERT(uint32_t, 32)
INSERT(uint64_t, 64)
ptx_steps ptx_bfi = {[PTX_B32] = bfi_32, [PTX_B64] = bfi_64};

/// b bits set from bit a on.
static uint32_t field_mask(uint32_t a, uint32_t b, bool is_clamped) {
    if (!is_clamped) {
        a &= 31;
        b &= 31;
    }
    return a > 31 ? 0 : (b > 31 ? UINT32_MAX : (UINT32_C(1) << b) - 1) << a;
}
PTX_STEP_2(bmsk_clamp, uint32_t, uint32_t, uint32_t, field_mask(a, b, true))
PTX_STEP_2(bmsk_wrap, uint32_t, uint32_t, uint32_t, field_mask(a, b, false))
const struct ptx_op *ptx_step_bmsk_clamp(struct ptx_warp *warp, const struct ptx_op *op) {
    return bmsk_clamp(warp, op);
}
const struct ptx_op *ptx_step_bmsk_wrap(struct ptx_warp *warp, const struct ptx_op *op) {
    return bmsk_wrap(warp, op);
}

/// The low b bits of a, extended to 32.
static uint32_t extend(uint32_t a, uint32_t b, bool is_signed, bool is_clamped) {
    b = is_clamped ? b : b & 31;
    if (b > 31)
        return a;
    if (b == 0)
        return 0;
    uint32_t high = a << (32 - b);
    return is_signed ? (uint32_t)((int32_t)high >> (32 - b)) : high >> (32 - b);
}
PTX_STEP_2(szext_clamp_u32, uint32_t, uint32_t, uint32_t, extend(a, b, false, true))
PTX_STEP_2(szext_clamp_s32, uint32_t, uint32_t, uint32_t, extend(a, b, true, true))
PTX_STEP_2(szext_wrap_u32, uint32_t, uint32_t, uint32_t, extend(a, b, false, false))
PTX_STEP_2(szext_wrap_s32, uint32_t, uint32_t, uint32_t, extend(a, b, true, false))
ptx_steps ptx_szext_clamp = {[PTX_U32] = szext_clamp_u32, [PTX_S32] = szext_clamp_s32};
ptx_steps ptx_szext_wrap = {[PTX_U32] = szext_wrap_u32, [PTX_S32] = szext_wrap_s32};

/// Any function of three bits: bit 4a + 2b + c of the table, which is the fourth operand.
const struct ptx_op *ptx_step_lop3(struct ptx_warp *warp, const struct ptx_op *op) {
    const uint32_t *pa = (const uint32_t *)(const void *)ptx_at(warp, op->s[0]);
    const uint32_t *pb = (const uint32_t *)(const void *)ptx_at(warp, op->s[1]);
    const uint32_t *pc = (const uint32_t *)(const void *)ptx_at(warp, op->s[2]);
    uint32_t table = *(const uint32_t *)(const void *)ptx_at(warp, op->s[3]);
    uint32_t *restrict to = (uint32_t *)(void *)warp->scratch;
    PTX_EACH_LANE(l) {
        uint32_t a = pa[l], b = pb[l], c = pc[l], value = 0;
        for (unsigned i = 0; i < 8; i++)
            value |= -(table >> i & 1) & (i & 4 ? a : ~a) & (i & 2 ? b : ~b) & (i & 1 ? c : ~c);
        to[l] = value;
    }
    ptx_store_32(warp, op->d[0], to);
    return op + 1;
}

/// Four bytes chosen of the eight of b:a; bit 3 of a selector has the byte's sign instead.
static uint32_t permute(uint32_t a, uint32_t b, uint32_t selectors) {
    uint64_t bytes = WIDE(a, b);
    uint32_t value = 0;
    for (unsigned i = 0; i < 4; i++) {
        unsigned selector = selectors >> 4 * i & 15;
        uint32_t byte = (uint32_t)(bytes >> 8 * (selector & 7)) & 255;
        if (selector & 8)
            byte = byte & 128 ? 255 : 0;
        value |= byte << 8 * i;
    }
    return value;
}
PTX_STEP_3(prmt, uint32_t, uint32_t, uint32_t, uint32_t, permute(a, b, c))
const struct ptx_op *ptx_step_prmt(struct ptx_warp *warp, const struct ptx_op *op) {
    return prmt(warp, op);
}

/// Selectors of the modes that have names, by the low two bits of the last operand.
static const uint32_t modes[][4] = {
    {0x3210, 0x4321, 0x5432, 0x6543}, {0x5670, 0x6701, 0x7012, 0x0123},
    {0x0000, 0x1111, 0x2222, 0x3333}, {0x3210, 0x3211, 0x3222, 0x3333},
    {0x0000, 0x1110, 0x2210, 0x3210}, {0x1010, 0x3232, 0x1010, 0x3232}};
#define MODE(index, name)                                                                          \
    PTX_STEP_3(prmt_##name, uint32_t, uint32_t, uint32_t, uint32_t,                                \
               permute(a, b, modes[index][c & 3]))                                                 \
    ptx_steps ptx_prmt_##name = {[PTX_B32] = prmt_##name};
MODE(0, f4e)
MODE(1, b4e)
MODE(2, rc8)
MODE(3, ecl)
MODE(4, ecr)
MODE(5, rc16)
