// What a demand asks for is outlined first: what each node needs, lacks and owns afterwards. From
// the outline follow a plan's transfers and combinations, or only the bytes that they would move.
//
// What is combined is cut into as many stretches as there are nodes, unless it is so small that the
// messages would cost more than the bytes; each has a home, where its old value is needed and its
// new one is afterwards. The home of guarded memory is node 0, which works on whole pages of it.
#include <stdlib.h>

#include "plan/directory/pages.h"
#include "plan/schedule/plan_parts.h"

enum {
    ONE_HOME = 16 << 10,     ///< bytes; combined by one node up to there
    HOME_ALIGNMENT = 64,     ///< bytes; more than any element that is reduced
    LEAST_FAULTED = 4 << 20, ///< bytes that a node lacks, of which pages come as they are touched;
    MOST_FAULTED = 256       ///< and runs of these bytes
};

// Combinations.

static void set_limits(struct gcl_combination *combination, const struct gcl_region *all,
                       uint32_t count, enum gcl_host_use use) {
    struct gcl_span bounds = gcl_region_bounds(all);
    bool has_one_home = gcl_region_size(all) <= ONE_HOME || use == GCL_HOST_GUARDED;
    uint32_t homes = has_one_home ? 1 : count;
    int64_t step = (bounds.end - bounds.begin + homes - 1) / homes;
    step = (step + HOME_ALIGNMENT - 1) / HOME_ALIGNMENT * HOME_ALIGNMENT;
    for (uint32_t i = 0; i <= count; i++) {
        int64_t limit = bounds.begin + i * step;
        combination->limits[i] = i >= homes || limit > bounds.end ? bounds.end : limit;
    }
}

/// What one demand makes of each node's bytes.
struct gcl_demand_outline {
    const struct gcl_demand *demand;
    const struct gcl_layout *layout; ///< of which it is, held
    uint32_t count;
    struct gcl_region *needed;  ///< valid before
    struct gcl_region *written; ///< alone valid afterwards
    struct gcl_region *lacked;  ///< of those that are needed: not valid there yet,
    struct gcl_region *faulted; ///< but for these, which come as they are touched; NULL: none
    struct gcl_region opened;   ///< as in struct gcl_plan_allocation
    /// Several where what nodes merge are values of several sizes.
    struct gcl_combination combinations[GCL_VALUE_SIZES];
    unsigned combination_count;
};

static bool add_all(const struct gcl_region *regions, uint32_t count, struct gcl_region *sums) {
    for (uint32_t i = 0; regions && i < count; i++) {
        if (!gcl_region_unite(&sums[i], &regions[i], &sums[i]))
            return false;
    }
    return true;
}

static bool find_all(const struct gcl_region *regions, uint32_t count, struct gcl_region *all) {
    bool exact = true;
    for (uint32_t i = 0; i < count; i++)
        exact =
            (gcl_region_is_empty(&regions[i]) || gcl_region_unite(all, &regions[i], all)) && exact;
    return exact;
}

/// Each home needs the old value of what it combines, and has the new one.
static bool add_homes(struct gcl_demand_outline *outline, const struct gcl_combination *combination,
                      const struct gcl_region *all) {
    bool exact = true;
    for (uint32_t i = 0; exact && i < outline->count; i++) {
        struct gcl_region home = {.count = 0};
        struct gcl_span limits = {combination->limits[i], combination->limits[i + 1]};
        exact = gcl_region_clip(all, limits, &home) &&
                gcl_region_unite(&outline->needed[i], &home, &outline->needed[i]) &&
                gcl_region_unite(&outline->written[i], &home, &outline->written[i]);
        gcl_region_finish(&home);
    }
    return exact;
}

/// Node 0 rewrites the whole stretch of guarded memory that it combines.
static void widen(struct gcl_region *all) {
    struct gcl_span bounds = gcl_region_bounds(all);
    gcl_region_finish(all);
    *all = gcl_region_run(bounds.begin, bounds.end);
}

/// Finds what nodes may change of `values`; NULL: all of it. False: too many parts.
static bool find_combined(const struct gcl_demand *demand, uint32_t count,
                          const struct gcl_region *values, struct gcl_region *combined) {
    bool exact = true;
    for (uint32_t i = 0; exact && i < count; i++)
        exact = values ? gcl_region_intersect(&demand->combined[i], values, &combined[i])
                       : gcl_region_copy(&demand->combined[i], &combined[i]);
    return exact;
}

