// Footprints of two halves, instead of one for each node, tell whether blocks on either side of a
// cut change the same bytes: kernels that count along an axis mostly do it evenly.
#include "plan/program/split.h"

#include <assert.h>

#include "gcluster/reasons.h"

/// What two ranges of blocks on either side of a cut have to do with each other.
struct cut {
    uint16_t overlap; ///< an access that changes what the other range changes; GCL_NONE: none does
    uint16_t reason;  ///< why they can't run on two nodes, 0: they can
    uint16_t access;
};

static struct cut judge(const struct gcl_program *program, const struct gcl_launch_part *launch,
                        const struct gcl_classes *classes) {
    struct cut cut = {GCL_NONE, classes->reason, classes->access};
    for (size_t i = 0; i < classes->count && cut.overlap == GCL_NONE; i++) {
        const struct gcl_handling *handling = &classes->handlings[i];
        if ((handling->handles & GCL_HANDLE_MERGE) && !handling->is_disjoint)
            cut.overlap =
                gcl_classes_access(program, launch, &handling->allocation, GCL_ACCESS_WRITE);
    }
    return cut;
}

/// Looks at the launch in two halves along an axis. False: no memory.
static bool halve(struct gcl_evaluator *evaluator, const struct gcl_launch_part *launch,
                  const struct gcl_memory *memory, unsigned axis, struct cut *cut) {
    const struct gcl_program *program = gcl_evaluator_program(evaluator);
    struct gcl_footprint halves[2] = {{.count = 0}};
    struct gcl_classes classes = {.count = 0};
    bool ok = true;
    for (uint32_t i = 0; i < 2 && ok; i++) {
        const struct gcl_launch_part part = gcl_split_part(launch, axis, 2, i);
        ok = gcl_footprint_find(evaluator, &part, memory, &halves[i]);
    }
    ok = ok && gcl_classes_find(program, launch, halves, 2, &classes);
    if (ok)
        *cut = judge(program, launch, &classes);
    gcl_classes_finish(&classes);
    gcl_footprint_finish(&halves[0]);
    gcl_footprint_finish(&halves[1]);
    return ok;
}

static bool is_cut(const struct gcl_launch_part *launch, unsigned axis) {
    return launch->end[axis] - launch->begin[axis] > 1;
}

/// Decides for `axis` if it is better than what `split` says, by how it looks there.
static void take(struct gcl_split *split, unsigned axis, const struct cut *cut) {
    if (split->axis && (cut->reason || cut->overlap != GCL_NONE))
        return;
    split->axis = cut->reason ? 0 : (char)('x' + axis);
    split->reason = cut->reason ? cut->reason : cut->overlap != GCL_NONE ? GCL_REASON_OVERLAP : 0;
    split->access = cut->reason ? cut->access : cut->overlap;
}

bool gcl_split_counts(const struct gcl_program *program, unsigned axis) {
    assert(axis < 3);
    for (uint16_t i = 0; i < program->node_count; i++) {
        const struct gcl_node *node = &program->nodes[i];
        bool counts = node->kind == GCL_NODE_BLOCK_INDEX || node->kind == GCL_NODE_GLOBAL_INDEX;
        if (counts && node->a == axis)
            return true;
    }
    return false;
}

bool gcl_split_choose(struct gcl_evaluator *evaluator, const struct gcl_launch_part *launch,
                      const struct gcl_memory *memory, struct gcl_split *split) {
    const struct gcl_program *program = gcl_evaluator_program(evaluator);
    *split = (struct gcl_split){.reason = GCL_REASON_NO_BLOCKS, .access = GCL_NONE};
    if (program->flags & GCL_PROGRAM_SINGLE) {
        split->reason = 0;
        return true;
    }
    for (unsigned axis = 3; axis-- > 0 && (!split->axis || split->reason);) {
        bool counts =
            program->split ? program->split == (char)('x' + axis) : gcl_split_counts(program, axis);
        struct cut cut;
        if (!counts || !is_cut(launch, axis))
            continue;
        if (!halve(evaluator, launch, memory, axis, &cut))
            return false;
        take(split, axis, &cut);
    }
    return true;
}

struct gcl_launch_part gcl_split_part(const struct gcl_launch_part *launch, unsigned axis,
                                      uint32_t count, uint32_t index) {
    assert(axis < 3 && index < count);
    struct gcl_launch_part part = *launch;
    uint64_t begin = launch->begin[axis], blocks = launch->end[axis] - begin;
    part.begin[axis] = (uint32_t)(begin + blocks * index / count);
    part.end[axis] = (uint32_t)(begin + blocks * (index + 1) / count);
    return part;
}

struct gcl_launch_part gcl_split_weighed(const struct gcl_launch_part *launch, unsigned axis,
                                         const uint32_t *weights, uint32_t count, uint32_t index) {
    assert(axis < 3 && index < count);
    if (!weights)
        return gcl_split_part(launch, axis, count, index);
    struct gcl_launch_part part = *launch;
    uint64_t begin = launch->begin[axis], blocks = launch->end[axis] - begin;
    uint64_t all = 0, least = 0, before = 0, sum = 0;
    for (uint32_t i = 0; i < count; i++)
        all += weights[i];
    for (uint32_t i = 0; i < count; i++)
        least = 2 * blocks * weights[i] >= all ? all : least;
    for (uint32_t i = 0; i < count; i++) {
        uint64_t weight = 2 * blocks * weights[i] >= least ? weights[i] : 0;
        before += i < index ? weight : 0;
        sum += weight;
    }
    uint64_t own = 2 * blocks * weights[index] >= least ? weights[index] : 0;
    part.begin[axis] = (uint32_t)(begin + blocks * before / sum);
    part.end[axis] = (uint32_t)(begin + blocks * (before + own) / sum);
    return part;
}

bool gcl_split_is_empty(const struct gcl_launch_part *part) {
    return part->begin[0] >= part->end[0] || part->begin[1] >= part->end[1] ||
           part->begin[2] >= part->end[2];
}
