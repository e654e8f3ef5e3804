// A node takes what it lacks from the nodes next to it that have it: neighbours hold halos, and
// what everybody has isn't asked from one.
#include <stdlib.h>

#include "plan/directory/holders.h"
#include "plan/schedule/plan_parts.h"

enum { LEAST_RECEIVERS = 3 }; ///< of what is gathered

/// How nodes get bytes: gcl_plan_add_transfer, gcl_plan_add_fault.
typedef bool add_way(struct gcl_plan *plan, const struct gcl_transfer *transfer);

/// Takes from `lack` what `from` can give to `to`.
static bool take(struct gcl_plan *plan, add_way *add, const struct gcl_plan_allocation *allocation,
                 uint32_t from, uint32_t to, struct gcl_region *lack) {
    const struct gcl_layout *layout = allocation->before;
    const struct gcl_region *held = &layout->held[from];
    struct gcl_transfer transfer = {.allocation = (uint32_t)(allocation - plan->allocations),
                                    .from = from == layout->node_count ? GCL_NOWHERE : from,
                                    .to = to,
                                    .to_end = to + 1,
                                    .fill = layout->fill};
    if (!gcl_region_overlaps(lack, held))
        return true;
    if (gcl_region_intersect(lack, held, &transfer.bytes) &&
        gcl_region_subtract(lack, &transfer.bytes, lack) &&
        (gcl_region_is_empty(&transfer.bytes) || add(plan, &transfer)))
        return true;
    gcl_region_finish(&transfer.bytes);
    return false;
}

// Gathering: what many nodes get from each other, each of them from the only one that has it, would
// be a transfer for each pair of them. It is one for each node that has some.

/// Nodes that lack something: from the first to the last of them, all.
struct receivers {
    uint32_t begin, end;
};

/// False: there are others between them, or too few of them.
static bool find_receivers(const struct gcl_region *lacked, uint32_t count,
                           struct receivers *receivers) {
    uint32_t lacking = 0;
    *receivers = (struct receivers){count, 0};
    for (uint32_t i = 0; i < count; i++) {
        if (gcl_region_is_empty(&lacked[i]))
            continue;
        receivers->begin = receivers->begin < i ? receivers->begin : i;
        receivers->end = i + 1;
        lacking++;
    }
    return lacking >= LEAST_RECEIVERS && receivers->end - receivers->begin == lacking;
}

/// What some of the receivers lack, the others have or lack as well, and nobody makes itself.
/// False: nothing, or it can't be said.
static bool find_common(const struct gcl_layout *layout, const struct gcl_region *lacked,
                        struct receivers receivers, struct gcl_region *common) {
    bool exact = true;
    for (uint32_t i = receivers.begin; exact && i < receivers.end; i++)
        exact = gcl_region_unite(common, &lacked[i], common);
    exact = exact && gcl_region_subtract(common, &layout->held[layout->node_count], common);
    for (uint32_t i = receivers.begin; exact && i < receivers.end; i++) {
        struct gcl_region others = {.count = 0};
        exact = gcl_region_subtract(common, &lacked[i], &others) &&
                gcl_region_subtract(&others, &layout->held[i], &others) &&
                gcl_region_subtract(common, &others, common);
        gcl_region_finish(&others);
        if (gcl_region_is_empty(common))
            return false;
    }
    return exact;
}

/// Finds what each node has of the common bytes. False: several have the same, or it can't be said.
static bool find_parts(const struct gcl_layout *layout, const struct gcl_region *common,
                       struct gcl_region *parts) {
    int64_t size = 0, all = gcl_region_size(common);
    for (uint32_t i = 0; i < layout->node_count && size <= all; i++) {
        if (!gcl_region_intersect(common, &layout->held[i], &parts[i]))
            return false;
        size += gcl_region_size(&parts[i]);
    }
    return size == all;
}

