// Neighbouring blocks touch neighbouring bytes, mostly, and what moves is at the ends of a part. So
// one block, then two, four and eight are left out at the end, at the begin, and at both, until the
// footprint of the others has nothing to do with what moves. That takes a few evaluations, each as
// long as that of a part.
//
// Blocks of a launch may run in any order, but not every program keeps to that: where they combine
// values, or learn from each other by atomic operations, a part is left whole.
#include "plan/schedule/border.h"

#include <assert.h>
#include <stdlib.h>

enum {
    MOST_LEFT_OUT = 8, ///< at one end
    INNER_SHARE = 2,   ///< at least one of so many blocks has to be an inner one
};

/// Whether any byte is of those that a use changes.
static bool is_changed(const struct gcl_allocation_use *use, const struct gcl_region *bytes) {
    return gcl_region_overlaps(&use->written, bytes) || gcl_region_overlaps(&use->touched, bytes) ||
           gcl_region_overlaps(&use->reduced, bytes) || gcl_region_overlaps(&use->claimed, bytes);
}

static bool is_apart(const struct gcl_footprint *footprint, const struct gcl_plan *plan,
                     uint32_t node) {
    for (size_t i = 0; i < plan->transfer_count; i++) {
        const struct gcl_transfer *t = &plan->transfers[i];
        const struct gcl_allocation_use *use =
            gcl_footprint_use(footprint, (int64_t)plan->allocations[t->allocation].begin);
        bool comes = gcl_transfer_reaches(t, node), moves = comes || t->from == node;
        if (use && moves &&
            (is_changed(use, &t->bytes) || (comes && gcl_region_overlaps(&use->read, &t->bytes))))
            return false;
    }
    return true;
}

bool gcl_border_is_apart(const struct gcl_border *border, const struct gcl_plan *plan,
                         uint32_t node) {
    return is_apart(&border->footprint, plan, node);
}

/// Whether blocks neither combine values nor ask for any order.
static bool is_plain(const struct gcl_footprint *footprint) {
    bool is = !footprint->reads_escaped && !footprint->writes_escaped && !footprint->follows &&
              footprint->reading_count == 0;
    for (size_t i = 0; i < footprint->count && is; i++)
        is = gcl_region_is_empty(&footprint->uses[i].reduced) &&
             gcl_region_is_empty(&footprint->uses[i].claimed);
    return is;
}

/// Whether a plan's bytes move before blocks alone, and nobody else uses the memory meanwhile.
static bool may_move_beside(const struct gcl_plan *plan) {
    for (size_t i = 0; i < plan->allocation_count; i++) {
        if (plan->allocations[i].use != GCL_HOST_NEVER)
            return false;
    }
    return plan->combination_count == 0;
}

/// How a search for inner blocks has ended.
enum verdict { FOUND, NOT_YET, NEVER };

/// Tries blocks [border->begin, border->end).
static enum verdict try_inner(struct gcl_evaluator *evaluator, struct gcl_launch_part part,
                              const struct gcl_memory *memory, unsigned axis,
                              const struct gcl_plan *plan, uint32_t node,
                              struct gcl_border *border) {
    part.begin[axis] = border->begin;
    part.end[axis] = border->end;
    assert(border->begin < border->end);
    gcl_footprint_finish(&border->footprint);
    if (!gcl_footprint_find(evaluator, &part, memory, &border->footprint) ||
        gcl_evaluator_is_spent(evaluator) || !is_plain(&border->footprint))
        return NEVER;
    return is_apart(&border->footprint, plan, node) ? FOUND : NOT_YET;
}

static enum verdict search(struct gcl_evaluator *evaluator, const struct gcl_launch_part *part,
                           const struct gcl_memory *memory, unsigned axis,
                           const struct gcl_plan *plan, uint32_t node, struct gcl_border *border) {
    uint32_t count = part->end[axis] - part->begin[axis];
    for (uint32_t out = 1; out <= MOST_LEFT_OUT; out *= 2) {
        for (unsigned ends = 1; ends <= 3; ends++) { // bit 0: at the end, bit 1: at the begin
            uint32_t left_out = (ends == 3 ? 2 : 1) * out;
            if (left_out > count - count / INNER_SHARE || left_out >= count)
                continue;
            border->begin = part->begin[axis] + (ends & 2 ? out : 0);
            border->end = part->end[axis] - (ends & 1 ? out : 0);
            enum verdict verdict = try_inner(evaluator, *part, memory, axis, plan, node, border);
            if (verdict != NOT_YET)
                return verdict;
        }
    }
    return NEVER;
}

struct gcl_border *gcl_border_create(struct gcl_evaluator *evaluator,
                                     const struct gcl_launch_part *part,
                                     const struct gcl_memory *memory, unsigned axis,
                                     const struct gcl_plan *plan, uint32_t node) {
    struct gcl_border *border = may_move_beside(plan) ? calloc(1, sizeof *border) : NULL;
    if (!border)
        return NULL;
    border->holders = 1;
    if (search(evaluator, part, memory, axis, plan, node, border) == FOUND)
        return border;
    gcl_border_release(border);
    return NULL;
}

struct gcl_border *gcl_border_hold(struct gcl_border *border) {
    border->holders++;
    return border;
}

void gcl_border_release(struct gcl_border *border) {
    if (!border || --border->holders > 0)
        return;
    gcl_footprint_finish(&border->footprint);
    free(border);
}

size_t gcl_border_memory(const struct gcl_border *border) {
    size_t size = border ? sizeof *border : 0;
    for (size_t i = 0; border && i < border->footprint.count; i++) {
        const struct gcl_allocation_use *use = &border->footprint.uses[i];
        size += sizeof *use + gcl_region_memory(&use->read) + gcl_region_memory(&use->written) +
                gcl_region_memory(&use->touched);
    }
    return size;
}
