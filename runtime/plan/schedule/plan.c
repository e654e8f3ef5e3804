// Arrays of a plan grow by doubling; everything in them belongs to the plan, but layouts, which are
// held. What each node changes or gets of an allocation is noted as one region for all nodes, which
// says whether two plans may be carried out in any order.
#include "plan/schedule/plan.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "plan/schedule/plan_parts.h"
#include "plan/schedule/sound.h"

/// Room for one more, zeroed; NULL: no memory. There is always room up to a power of two.
static void *append(void **array, size_t *count, size_t size) {
    bool is_full = (*count & (*count - 1)) == 0;
    assert(*array || *count == 0);
    void *grown = is_full ? realloc(*array, (*count ? 2 * *count : 1) * size) : *array;
    if (!grown)
        return NULL;
    *array = grown;
    return memset((char *)grown + (*count)++ * size, 0, size);
}

struct gcl_plan_allocation *gcl_plan_add_allocation(struct gcl_plan *plan,
                                                    const struct gcl_directory_entry *entry) {
    void *allocations = plan->allocations;
    struct gcl_plan_allocation *allocation =
        append(&allocations, &plan->allocation_count, sizeof *allocation);
    plan->allocations = allocations;
    if (allocation)
        *allocation = (struct gcl_plan_allocation){.begin = entry->begin,
                                                   .size = entry->size,
                                                   .use = entry->use,
                                                   .before = gcl_layout_hold(entry->layout),
                                                   .after = gcl_layout_hold(entry->layout)};
    return allocation;
}

bool gcl_plan_add_transfer(struct gcl_plan *plan, const struct gcl_transfer *transfer) {
    void *transfers = plan->transfers;
    struct gcl_transfer *added = append(&transfers, &plan->transfer_count, sizeof *added);
    plan->transfers = transfers;
    assert(transfer->allocation < plan->allocation_count && transfer->to < transfer->to_end);
    assert(!plan->own); // which would miss it
    if (added)
        *added = *transfer;
    return added != NULL;
}

bool gcl_plan_add_fault(struct gcl_plan *plan, const struct gcl_transfer *fault) {
    void *faults = plan->faults;
    struct gcl_transfer *added = append(&faults, &plan->fault_count, sizeof *added);
    plan->faults = faults;
    assert(fault->allocation < plan->allocation_count && fault->to + 1 == fault->to_end);
    if (added)
        *added = *fault;
    return added != NULL;
}

bool gcl_plan_add_combination(struct gcl_plan *plan, struct gcl_combination *combination) {
    void *combinations = plan->combinations;
    struct gcl_combination *added = append(&combinations, &plan->combination_count, sizeof *added);
    plan->combinations = combinations;
    assert(combination->allocation < plan->allocation_count);
    if (!added)
        return false;
    *added = *combination;
    combination->bytes = NULL;
    combination->limits = NULL;
    return true;
}

struct gcl_region *gcl_regions_create(uint32_t count) {
    return calloc(count, sizeof(struct gcl_region));
}

void gcl_regions_destroy(struct gcl_region *regions, uint32_t count) {
    for (uint32_t i = 0; regions && i < count; i++)
        gcl_region_finish(&regions[i]);
    free(regions);
}

void gcl_combination_finish(struct gcl_combination *combination, uint32_t node_count) {
    gcl_regions_destroy(combination->bytes, node_count);
    free(combination->limits);
}

static void finish_allocation(struct gcl_plan_allocation *allocation) {
    gcl_region_finish(&allocation->opened);
    gcl_region_finish(&allocation->used);
    gcl_region_finish(&allocation->touched);
    gcl_regions_destroy(allocation->needed, allocation->before->node_count);
    gcl_layout_release(allocation->before);
    gcl_layout_release(allocation->after);
}

void gcl_plan_rewind(struct gcl_plan *plan, size_t allocation_count, size_t transfer_count) {
    assert(plan->allocation_count >= allocation_count && plan->transfer_count >= transfer_count);
    while (plan->allocation_count > allocation_count)
        finish_allocation(&plan->allocations[--plan->allocation_count]);
    while (plan->transfer_count > transfer_count)
        gcl_region_finish(&plan->transfers[--plan->transfer_count].bytes);
}