/// Adds a combination of elements of so many bytes, which are where `values` are, or everywhere.
static bool combine(enum gcl_host_use use, struct gcl_demand_outline *outline, uint16_t element,
                    const struct gcl_region *values) {
    const struct gcl_demand *demand = outline->demand;
    struct gcl_combination *combination = &outline->combinations[outline->combination_count++];
    struct gcl_region all = {.count = 0};
    combination->kind = demand->kind;
    combination->reduction = demand->reduction;
    combination->element = element;
    combination->bytes = gcl_regions_create(outline->count);
    combination->limits = calloc(outline->count + (size_t)1, sizeof *combination->limits);
    if (!combination->bytes || !combination->limits)
        return false;
    bool exact = find_combined(demand, outline->count, values, combination->bytes) &&
                 find_all(combination->bytes, outline->count, &all);
    set_limits(combination, &all, outline->count, use);
    if (use == GCL_HOST_GUARDED)
        widen(&all);
    exact = exact && add_homes(outline, combination, &all);
    gcl_region_finish(&all);
    // Unless they start with the neutral element, they need the value from before.
    return exact && (demand->kind == GCL_COMBINATION_REDUCE ||
                     add_all(combination->bytes, outline->count, outline->needed));
}

static bool combine_all(enum gcl_host_use use, struct gcl_demand_outline *outline) {
    const struct gcl_region *values = outline->demand->values;
    bool exact = true;
    if (!values)
        return combine(use, outline, outline->demand->element, NULL);
    for (unsigned size = 0; exact && size < GCL_VALUE_SIZES; size++)
        exact = gcl_region_is_empty(&values[size]) ||
                combine(use, outline, (uint16_t)(1u << size), &values[size]);
    return exact;
}

// Outlines.

/// Rounds what node 0 needs and writes to pages. Those that it writes all of, it needn't get.
static bool take_pages(struct gcl_demand_outline *outline, int64_t size) {
    struct gcl_region *needed = &outline->needed[0], *written = &outline->written[0];
    struct gcl_region edges = {.count = 0};
    gcl_pages_around(written, size, &outline->opened);
    bool exact = gcl_region_subtract(&outline->opened, written, &edges) &&
                 gcl_region_unite(needed, &edges, needed) &&
                 gcl_region_copy(&outline->opened, written);
    gcl_region_finish(&edges);
    gcl_pages_around(needed, size, needed);
    for (uint32_t i = 1; exact && i < outline->count; i++)
        exact = gcl_region_is_empty(&outline->written[i]) ||
                gcl_region_subtract(written, &outline->written[i], written);
    return exact;
}

void gcl_demand_outline_destroy(struct gcl_demand_outline *outline) {
    if (!outline)
        return;
    gcl_regions_destroy(outline->needed, outline->count);
    gcl_regions_destroy(outline->written, outline->count);
    gcl_regions_destroy(outline->lacked, outline->count);
    gcl_regions_destroy(outline->faulted, outline->count);
    gcl_region_finish(&outline->opened);
    for (unsigned i = 0; i < outline->combination_count; i++)
        gcl_combination_finish(&outline->combinations[i], outline->count);
    gcl_layout_release(outline->layout);
    free(outline);
}

// Faults.

/// Whether some node changes some of the allocation.
static bool is_changed(const struct gcl_demand_outline *outline) {
    for (uint32_t i = 0; i < outline->count; i++) {
        if (!gcl_region_is_empty(&outline->written[i]))
            return true;
    }
    return outline->combination_count > 0;
}

/// The whole pages in a region of an allocation, which begins at `begin`.
static bool find_pages(const struct gcl_region *region, uint64_t begin, struct gcl_region *pages) {
    struct gcl_span runs[MOST_FAULTED];
    struct gcl_region_cursor cursor = {.region = region};
    struct gcl_span run;
    size_t count = 0;
    const int64_t ahead = (int64_t)(begin % GCL_PAGE_SIZE);
    while (gcl_region_next(&cursor, &run)) {
        runs[count].begin = (run.begin + ahead + GCL_PAGE_SIZE - 1) / GCL_PAGE_SIZE;
        runs[count].begin = runs[count].begin * GCL_PAGE_SIZE - ahead;
        runs[count].end = (run.end + ahead) / GCL_PAGE_SIZE * GCL_PAGE_SIZE - ahead;
        count += runs[count].begin < runs[count].end;
    }
    return gcl_region_from_runs(runs, count, pages);
}

