// Moves: registers, parts of registers, selections, special registers, addresses.
#include <time.h>

#include "access.h"
#include "lanes.h"

const struct ptx_op *ptx_step_move(struct ptx_warp *warp, const struct ptx_op *op) {
    if (op->d_size[0] == 0)
        ptx_set_predicate(warp, op->d[0], ptx_predicate(warp, op->s[0]));
    else
        ptx_store(warp, op->d[0], ptx_at(warp, op->s[0]), op->d_size[0]);
    return op + 1;
}

/// One register of several: the first has the lowest bits.
const struct ptx_op *ptx_step_pack(struct ptx_warp *warp, const struct ptx_op *op) {
    size_t size = op->d_size[0], part = op->s_size[0];
    for (unsigned i = 0; i < op->s_count; i++) {
        const unsigned char *from = ptx_at(warp, op->s[i]);
        PTX_EACH_LANE(l)
        memcpy(warp->scratch + (size_t)l * size + i * part, from + (size_t)l * part, part);
    }
    ptx_store(warp, op->d[0], warp->scratch, size);
    return op + 1;
}

const struct ptx_op *ptx_step_unpack(struct ptx_warp *warp, const struct ptx_op *op) {
    size_t size = op->s_size[0], part = op->d_size[0];
    _Alignas(64) unsigned char whole[PTX_LANES * 16];
    memcpy(whole, ptx_at(warp, op->s[0]), size * PTX_LANES);
    for (unsigned i = 0; i < op->d_count; i++) {
        PTX_EACH_LANE(l)
        memcpy(warp->scratch + (size_t)l * part, whole + (size_t)l * size + i * part, part);
        ptx_store(warp, op->d[i], warp->scratch, part);
    }
    return op + 1;
}

const struct ptx_op *ptx_step_predicate_not(struct ptx_warp *warp, const struct ptx_op *op) {
    ptx_set_predicate(warp, op->d[0], ~ptx_predicate(warp, op->s[0]));
    return op + 1;
}

#define SELECT(bits)                                                                               \
    static const struct ptx_op *select_##bits(struct ptx_warp *warp, const struct ptx_op *op) {    \
        const uint##bits##_t *a = (const uint##bits##_t *)(const void *)ptx_at(warp, op->s[0]);    \
        const uint##bits##_t *b = (const uint##bits##_t *)(const void *)ptx_at(warp, op->s[1]);    \
        uint32_t chosen = ptx_predicate(warp, op->s[2]);                                           \
        uint##bits##_t *restrict to = (uint##bits##_t *)(void *)warp->scratch;                     \
        PTX_EACH_LANE(l) to[l] = chosen >> l & 1 ? a[l] : b[l];                                    \
        ptx_store_##bits(warp, op->d[0], to);                                                      \
        return op + 1;                                                                             \
    }
SELECT(16)
SELECT(32)
SELECT(64)
ptx_steps ptx_selp = {
    [PTX_B16] = select_16, [PTX_U16] = select_16, [PTX_S16] = select_16, [PTX_B32] = select_32,
    [PTX_U32] = select_32, [PTX_S32] = select_32, [PTX_F32] = select_32, [PTX_B64] = select_64,
    [PTX_U64] = select_64, [PTX_S64] = select_64, [PTX_F64] = select_64};

const struct ptx_op *ptx_step_select_32(struct ptx_warp *warp, const struct ptx_op *op) {
    return select_32(warp, op);
}

/// The first operand where the third is not negative: the predicate is made, and selected by.
const struct ptx_op *ptx_step_slct(struct ptx_warp *warp, const struct ptx_op *op) {
    size_t size = op->d_size[0];
    for (size_t l = 0; l < PTX_LANES; l++) {
        uint32_t bits;
        memcpy(&bits, ptx_at(warp, op->s[2]) + 4 * l, sizeof bits);
        float value;
        memcpy(&value, &bits, sizeof value);
        bool is_first = op->from_type == PTX_F32 ? value >= 0 : (int32_t)bits >= 0;
        memcpy(warp->scratch + l * size, ptx_at(warp, op->s[is_first ? 0 : 1]) + l * size, size);
    }
    ptx_store(warp, op->d[0], warp->scratch, size);
    return op + 1;
}
#define SLCT ptx_step_slct
ptx_steps ptx_slct = {[PTX_B16] = SLCT, [PTX_U16] = SLCT, [PTX_S16] = SLCT, [PTX_B32] = SLCT,
                      [PTX_U32] = SLCT, [PTX_S32] = SLCT, [PTX_F32] = SLCT, [PTX_B64] = SLCT,
                      [PTX_U64] = SLCT, [PTX_S64] = SLCT, [PTX_F64] = SLCT};

