// Whatever takes too many parts to say exactly is taken to be so: asserts find what is wrong, and
// mustn't find what is only complicated.
#include "plan/schedule/sound.h"

/// Whether all bytes of a part are in the whole, as far as that can be said.
static bool lies_in(const struct gcl_region *part, const struct gcl_region *whole) {
    struct gcl_region rest = {.count = 0};
    bool does = !gcl_region_subtract(part, whole, &rest) || gcl_region_is_empty(&rest);
    gcl_region_finish(&rest);
    return does;
}

static bool is_within(const struct gcl_region *region, const struct gcl_plan_allocation *in) {
    struct gcl_span bounds = gcl_region_bounds(region);
    return gcl_region_is_valid(region) && bounds.begin >= 0 && bounds.end <= (int64_t)in->size;
}

static bool is_transfer_sound(const struct gcl_plan *plan, const struct gcl_transfer *transfer) {
    if (transfer->allocation >= plan->allocation_count)
        return false;
    const struct gcl_plan_allocation *allocation = &plan->allocations[transfer->allocation];
    const struct gcl_layout *before = allocation->before;
    bool is_fill = transfer->from == GCL_NOWHERE;
    if (transfer->to >= transfer->to_end || transfer->to_end > before->node_count ||
        (!is_fill && transfer->from >= before->node_count) ||
        (is_fill && transfer->fill != before->fill))
        return false;
    return gcl_transfer_receivers(transfer) > 0 && !gcl_region_is_empty(&transfer->bytes) &&
           is_within(&transfer->bytes, allocation) &&
           lies_in(&transfer->bytes, &before->held[is_fill ? before->node_count : transfer->from]);
}

/// As a transfer from a node to one other that lacks all of it, of an allocation that nobody
/// changes.
static bool is_fault_sound(const struct gcl_plan *plan, const struct gcl_transfer *fault) {
    if (!is_transfer_sound(plan, fault) || fault->from == GCL_NOWHERE ||
        fault->to + 1 != fault->to_end)
        return false;
    const struct gcl_plan_allocation *allocation = &plan->allocations[fault->allocation];
    return allocation->is_faulted && !allocation->is_changed &&
           !gcl_region_overlaps(&fault->bytes, &allocation->after->held[fault->to]) &&
           lies_in(&fault->bytes, &allocation->used);
}

static bool is_combination_sound(const struct gcl_plan *plan,
                                 const struct gcl_combination *combination) {
    if (combination->allocation >= plan->allocation_count)
        return false;
    const struct gcl_plan_allocation *allocation = &plan->allocations[combination->allocation];
    const int64_t *limits = combination->limits;
    uint32_t count = allocation->before->node_count;
    bool is_sound = limits[0] >= 0 && limits[count] <= (int64_t)allocation->size;
    for (uint32_t i = 0; i < count && is_sound; i++) {
        struct gcl_span bounds = gcl_region_bounds(&combination->bytes[i]);
        is_sound = limits[i] <= limits[i + 1] && is_within(&combination->bytes[i], allocation) &&
                   (bounds.begin == bounds.end ||
                    (bounds.begin >= limits[0] && bounds.end <= limits[count]));
    }
    return is_sound;
}

/// Whether a node has all that it needs of an allocation once transfers are done.
static bool is_supplied(const struct gcl_plan *plan, uint32_t allocation, uint32_t node) {
    const struct gcl_plan_allocation *a = &plan->allocations[allocation];
    struct gcl_region lack = {.count = 0};
    bool is_exact = gcl_region_subtract(&a->needed[node], &a->before->held[node], &lack);
    for (size_t i = 0; i < plan->transfer_count && is_exact; i++) {
        const struct gcl_transfer *transfer = &plan->transfers[i];
        if (transfer->allocation == allocation && gcl_transfer_reaches(transfer, node))
            is_exact = gcl_region_subtract(&lack, &transfer->bytes, &lack);
    }
    bool is = !is_exact || gcl_region_is_empty(&lack);
    gcl_region_finish(&lack);
    return is;
}

static bool is_allocation_sound(const struct gcl_plan *plan, uint32_t allocation) {
    const struct gcl_plan_allocation *a = &plan->allocations[allocation];
    bool is_sound = gcl_layout_is_complete(a->after, (int64_t)a->size) &&
                    is_within(&a->opened, a) && is_within(&a->used, a) && is_within(&a->touched, a);
    for (uint32_t node = 0; a->needed && node < a->before->node_count && is_sound; node++)
        is_sound = is_within(&a->needed[node], a) && is_supplied(plan, allocation, node);
    return is_sound;
}

bool gcl_plan_is_sound(const struct gcl_plan *plan) {
    bool is_sound = true;
    for (size_t i = 0; i < plan->allocation_count && is_sound; i++)
        is_sound = is_allocation_sound(plan, (uint32_t)i);
    for (size_t i = 0; i < plan->transfer_count && is_sound; i++)
        is_sound = is_transfer_sound(plan, &plan->transfers[i]);
    for (size_t i = 0; i < plan->fault_count && is_sound; i++)
        is_sound = is_fault_sound(plan, &plan->faults[i]);
    for (size_t i = 0; i < plan->combination_count && is_sound; i++)
        is_sound = is_combination_sound(plan, &plan->combinations[i]);
    return is_sound;
}

// Parts, in the order of nodes, follow each other along the schedule's axis from the first to the
// last block of the launch, and have all its blocks along the others.
bool gcl_schedule_is_sound(const struct gcl_schedule *schedule,
                           const struct gcl_launch_part *launch) {
    unsigned axis = schedule->axis ? (unsigned)(schedule->axis - 'x') : 0;
    struct gcl_launch_part rest = *launch;
    for (uint32_t i = 0; i < schedule->node_count; i++) {
        const struct gcl_launch_part *part = &schedule->parts[i];
        if (gcl_split_is_empty(part))
            continue;
        for (unsigned k = 0; k < 3; k++) {
            if (part->begin[k] != rest.begin[k] || (k != axis && part->end[k] != rest.end[k]))
                return false;
        }
        rest.begin[axis] = part->end[axis];
    }
    return gcl_split_is_empty(launch) || rest.begin[axis] == rest.end[axis];
}