/// Finds what one node gets as it touches it. Nothing, unless that is worth it.
static bool find_faulted(struct gcl_demand_outline *outline, uint64_t begin, uint32_t node) {
    const struct gcl_layout *layout = outline->layout;
    struct gcl_region others = {.count = 0}, *pages = &outline->faulted[node];
    bool exact =
        gcl_region_subtract(&outline->lacked[node], &layout->held[layout->node_count], &others);
    if (exact && gcl_region_size(&others) >= LEAST_FAULTED &&
        gcl_region_run_count(&others) <= MOST_FAULTED)
        exact = find_pages(&others, begin, pages);
    gcl_region_finish(&others);
    if (gcl_region_size(pages) < LEAST_FAULTED)
        gcl_region_finish(pages);
    return exact && gcl_region_subtract(&outline->lacked[node], pages, &outline->lacked[node]);
}

static bool find_all_faulted(struct gcl_demand_outline *outline, uint64_t begin) {
    outline->faulted = gcl_regions_create(outline->count);
    bool exact = outline->faulted != NULL;
    for (uint32_t i = 0; exact && i < outline->count; i++)
        exact = find_faulted(outline, begin, i);
    return exact;
}

/// False: as gcl_demand_outline_create.
static bool draw(struct gcl_demand_outline *outline, const struct gcl_directory_entry *entry) {
    const struct gcl_demand *demand = outline->demand;
    const struct gcl_layout *layout = outline->layout;
    uint32_t count = outline->count;
    outline->needed = gcl_regions_create(count);
    outline->written = gcl_regions_create(count);
    outline->lacked = gcl_regions_create(count);
    bool exact = outline->needed && outline->written && outline->lacked &&
                 add_all(demand->needed, count, outline->needed) &&
                 add_all(demand->written, count, outline->written);
    if (exact && demand->combined)
        exact = combine_all(entry->use, outline);
    if (exact && entry->use == GCL_HOST_GUARDED)
        exact = take_pages(outline, (int64_t)entry->size);
    for (uint32_t i = 0; exact && i < count; i++)
        exact = gcl_region_is_empty(&outline->needed[i]) ||
                gcl_region_subtract(&outline->needed[i], &layout->held[i], &outline->lacked[i]);
    if (exact && demand->is_faulted && entry->use == GCL_HOST_NEVER && !is_changed(outline))
        exact = find_all_faulted(outline, entry->begin);
    return exact;
}

struct gcl_demand_outline *gcl_demand_outline_create(struct gcl_directory *directory,
                                                     const struct gcl_demand *demand) {
    const struct gcl_directory_entry *entry = gcl_directory_find(directory, demand->begin);
    struct gcl_demand_outline *outline = calloc(1, sizeof *outline);
    if (!outline)
        return NULL;
    outline->demand = demand;
    outline->layout = gcl_layout_hold(entry->layout);
    outline->count = entry->layout->node_count;
    if (draw(outline, entry))
        return outline;
    gcl_demand_outline_destroy(outline);
    return NULL;
}

static bool change(struct gcl_directory *directory, struct gcl_plan_allocation *allocation,
                   const struct gcl_layout_change *change) {
    const struct gcl_layout *after =
        gcl_layouts_change(gcl_directory_layouts(directory), allocation->before, change);
    if (!after)
        return false;
    gcl_layout_release(allocation->after);
    allocation->after = gcl_layout_hold(after);
    return true;
}

/// What can't be said exactly is rounded up. Finds all that is `written`; false: that, and more.
static bool note_uses(const struct gcl_demand_outline *outline,
                      struct gcl_plan_allocation *allocation, struct gcl_region *written) {
    bool is_exact = find_all(outline->written, outline->count, written);
    bool is_rounded = !find_all(outline->needed, outline->count, &allocation->used);
    is_rounded |= !find_all(outline->lacked, outline->count, &allocation->touched);
    is_rounded |= !gcl_region_unite(&allocation->touched, written, &allocation->touched);
    (void)is_rounded;
    return is_exact;
}

/// Takes the outline's combinations.
static bool take_combinations(struct gcl_plan *plan, uint32_t allocation,
                              struct gcl_demand_outline *outline) {
    bool ok = true;
    for (unsigned i = 0; i < outline->combination_count && ok; i++) {
        outline->combinations[i].allocation = allocation;
        ok = gcl_plan_add_combination(plan, &outline->combinations[i]);
    }
    return ok;
}

