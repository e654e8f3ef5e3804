// Barriers of a block. Threads arrive one by one (a group's at once), whatever warp they are in. A
// barrier without a count waits for all threads that have not ended.
#include <stdatomic.h>

#include "lanes.h"

/// The result of a reduction, in the frame of a group that waited.
static void store_result(const struct ptx_group *group, const struct ptx_op *op, uint32_t value) {
    unsigned char *to = group->frame->registers + op->d[0];
    uint32_t old;
    if (op->kind == PTX_BARRIER_POPC) {
        PTX_EACH_LANE(l)
        if (group->mask >> l & 1)
            memcpy(to + 4 * l, &value, sizeof value);
        return;
    }
    memcpy(&old, to, sizeof old);
    old = (old & ~group->mask) | (value ? group->mask : 0);
    memcpy(to, &old, sizeof old);
}

static uint32_t result_of(const struct ptx_op *op, const struct ptx_barrier *barrier) {
    if (op->kind == PTX_BARRIER_POPC)
        return barrier->true_count;
    if (op->kind == PTX_BARRIER_AND)
        return barrier->true_count == barrier->arrived;
    return barrier->true_count > 0;
}

static void release(struct ptx_block *block, uint32_t id) {
    struct ptx_barrier *barrier = &block->barriers[id];
    atomic_thread_fence(memory_order_seq_cst);
    for (uint32_t w = 0; w < block->warp_count; w++) {
        struct ptx_warp *warp = &block->warps[w];
        for (uint32_t g = 0; g < warp->group_count; g++) {
            struct ptx_group *group = &warp->groups[g];
            if (!group->mask || group->state != PTX_AT_BARRIER || group->barrier != id)
                continue;
            if (group->at->kind >= PTX_BARRIER_POPC)
                store_result(group, group->at, result_of(group->at, barrier));
            group->state = PTX_READY;
            do
                group->at++;
            while (group->at->run == ptx_step_join);
            ptx_run_wake(warp);
        }
    }
    *barrier = (struct ptx_barrier){.arrived = 0};
}

static void check(struct ptx_block *block, uint32_t id) {
    const struct ptx_barrier *barrier = &block->barriers[id];
    uint32_t expected = barrier->expected ? barrier->expected : block->live_threads;
    if (barrier->arrived > 0 && barrier->arrived >= expected)
        release(block, id);
}

void ptx_barriers_check(struct ptx_block *block) {
    for (uint32_t id = 0; id < PTX_BARRIERS; id++)
        check(block, id);
}

/// The lanes at the same barrier as the first one stay in the group.
static uint32_t isolate_barrier(struct ptx_warp *warp, const struct ptx_op *op) {
    const uint32_t *ids = (const uint32_t *)(const void *)ptx_at(warp, op->s[0]);
    ptx_group_isolate(warp, op);
    uint32_t id = ids[__builtin_ctz(warp->mask)], others = 0;
    for (uint32_t l = 0; l < PTX_LANES; l++)
        others |= (uint32_t)(warp->mask >> l & 1 && ids[l] != id) << l;
    if (others) {
        ptx_group_split(warp, others, op);
        warp->mask &= ~others;
    }
    return id;
}

const struct ptx_op *ptx_step_barrier(struct ptx_warp *warp, const struct ptx_op *op) {
    struct ptx_block *block = warp->block;
    uint32_t id = isolate_barrier(warp, op), count;
    memcpy(&count, ptx_at(warp, op->s[1]) + 4 * __builtin_ctz(warp->mask), sizeof count);
    if (id >= PTX_BARRIERS || count % PTX_LANES) {
        ptx_fault(warp, op, -1, PTX_ILLEGAL_INSTRUCTION, "barrier %u for %u threads", id, count);
        return NULL;
    }
    struct ptx_barrier *barrier = &block->barriers[id];
    barrier->arrived += (uint32_t)__builtin_popcount(warp->mask);
    if (count > 0)
        barrier->expected = count < block->run->threads ? count : 0;
    if (op->kind >= PTX_BARRIER_POPC)
        barrier->true_count +=
            (uint32_t)__builtin_popcount(warp->mask & ptx_predicate(warp, op->s[2]));
    if (op->kind == PTX_BARRIER_ARRIVE) {
        check(block, id);
        return op + 1;
    }
    warp->group->state = PTX_AT_BARRIER;
    warp->group->at = op;
    warp->group->barrier = id;
    check(block, id);
    return NULL;
}