void gcl_plan_finish(struct gcl_plan *plan) {
    for (size_t i = 0; i < plan->combination_count; i++) {
        struct gcl_combination *combination = &plan->combinations[i];
        gcl_combination_finish(combination,
                               plan->allocations[combination->allocation].before->node_count);
    }
    for (size_t i = 0; i < plan->fault_count; i++)
        gcl_region_finish(&plan->faults[i].bytes);
    gcl_plan_rewind(plan, 0, 0);
    free(plan->allocations);
    free(plan->transfers);
    free(plan->faults);
    free(plan->combinations);
    free(plan->own);
    plan->own = NULL;
    plan->allocations = NULL;
    plan->transfers = NULL;
    plan->faults = NULL;
    plan->combinations = NULL;
    plan->combination_count = plan->fault_count = 0;
    plan->moves = (struct gcl_moves){.bytes = {0}};
}

struct gcl_plan *gcl_plan_create(void) {
    struct gcl_plan *plan = calloc(1, sizeof *plan);
    if (plan)
        atomic_init(&plan->holders, 1);
    return plan;
}

struct gcl_plan *gcl_plan_hold(struct gcl_plan *plan) {
    unsigned holders = atomic_fetch_add(&plan->holders, 1);
    assert(holders > 0); // nobody holds what is gone
    (void)holders;
    return plan;
}

bool gcl_transfer_reaches(const struct gcl_transfer *transfer, uint32_t node) {
    return node >= transfer->to && node < transfer->to_end && node != transfer->from;
}

uint32_t gcl_transfer_receivers(const struct gcl_transfer *transfer) {
    bool is_among_them = transfer->from >= transfer->to && transfer->from < transfer->to_end;
    return transfer->to_end - transfer->to - is_among_them;
}

static bool concerns(const struct gcl_transfer *transfer, uint32_t node) {
    return transfer->from == node || gcl_transfer_reaches(transfer, node);
}

bool gcl_plan_select(struct gcl_plan *plan, uint32_t node) {
    size_t count = 0;
    if (plan->own)
        return true;
    for (size_t i = 0; i < plan->transfer_count; i++)
        count += concerns(&plan->transfers[i], node);
    plan->own = malloc((count + 1) * sizeof *plan->own);
    if (!plan->own)
        return false;
    plan->own_count = 0;
    for (size_t i = 0; i < plan->transfer_count; i++) {
        if (concerns(&plan->transfers[i], node))
            plan->own[plan->own_count++] = (uint32_t)i;
    }
    return true;
}

void gcl_plan_release(struct gcl_plan *plan) {
    if (!plan || atomic_fetch_sub(&plan->holders, 1) > 1)
        return;
    gcl_plan_finish(plan);
    free(plan);
}

void gcl_plan_commit(const struct gcl_plan *plan, struct gcl_directory *directory) {
    assert(gcl_plan_is_sound(plan));
    for (size_t i = 0; i < plan->allocation_count; i++) {
        const struct gcl_plan_allocation *a = &plan->allocations[i];
        gcl_directory_update(directory, a->begin, a->after, a->is_changed ? &a->touched : NULL);
    }
}

static size_t regions_memory(const struct gcl_region *regions, size_t count) {
    size_t size = count * sizeof *regions;
    for (size_t i = 0; i < count; i++)
        size += gcl_region_memory(&regions[i]);
    return size;
}

