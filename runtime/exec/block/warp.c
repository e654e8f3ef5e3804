// Shuffles, votes, matches and reductions of lanes.
#include "exec/block/warp.h"

#include <string.h>

uint64_t gcl_warp_combine(uint32_t operation, uint64_t a, uint64_t b) {
    switch ((enum gcl_cut_operation)operation) {
    case GCL_REDUCE_NONE:
        return b;
    case GCL_REDUCE_COUNT:
        return a + (b != 0);
    case GCL_REDUCE_ADD:
        return a + b;
    case GCL_REDUCE_AND:
        return a & b;
    case GCL_REDUCE_OR:
        return a | b;
    case GCL_REDUCE_XOR:
        return a ^ b;
    case GCL_REDUCE_MIN_SIGNED:
        return (int64_t)a < (int64_t)b ? a : b;
    case GCL_REDUCE_MAX_SIGNED:
        return (int64_t)a > (int64_t)b ? a : b;
    case GCL_REDUCE_MIN_UNSIGNED:
        return a < b ? a : b;
    case GCL_REDUCE_MAX_UNSIGNED:
        return a > b ? a : b;
    }
    return b;
}

uint64_t gcl_warp_neutral(uint32_t operation) {
    switch ((enum gcl_cut_operation)operation) {
    case GCL_REDUCE_AND:
    case GCL_REDUCE_MIN_UNSIGNED:
        return UINT64_MAX;
    case GCL_REDUCE_MIN_SIGNED:
        return (uint64_t)INT64_MAX;
    case GCL_REDUCE_MAX_SIGNED:
        return (uint64_t)INT64_MIN;
    default:
        return 0;
    }
}

// A lane that takes no part gives 0. CUDA leaves open what it gives; reductions over the first few
// lanes of a warp, as in NVIDIA's samples, are right with nothing else.
static void shuffle(uint64_t *value, const uint32_t *lane, uint32_t group) {
    uint64_t before[GCL_WARP_LANES];
    memcpy(before, value, sizeof before);
    for (uint32_t l = 0; l < GCL_WARP_LANES; l++) {
        if (group >> l & 1 && lane[l] < GCL_WARP_LANES)
            value[l] = group >> lane[l] & 1 ? before[lane[l]] : 0;
    }
}

static void match(uint64_t *value, uint32_t group) {
    uint64_t before[GCL_WARP_LANES];
    memcpy(before, value, sizeof before);
    for (uint32_t l = 0; l < GCL_WARP_LANES; l++) {
        if (!(group >> l & 1))
            continue;
        uint32_t same = 0;
        for (uint32_t other = 0; other < GCL_WARP_LANES; other++)
            same |= (uint32_t)(before[other] == before[l]) << other;
        value[l] = same & group;
    }
}

static void give_all(uint64_t *value, uint32_t group, uint64_t result) {
    for (uint32_t l = 0; l < GCL_WARP_LANES; l++) {
        if (group >> l & 1)
            value[l] = result;
    }
}

static void ballot(uint64_t *value, uint32_t group) {
    uint32_t bits = 0;
    for (uint32_t l = 0; l < GCL_WARP_LANES; l++)
        bits |= (uint32_t)(value[l] != 0) << l;
    give_all(value, group, bits & group);
}

static void reduce(uint64_t *value, uint32_t group, uint32_t operation) {
    uint64_t result = gcl_warp_neutral(operation);
    for (uint32_t l = 0; l < GCL_WARP_LANES; l++) {
        if (group >> l & 1)
            result = gcl_warp_combine(operation, result, value[l]);
    }
    give_all(value, group, result);
}

// The arrays of a pool hold whole warps, so lanes behind the block's last thread may be read, but
// are never in a group.
void gcl_warp_exchange(const struct gcl_cut *cut, struct gcl_block *block, uint32_t first,
                       uint32_t group) {
    uint64_t *value = block->value + first;
    switch ((enum gcl_cut_kind)cut->kind) {
    case GCL_CUT_WARP_BALLOT:
        ballot(value, group);
        break;
    case GCL_CUT_WARP_SHUFFLE:
        shuffle(value, block->lane + first, group);
        break;
    case GCL_CUT_WARP_MATCH:
        match(value, group);
        break;
    case GCL_CUT_WARP_REDUCE:
        reduce(value, group, cut->operation);
        break;
    default:
        break;
    }
}

void gcl_block_exchange(struct gcl_block *block, uint32_t kind, uint32_t operation, uint32_t first,
                        uint32_t lanes) {
    const struct gcl_cut cut = {.kind = kind, .operation = operation};
    while (lanes) {
        uint32_t group = 0, mask = block->mask[first + (uint32_t)__builtin_ctz(lanes)];
        for (uint32_t l = 0; l < GCL_WARP_LANES; l++)
            group |= (lanes >> l & (block->mask[first + l] == mask)) << l;
        gcl_warp_exchange(&cut, block, first, group);
        lanes &= ~group;
    }
}