/// Takes the parts. False: no memory.
static bool add_gathering(struct gcl_plan *plan, const struct gcl_plan_allocation *allocation,
                          struct receivers receivers, struct gcl_region *parts) {
    bool ok = true;
    for (uint32_t i = 0; ok && i < allocation->before->node_count; i++) {
        if (gcl_region_is_empty(&parts[i]))
            continue;
        ok = gcl_plan_add_transfer(
            plan, &(struct gcl_transfer){.allocation = (uint32_t)(allocation - plan->allocations),
                                         .from = i,
                                         .to = receivers.begin,
                                         .to_end = receivers.end,
                                         .bytes = parts[i]});
        if (ok)
            parts[i] = (struct gcl_region){.count = 0};
    }
    return ok;
}

/// Has nodes get what all of them lack that haven't got it; `gathered` becomes that, which may be
/// nothing. False: no memory.
static bool gather(struct gcl_plan *plan, const struct gcl_plan_allocation *allocation,
                   const struct gcl_region *lacked, struct gcl_region *gathered) {
    uint32_t count = allocation->before->node_count;
    struct receivers receivers;
    if (!find_receivers(lacked, count, &receivers))
        return true;
    struct gcl_region *parts = gcl_regions_create(count);
    bool ok = parts != NULL;
    if (ok && find_common(allocation->before, lacked, receivers, gathered) &&
        find_parts(allocation->before, gathered, parts))
        ok = add_gathering(plan, allocation, receivers, parts);
    else
        gcl_region_finish(gathered);
    gcl_regions_destroy(parts, count);
    return ok;
}

/// Takes all of `lack` from the nodes next to a node.
static bool take_nearest(struct gcl_plan *plan, add_way *add,
                         const struct gcl_plan_allocation *allocation,
                         const struct gcl_holders *holders, uint32_t to, struct gcl_region *lack) {
    struct gcl_holders_search search = {.holders = holders, .around = to};
    bool exact = true;
    while (exact && !gcl_region_is_empty(lack)) {
        uint32_t from = gcl_holders_next(&search, gcl_region_bounds(lack));
        exact = from != GCL_NOWHERE && take(plan, add, allocation, from, to, lack);
    }
    return exact;
}

/// Has a node get what it lacks and isn't gathered.
static bool fetch(struct gcl_plan *plan, const struct gcl_plan_allocation *allocation,
                  const struct gcl_holders *holders, uint32_t to, const struct gcl_region *lacked,
                  const struct gcl_region *gathered) {
    struct gcl_region lack = {.count = 0};
    bool exact =
        gcl_region_subtract(lacked, gathered, &lack) &&
        take(plan, gcl_plan_add_transfer, allocation, allocation->before->node_count, to, &lack) &&
        take_nearest(plan, gcl_plan_add_transfer, allocation, holders, to, &lack);
    gcl_region_finish(&lack);
    return exact;
}

bool gcl_plan_fetch(struct gcl_plan *plan, const struct gcl_plan_allocation *allocation,
                    const struct gcl_region *lacked) {
    struct gcl_holders holders;
    struct gcl_region gathered = {.count = 0};
    bool exact =
        gcl_holders_init(&holders, allocation->before->held, allocation->before->node_count) &&
        gather(plan, allocation, lacked, &gathered);
    for (uint32_t i = 0; exact && i < allocation->before->node_count; i++)
        exact = gcl_region_is_empty(&lacked[i]) ||
                fetch(plan, allocation, &holders, i, &lacked[i], &gathered);
    gcl_region_finish(&gathered);
    gcl_holders_finish(&holders);
    return exact;
}

bool gcl_plan_fetch_touched(struct gcl_plan *plan, struct gcl_plan_allocation *allocation,
                            const struct gcl_region *faulted) {
    struct gcl_holders holders;
    uint32_t count = allocation->before->node_count;
    size_t before = plan->fault_count;
    bool exact = gcl_holders_init(&holders, allocation->before->held, count);
    for (uint32_t i = 0; exact && i < count; i++) {
        struct gcl_region lack = {.count = 0};
        exact = gcl_region_is_empty(&faulted[i]) ||
                (gcl_region_copy(&faulted[i], &lack) &&
                 take_nearest(plan, gcl_plan_add_fault, allocation, &holders, i, &lack));
        gcl_region_finish(&lack);
    }
    allocation->is_faulted = plan->fault_count > before;
    gcl_holders_finish(&holders);
    return exact;
}
