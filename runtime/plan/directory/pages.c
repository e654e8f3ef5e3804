// Pages are found by rounding runs: up for what node 0 touches, down for what it has lost, where
// only a page that lacks all its bytes counts. Regions of too many runs are rounded to
// one run, or to none, whichever of them is safe.
#include "plan/directory/pages.h"

#include <stdlib.h>

/// Regions of more runs are rounded as one.
enum { MOST_RUNS = 1024 };

static int64_t round_down(int64_t offset) {
    return offset / GCL_PAGE_SIZE * GCL_PAGE_SIZE;
}

static int64_t round_up(int64_t offset, int64_t size) {
    int64_t up = round_down(offset + GCL_PAGE_SIZE - 1);
    return up < size ? up : size;
}

static struct gcl_span span_around(struct gcl_span run, int64_t size) {
    return (struct gcl_span){round_down(run.begin), round_up(run.end, size)};
}

/// The last page ends with the allocation.
static struct gcl_span span_within(struct gcl_span run, int64_t size) {
    return (struct gcl_span){round_up(run.begin, size),
                             run.end == size ? size : round_down(run.end)};
}

/// False: too many runs, or no memory.
static bool round_runs(const struct gcl_region *region, int64_t size,
                       struct gcl_span (*round)(struct gcl_span run, int64_t size),
                       struct gcl_region *out) {
    int64_t count = gcl_region_run_count(region);
    struct gcl_region_cursor cursor = {.region = region};
    struct gcl_span run,
        *runs = count <= MOST_RUNS ? malloc((size_t)(count + 1) * sizeof *runs) : NULL;
    if (!runs)
        return false;
    for (int64_t i = 0; gcl_region_next(&cursor, &run); i++)
        runs[i] = round(run, size);
    bool is_exact = gcl_region_from_runs(runs, (size_t)count, out);
    free(runs);
    return is_exact;
}

void gcl_pages_around(const struct gcl_region *region, int64_t size, struct gcl_region *out) {
    struct gcl_region pages = {.count = 0};
    struct gcl_span all = span_around(gcl_region_bounds(region), size);
    if (!round_runs(region, size, span_around, &pages))
        pages = gcl_region_run(all.begin, all.end);
    gcl_region_finish(out);
    *out = pages;
}

/// What node 0 has no valid copy of. False: that, and more.
static bool find_missing(const struct gcl_layout *layout, int64_t size, struct gcl_region *out) {
    struct gcl_region all = gcl_region_run(0, size);
    return gcl_region_subtract(&all, &layout->held[0], out);
}

void gcl_pages_lost(const struct gcl_layout *layout, int64_t size, struct gcl_region *out) {
    struct gcl_region missing = {.count = 0}, pages = {.count = 0};
    if (!find_missing(layout, size, &missing) || !round_runs(&missing, size, span_within, &pages))
        pages = gcl_region_run(0, 0);
    gcl_region_finish(&missing);
    gcl_region_finish(out);
    *out = pages;
}

void gcl_pages_torn(const struct gcl_layout *layout, int64_t size, struct gcl_region *out) {
    struct gcl_region missing = {.count = 0}, lost = {.count = 0};
    gcl_pages_lost(layout, size, &lost);
    // Rounded up if need be: node 0 may get more.
    bool is_exact =
        find_missing(layout, size, &missing) && gcl_region_subtract(&missing, &lost, out);
    if (!is_exact) {
        gcl_region_finish(out);
        *out = gcl_region_run(0, size);
    }
    gcl_region_finish(&missing);
    gcl_region_finish(&lost);
}

void gcl_pages_common(const struct gcl_layout *layout, int64_t size, struct gcl_region *out) {
    struct gcl_region common = {.count = 0}, both = {.count = 0};
    for (uint32_t i = 1; i < layout->node_count; i++) {
        // rounded up: more pages
        bool is_exact = gcl_region_intersect(&layout->held[0], &layout->held[i], &both);
        is_exact = gcl_region_unite(&common, &both, &common) && is_exact;
        (void)is_exact;
    }
    gcl_pages_around(&common, size, out);
    gcl_region_finish(&common);
    gcl_region_finish(&both);
}