/// Takes the outline's combinations and pages.
static bool carry_out(struct gcl_plan *plan, struct gcl_directory *directory,
                      const struct gcl_directory_entry *entry, struct gcl_demand_outline *outline) {
    struct gcl_plan_allocation *allocation = gcl_plan_add_allocation(plan, entry);
    struct gcl_region written = {.count = 0};
    if (!allocation)
        return false;
    allocation->opened = outline->opened;
    outline->opened = (struct gcl_region){.count = 0};
    bool knows_written = note_uses(outline, allocation, &written);
    allocation->is_changed = !gcl_region_is_empty(&written);
    const struct gcl_layout_change what = {.received = outline->lacked,
                                           .written = outline->written,
                                           .all_written = knows_written ? &written : NULL};
    const uint32_t index = (uint32_t)(allocation - plan->allocations);
    bool exact =
        take_combinations(plan, index, outline) &&
        gcl_plan_fetch(plan, allocation, outline->lacked) &&
        (!outline->faulted || gcl_plan_fetch_touched(plan, allocation, outline->faulted)) &&
        change(directory, allocation, &what);
    gcl_region_finish(&written);
    return exact;
}

/// What comes as it is touched needn't be there before.
static bool spare_faulted(struct gcl_demand_outline *outline) {
    bool exact = true;
    for (uint32_t i = 0; exact && outline->faulted && i < outline->count; i++)
        exact = gcl_region_subtract(&outline->needed[i], &outline->faulted[i], &outline->needed[i]);
    return exact;
}

bool gcl_plan_add_outline(struct gcl_plan *plan, struct gcl_directory *directory,
                          struct gcl_demand_outline *outline) {
    const struct gcl_demand *demand = outline->demand;
    const struct gcl_directory_entry *entry = gcl_directory_find(directory, demand->begin);
    bool exact = entry && entry->layout == outline->layout &&
                 carry_out(plan, directory, entry, outline) && spare_faulted(outline);
    uint32_t allocation = (uint32_t)plan->allocation_count - 1;
    if (exact && plan->counts_moves && demand->combined)
        gcl_moves_add_combined(&plan->moves, plan, allocation, outline->count);
    else if (exact && plan->counts_moves)
        exact =
            gcl_moves_add_needed(&plan->moves, plan, allocation, outline->needed, outline->count);
    if (exact && !gcl_region_is_empty(&plan->allocations[allocation].used)) {
        plan->allocations[allocation].needed = outline->needed;
        outline->needed = NULL;
    }
    return exact;
}

bool gcl_plan_demand(struct gcl_plan *plan, struct gcl_directory *directory,
                     const struct gcl_demand *demand) {
    struct gcl_demand_outline *outline = gcl_demand_outline_create(directory, demand);
    bool exact = outline && gcl_plan_add_outline(plan, directory, outline);
    gcl_demand_outline_destroy(outline);
    return exact;
}

/// Bytes of `lacked` that come from other nodes. False: no memory.
static bool count_moved(const struct gcl_layout *layout, const struct gcl_region *lacked,
                        uint64_t *moved) {
    struct gcl_region rest = {.count = 0};
    bool exact = gcl_region_subtract(lacked, &layout->held[layout->node_count], &rest);
    *moved += (uint64_t)gcl_region_size(&rest);
    gcl_region_finish(&rest);
    return exact;
}

bool gcl_demand_outline_cost(const struct gcl_demand_outline *outline, uint64_t *bytes) {
    bool exact = true;
    for (uint32_t i = 0; exact && i < outline->count; i++)
        exact = gcl_region_is_empty(&outline->lacked[i]) ||
                count_moved(outline->layout, &outline->lacked[i], bytes);
    for (unsigned i = 0; exact && i < outline->combination_count; i++)
        *bytes += gcl_combination_moved(&outline->combinations[i], outline->count);
    return exact;
}

bool gcl_plan_fill(struct gcl_plan *plan, struct gcl_directory *directory, uint64_t begin,
                   const struct gcl_region *bytes, uint8_t value) {
    struct gcl_plan_allocation *allocation =
        gcl_plan_add_allocation(plan, gcl_directory_find(directory, begin));
    struct gcl_region *lacked =
        allocation ? gcl_regions_create(allocation->before->node_count) : NULL;
    if (!lacked)
        return false;
    const struct gcl_layout *before = allocation->before;
    allocation->is_changed = true;
    // What was filled with another value has to become somebody's own.
    bool exact = before->fill == value ||
                 (gcl_region_subtract(&before->held[before->node_count], bytes, &lacked[0]) &&
                  gcl_plan_fetch(plan, allocation, lacked));
    bool is_rounded = !gcl_region_unite(bytes, &lacked[0], &allocation->touched);
    (void)is_rounded;
    exact = exact &&
            change(directory, allocation,
                   &(struct gcl_layout_change){.received = lacked, .filled = bytes, .fill = value});
    gcl_regions_destroy(lacked, before->node_count);
    return exact;
}
