// Groups of lanes: which one of a warp runs, and where groups meet. Of those that can run, the one
// goes first that has used fewer turns; then that of the deepest call, then that of the first
// operation in the text, where LLVM puts what comes before a meeting point. A group that runs for
// long while others wait has used a turn: so lanes that wait for others of their warp don't wait
// forever.
#include <assert.h>
#include <string.h>

#include "../execute/steps.h"
#include "warp.h"

enum { TURN = 4096 };

static const struct ptx_op *behind_join(const struct ptx_op *op) {
    while (op->run == ptx_step_join)
        op++;
    return op;
}

struct ptx_group *ptx_group_split(struct ptx_warp *warp, uint32_t mask, const struct ptx_op *at) {
    struct ptx_group *group = warp->group;
    assert(mask && (group->mask & mask) == mask && group->mask != mask);
    assert(warp->group_count < PTX_LANES);
    struct ptx_group *other = &warp->groups[warp->group_count++];
    *other = *group;
    other->mask = mask;
    other->at = behind_join(at);
    group->mask &= ~mask;
    return other;
}

void ptx_group_isolate(struct ptx_warp *warp, const struct ptx_op *op) {
    uint32_t rest = warp->group->mask & ~warp->mask;
    if (rest)
        ptx_group_split(warp, rest, op + 1);
}

void ptx_group_exit(struct ptx_warp *warp) {
    struct ptx_group *group = warp->group;
    uint32_t mask = warp->mask;
    struct ptx_frame *frame = group->frame;
    while (frame) {
        struct ptx_frame *parent = frame->parent;
        ptx_frame_leave(warp->block->run, frame, mask);
        frame = parent;
    }
    group->mask &= ~mask;
    warp->alive &= ~mask;
    warp->block->live_threads -= (uint32_t)__builtin_popcount(mask);
    ptx_barriers_check(warp->block);
    ptx_lanes_check(warp);
}

bool ptx_warp_begin(struct ptx_warp *warp, uint32_t mask) {
    const struct ptx_code *code = warp->block->run->code;
    warp->mask = warp->alive = mask;
    struct ptx_frame *frame = ptx_frame_create(warp, code, NULL, code->ops);
    if (!frame)
        return false;
    warp->groups[0] =
        (struct ptx_group){.mask = mask, .state = PTX_READY, .at = code->ops, .frame = frame};
    warp->group_count = 1;
    return true;
}

bool ptx_warp_is_ready(const struct ptx_warp *warp) {
    for (uint32_t i = 0; i < warp->group_count; i++)
        if (warp->groups[i].mask && warp->groups[i].state == PTX_READY)
            return true;
    return false;
}

/// Drops groups without lanes, and makes one of groups that are at one place.
static void merge(struct ptx_warp *warp) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < warp->group_count; i++) {
        struct ptx_group group = warp->groups[i];
        if (!group.mask)
            continue;
        uint32_t k = 0;
        while (k < count &&
               (group.state != PTX_READY || warp->groups[k].state != PTX_READY ||
                warp->groups[k].at != group.at || warp->groups[k].frame != group.frame))
            k++;
        if (k == count) {
            warp->groups[count++] = group;
            continue;
        }
        struct ptx_group *other = &warp->groups[k];
        other->mask |= group.mask;
        other->round = group.round < other->round ? group.round : other->round;
        other->used = group.used < other->used ? group.used : other->used;
    }
    warp->group_count = count;
}

static bool comes_before(const struct ptx_group *a, const struct ptx_group *b) {
    if (a->round != b->round)
        return a->round < b->round;
    if (a->frame->depth != b->frame->depth)
        return a->frame->depth > b->frame->depth;
    return (uintptr_t)a->at < (uintptr_t)b->at;
}

static struct ptx_group *choose(struct ptx_warp *warp) {
    if (warp->group_count > 1 || (warp->group_count == 1 && !warp->groups[0].mask))
        merge(warp);
    struct ptx_group *best = NULL;
    for (uint32_t i = 0; i < warp->group_count; i++) {
        struct ptx_group *group = &warp->groups[i];
        if (group->state == PTX_READY && (!best || comes_before(group, best)))
            best = group;
    }
    return best;
}

/// Lanes of the group whose guard lets them execute the operation.
static inline uint32_t guarded(const struct ptx_warp *warp, const struct ptx_op *op,
                               uint32_t mask) {
    uint32_t holds;
    memcpy(&holds, warp->base[0] + (op->guard & ~UINT32_C(3)), sizeof holds);
    return mask & (op->guard & 2 ? ~holds : holds);
}

static void run_group(struct ptx_warp *warp, struct ptx_group *group) {
    warp->group = group;
    warp->base[0] = group->frame->registers;
    warp->base[1] = group->frame->code->pool;
    int64_t left = warp->left;
    uint32_t lanes = (uint32_t)__builtin_popcount(group->mask);
    const struct ptx_op *op = group->at;
    uint64_t executed = 0;
    while (op) {
        warp->mask = op->guard ? guarded(warp, op, group->mask) : group->mask;
        warp->left--;
        executed++;
        op = warp->mask ? op->run(warp, op) : op + 1;
    }
    group->used += left - warp->left;
    warp->block->run->instructions += executed * lanes;
    if (group->used >= TURN) {
        group->used = 0;
        group->round++;
    }
}

void ptx_warp_turn(struct ptx_warp *warp) {
    struct ptx_run *run = warp->block->run;
    while (warp->left > 0 && run->end == PTX_DONE) {
        struct ptx_group *group = choose(warp);
        if (!group)
            return;
        run_group(warp, group);
    }
}