/// The same value in all lanes, cut to the register.
static const struct ptx_op *store_uniform(struct ptx_warp *warp, const struct ptx_op *op,
                                          uint64_t value) {
    if (op->d_size[0] == 8) {
        uint64_t *wide = (uint64_t *)(void *)warp->scratch;
        PTX_EACH_LANE(l) wide[l] = value;
    } else {
        uint32_t *narrow = (uint32_t *)(void *)warp->scratch;
        PTX_EACH_LANE(l) narrow[l] = (uint32_t)value;
    }
    ptx_store(warp, op->d[0], warp->scratch, op->d_size[0]);
    return op + 1;
}

/// The address of a variable in its space, plus `value`; without a variable, `value`.
const struct ptx_op *ptx_step_address(struct ptx_warp *warp, const struct ptx_op *op) {
    return store_uniform(warp, op,
                         op->value + (op->extra ? ptx_place_address(warp, op->extra) : 0));
}

static uint64_t nanoseconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

/// A value that a lane has by its number.
static const struct ptx_op *store_by_lane(struct ptx_warp *warp, const struct ptx_op *op,
                                          const uint32_t *values) {
    if (op->d_size[0] == 8) {
        uint64_t *wide = (uint64_t *)(void *)warp->scratch;
        PTX_EACH_LANE(l) wide[l] = values[l];
        values = (const uint32_t *)(const void *)warp->scratch;
    }
    ptx_store(warp, op->d[0], values, op->d_size[0]);
    return op + 1;
}

/// %laneid and the masks of lanes.
static const struct ptx_op *store_lane_special(struct ptx_warp *warp, const struct ptx_op *op) {
    uint32_t values[PTX_LANES];
    for (uint32_t l = 0; l < PTX_LANES; l++) {
        uint32_t self = UINT32_C(1) << l, below = self - 1;
        switch (op->kind) {
        case PTX_SPECIAL_LANEID:
            values[l] = l;
            break;
        case PTX_SPECIAL_LANEMASK_EQ:
            values[l] = self;
            break;
        case PTX_SPECIAL_LANEMASK_LT:
            values[l] = below;
            break;
        case PTX_SPECIAL_LANEMASK_LE:
            values[l] = below | self;
            break;
        case PTX_SPECIAL_LANEMASK_GE:
            values[l] = ~below;
            break;
        default:
            values[l] = ~(below | self);
        }
    }
    return store_by_lane(warp, op, values);
}

/// What is the same in all lanes of a warp.
static uint64_t uniform_special(const struct ptx_warp *warp, const struct ptx_op *op) {
    const struct ptx_run *run = warp->block->run;
    uint64_t clock = run->instructions + (uint64_t)(run->turn_length - warp->left);
    switch (op->kind) {
    case PTX_SPECIAL_NTID:
        return run->launch->block[op->value];
    case PTX_SPECIAL_CTAID:
        return warp->block->index[op->value];
    case PTX_SPECIAL_NCTAID:
        return run->launch->grid[op->value];
    case PTX_SPECIAL_WARPID:
        return warp->number;
    case PTX_SPECIAL_NWARPID:
        return 64;
    case PTX_SPECIAL_SMID:
        return warp->block->number %
               (run->launch->multiprocessors ? run->launch->multiprocessors : 1);
    case PTX_SPECIAL_NSMID:
        return run->launch->multiprocessors ? run->launch->multiprocessors : 1;
    case PTX_SPECIAL_CLOCK:
    case PTX_SPECIAL_CLOCK64:
        return clock;
    case PTX_SPECIAL_CLOCK_HI:
        return clock >> 32;
    case PTX_SPECIAL_GLOBALTIMER:
    case PTX_SPECIAL_GLOBALTIMER_LO:
        return nanoseconds();
    case PTX_SPECIAL_GLOBALTIMER_HI:
        return nanoseconds() >> 32;
    case PTX_SPECIAL_DYNAMIC_SMEM_SIZE:
        return run->launch->dynamic_shared;
    case PTX_SPECIAL_TOTAL_SMEM_SIZE:
        return run->shared_size;
    default:
        return 0; // %gridid
    }
}

const struct ptx_op *ptx_step_special(struct ptx_warp *warp, const struct ptx_op *op) {
    if (op->kind == PTX_SPECIAL_TID)
        return store_by_lane(warp, op, warp->thread[op->value]);
    if (op->kind == PTX_SPECIAL_LANEID ||
        (op->kind >= PTX_SPECIAL_LANEMASK_EQ && op->kind <= PTX_SPECIAL_LANEMASK_GT))
        return store_lane_special(warp, op);
    return store_uniform(warp, op, uniform_special(warp, op));
}

/// Whether addresses lie in the window at `value`; 0: in none.
const struct ptx_op *ptx_step_isspacep(struct ptx_warp *warp, const struct ptx_op *op) {
    const uint64_t *a = (const uint64_t *)(const void *)ptx_at(warp, op->s[0]);
    uint32_t bits = 0;
    PTX_EACH_LANE(l) {
        bool is_in = op->value ? a[l] - op->value < PTX_WINDOW_SIZE : a[l] < PTX_WINDOWS;
        bits |= (uint32_t)is_in << l;
    }
    ptx_set_predicate(warp, op->d[0], bits);
    return op + 1;
}