size_t gcl_plan_memory(const struct gcl_plan *plan) {
    size_t size =
        sizeof *plan + plan->allocation_count * sizeof *plan->allocations +
        plan->transfer_count * sizeof *plan->transfers + plan->fault_count * sizeof *plan->faults +
        plan->combination_count * sizeof *plan->combinations + plan->own_count * sizeof *plan->own;
    for (size_t i = 0; i < plan->allocation_count; i++) {
        const struct gcl_plan_allocation *allocation = &plan->allocations[i];
        size += gcl_region_memory(&allocation->used) + gcl_region_memory(&allocation->touched);
        if (allocation->needed)
            size += regions_memory(allocation->needed, allocation->before->node_count);
    }
    for (size_t i = 0; i < plan->transfer_count; i++)
        size += gcl_region_memory(&plan->transfers[i].bytes);
    for (size_t i = 0; i < plan->fault_count; i++)
        size += gcl_region_memory(&plan->faults[i].bytes);
    for (size_t i = 0; i < plan->combination_count; i++) {
        uint32_t count = plan->allocations[plan->combinations[i].allocation].before->node_count;
        size += regions_memory(plan->combinations[i].bytes, count) +
                (count + (size_t)1) * sizeof *plan->combinations[i].limits;
    }
    return size;
}

uint64_t gcl_plan_moved(const struct gcl_plan *plan) {
    uint64_t moved = 0;
    for (size_t i = 0; i < plan->transfer_count; i++) {
        const struct gcl_transfer *t = &plan->transfers[i];
        if (t->from != GCL_NOWHERE)
            moved += gcl_transfer_receivers(t) * (uint64_t)gcl_region_size(&t->bytes);
    }
    return moved;
}

uint64_t gcl_plan_faulted(const struct gcl_plan *plan) {
    uint64_t size = 0;
    for (size_t i = 0; i < plan->fault_count; i++)
        size += (uint64_t)gcl_region_size(&plan->faults[i].bytes);
    return size;
}

uint64_t gcl_plan_fault_versions(const struct gcl_plan *plan, struct gcl_directory *directory) {
    uint64_t versions = 0;
    for (size_t i = 0; i < plan->allocation_count && plan->fault_count > 0; i++) {
        const struct gcl_plan_allocation *a = &plan->allocations[i];
        versions += a->is_faulted ? gcl_directory_find(directory, a->begin)->version : 0;
    }
    return versions;
}

bool gcl_combination_part(const struct gcl_combination *c, uint32_t node, uint32_t home,
                          struct gcl_region *part) {
    struct gcl_span limits = {c->limits[home], c->limits[home + 1]};
    return gcl_region_clip(&c->bytes[node], limits, part);
}

uint64_t gcl_combination_moved(const struct gcl_combination *c, uint32_t node_count) {
    uint64_t moved = 0;
    for (uint32_t node = 0; node < node_count; node++) {
        struct gcl_region own = {.count = 0};
        bool exact = gcl_combination_part(c, node, node, &own);
        moved += (uint64_t)(gcl_region_size(&c->bytes[node]) - (exact ? gcl_region_size(&own) : 0));
        gcl_region_finish(&own);
    }
    return moved;
}

uint64_t gcl_plan_combined(const struct gcl_plan *plan, uint32_t node_count) {
    uint64_t moved = 0;
    for (size_t i = 0; i < plan->combination_count; i++)
        moved += gcl_combination_moved(&plan->combinations[i], node_count);
    return moved;
}

// Conflicts.

static bool meet(const struct gcl_plan_allocation *a, const struct gcl_plan_allocation *b) {
    // Whole pages of guarded memory change hands, and pages that are touched may come from
    // elsewhere for another plan.
    return a->use == GCL_HOST_GUARDED || (a != b && a->is_faulted && b->is_faulted) ||
           gcl_region_overlaps(&a->touched, &b->touched) ||
           gcl_region_overlaps(&a->touched, &b->used) || gcl_region_overlaps(&a->used, &b->touched);
}

bool gcl_plan_conflicts(const struct gcl_plan *a, const struct gcl_plan *b) {
    for (size_t i = 0; i < a->allocation_count; i++) {
        for (size_t k = 0; k < b->allocation_count; k++) {
            if (a->allocations[i].begin == b->allocations[k].begin &&
                meet(&a->allocations[i], &b->allocations[k]))
                return true;
        }
    }
    return false;
}
