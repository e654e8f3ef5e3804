// Between operations a page of node 0's is dropped if it has none of its bytes, protected if other
// nodes have some of them, too, and open otherwise. What node 0 changes is open meanwhile.
//
// Where nodes change parts of one page, the parts of others come home right after the operation.
// Until then the host may write to the rest of that page; that is lost if the compiler couldn't
// tell what others write and took it for theirs.
#include "exec/exchange/movement_pages.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/spare.h"
#include "plan/directory/pages.h"

enum { CHUNK = 2 << 20 };

typedef enum gcl_status each_range(struct gcl_memory_guard *guard, uintptr_t begin, size_t size);

static size_t watched_size(const struct gcl_plan_allocation *place) {
    return (place->size + GCL_PAGE_SIZE - 1) / GCL_PAGE_SIZE * GCL_PAGE_SIZE;
}

// Goes through the pages of a region, each once, in ascending order.
struct page_cursor {
    struct gcl_region_cursor runs;
    struct gcl_span ahead; ///< begin < end: pages of a run that has been read
};

static struct gcl_span pages_of(struct gcl_span run) {
    const int64_t page = GCL_PAGE_SIZE;
    return (struct gcl_span){run.begin / page * page, (run.end + page - 1) / page * page};
}

/// The next pages without a gap between them.
static bool next_pages(struct page_cursor *cursor, struct gcl_span *pages) {
    struct gcl_span run;
    *pages = cursor->ahead;
    cursor->ahead = (struct gcl_span){0, 0};
    while (gcl_region_next(&cursor->runs, &run)) {
        struct gcl_span next = pages_of(run);
        if (pages->begin == pages->end) {
            *pages = next;
        } else if (next.begin <= pages->end) {
            pages->end = next.end;
        } else {
            cursor->ahead = next;
            break;
        }
    }
    return pages->begin < pages->end;
}

static enum gcl_status for_pages(struct gcl_memory_guard *guard,
                                 const struct gcl_plan_allocation *place,
                                 const struct gcl_region *region, each_range *function) {
    struct page_cursor cursor = {.runs = {.region = region}};
    struct gcl_span pages;
    enum gcl_status status = GCL_OK;
    while (status == GCL_OK && next_pages(&cursor, &pages))
        status = function(guard, place->begin + (uint64_t)pages.begin,
                          (size_t)(pages.end - pages.begin));
    return status;
}

// Before.

/// The pages that node 0 is going to lose.
static bool find_leaving(const struct gcl_plan_allocation *place, struct gcl_region *leaving) {
    gcl_pages_lost(place->after, (int64_t)place->size, leaving);
    return gcl_region_intersect(leaving, &place->before->held[0], leaving);
}

static enum gcl_status protect_sent(struct gcl_memory_guard *guard,
                                    const struct gcl_plan_allocation *place,
                                    const struct gcl_region *sent) {
    struct gcl_region kept = {.count = 0};
    bool is_exact = gcl_region_subtract(sent, &place->opened, &kept);
    enum gcl_status status = is_exact ? GCL_OK : GCL_NO_MEMORY;
    if (is_exact && !gcl_region_is_empty(&kept))
        status = gcl_guard_watch(guard, place->begin, watched_size(place));
    if (status == GCL_OK)
        status = for_pages(guard, place, &kept, gcl_guard_protect);
    gcl_region_finish(&kept);
    return status;
}

bool gcl_movement_pages_change(const struct gcl_plan *plan) {
    for (size_t i = 0; i < plan->allocation_count; i++) {
        const struct gcl_plan_allocation *place = &plan->allocations[i];
        if (place->use == GCL_HOST_GUARDED && place->before != place->after)
            return true;
    }
    return false;
}

static bool is_guarded(const struct gcl_plan *plan, const struct gcl_transfer *transfer) {
    return plan->allocations[transfer->allocation].use == GCL_HOST_GUARDED;
}

static bool make_room(struct gcl_movement_arrivals *arrivals) {
    const struct gcl_plan *plan = arrivals->plan;
    arrivals->packed = calloc(plan->own_count + 1, sizeof *arrivals->packed);
    for (size_t i = 0; arrivals->packed && i < plan->own_count; i++) {
        const struct gcl_transfer *t = &plan->transfers[plan->own[i]];
        if (!gcl_transfer_reaches(t, 0) || !is_guarded(plan, t))
            continue;
        arrivals->packed[i] = gcl_spare_take((size_t)gcl_region_size(&t->bytes));
        if (!arrivals->packed[i])
            return false;
    }
    return arrivals->packed != NULL;
}

void gcl_movement_arrivals_finish(struct gcl_movement_arrivals *arrivals) {
    for (size_t i = 0; arrivals->packed && i < arrivals->plan->own_count; i++)
        gcl_spare_give(arrivals->packed[i]);
    free(arrivals->packed);
}

enum gcl_status gcl_movement_pages_protect(struct gcl_memory_guard *guard,
                                           struct gcl_movement_arrivals *arrivals) {
    const struct gcl_plan *plan = arrivals->plan;
    enum gcl_status status = make_room(arrivals) ? GCL_OK : GCL_NO_MEMORY;
    for (size_t i = 0; i < plan->own_count && status == GCL_OK; i++) {
        const struct gcl_transfer *t = &plan->transfers[plan->own[i]];
        if (t->from == 0 && is_guarded(plan, t))
            status = protect_sent(guard, &plan->allocations[t->allocation], &t->bytes);
    }
    return status;
}

// After.

/// An allocation, and what has come for it.
struct delivery {
    struct gcl_memory_guard *guard;
    const struct gcl_movement_arrivals *arrivals; ///< also for other places
    const struct gcl_plan_allocation *place;
    struct gcl_region bytes; ///< all that has come
    unsigned char *chunk;
};

static bool is_for(const struct delivery *d, const struct gcl_transfer *transfer) {
    return gcl_transfer_reaches(transfer, 0) &&
           &d->arrivals->plan->allocations[transfer->allocation] == d->place;
}

/// Copies what hasn't come but is here, to the chunk.
static bool keep_rest(const struct delivery *d, struct gcl_span limits) {
    struct gcl_region rest = gcl_region_run(limits.begin, limits.end);
    struct gcl_region_cursor cursor = {.region = &rest};
    const unsigned char *place = (const unsigned char *)(uintptr_t)d->place->begin;
    struct gcl_span run;
    bool is_exact = gcl_region_subtract(&rest, &d->bytes, &rest);
    while (is_exact && gcl_region_next(&cursor, &run)) {
        if (run.begin < (int64_t)d->place->size)
            memcpy(d->chunk + (run.begin - limits.begin), place + run.begin,
                   (size_t)(run.end - run.begin));
    }
    gcl_region_finish(&rest);
    return is_exact;
}

/// Puts the pages of a chunk together and in their place.
static enum gcl_status put_chunk(const struct delivery *d, struct gcl_span limits) {
    assert(limits.begin < limits.end && limits.end - limits.begin <= CHUNK);
    uintptr_t begin = d->place->begin + (uint64_t)limits.begin;
    size_t size = (size_t)(limits.end - limits.begin);
    // What is here of torn pages doesn't change any more.
    enum gcl_status status = gcl_guard_protect(d->guard, begin, size);
    if (status != GCL_OK)
        return status;
    memset(d->chunk, 0, size);
    if (!keep_rest(d, limits))
        return GCL_NO_MEMORY;
    const struct gcl_plan *plan = d->arrivals->plan;
    for (size_t i = 0; i < plan->own_count; i++) {
        const struct gcl_transfer *t = &plan->transfers[plan->own[i]];
        if (is_for(d, t))
            gcl_region_unpack(&t->bytes, d->arrivals->packed[i], limits, d->chunk);
    }
    return gcl_guard_put(d->guard, begin, d->chunk, size, false);
}

static enum gcl_status put_pages(struct delivery *d) {
    struct page_cursor cursor = {.runs = {.region = &d->bytes}};
    struct gcl_span pages;
    enum gcl_status status = GCL_OK;
    d->chunk = gcl_spare_take(CHUNK);
    if (!d->chunk)
        return GCL_NO_MEMORY;
    while (status == GCL_OK && next_pages(&cursor, &pages)) {
        while (status == GCL_OK && pages.begin < pages.end) {
            int64_t end = pages.end - pages.begin > CHUNK ? pages.begin + CHUNK : pages.end;
            status = put_chunk(d, (struct gcl_span){pages.begin, end});
            pages.begin = end;
        }
    }
    gcl_spare_give(d->chunk);
    return status;
}

static bool find_arrived(struct delivery *d) {
    const struct gcl_plan *plan = d->arrivals->plan;
    bool is_exact = true;
    for (size_t i = 0; i < plan->own_count && is_exact; i++) {
        const struct gcl_transfer *t = &plan->transfers[plan->own[i]];
        if (is_for(d, t))
            is_exact = gcl_region_unite(&d->bytes, &t->bytes, &d->bytes);
    }
    return is_exact;
}

/// Opens what node 0 changes: dropped pages that it rewrites, those that came, protected ones.
static enum gcl_status open_changed(const struct delivery *d) {
    const struct gcl_plan_allocation *place = d->place;
    struct gcl_region pages = {.count = 0}, rewritten = {.count = 0};
    enum gcl_status status = GCL_NO_MEMORY;
    gcl_pages_lost(place->before, (int64_t)place->size, &pages);
    if (gcl_region_intersect(&pages, &place->opened, &pages) &&
        gcl_region_subtract(&pages, &d->bytes, &rewritten))
        status = for_pages(d->guard, place, &rewritten, gcl_guard_clear);
    if (status == GCL_OK)
        status = for_pages(d->guard, place, &pages, gcl_guard_open);
    gcl_pages_common(place->before, (int64_t)place->size, &pages);
    bool is_exact = gcl_region_intersect(&pages, &place->opened, &pages);
    if (status == GCL_OK)
        status = is_exact ? for_pages(d->guard, place, &pages, gcl_guard_open) : GCL_NO_MEMORY;
    gcl_region_finish(&pages);
    gcl_region_finish(&rewritten);
    return status;
}

static enum gcl_status arrive(struct delivery *d) {
    struct gcl_region leaving = {.count = 0};
    bool is_exact = find_leaving(d->place, &leaving) && find_arrived(d);
    bool has_arrived = !gcl_region_is_empty(&d->bytes);
    enum gcl_status status = is_exact ? GCL_OK : GCL_NO_MEMORY;
    if (status == GCL_OK && (has_arrived || !gcl_region_is_empty(&leaving)))
        status = gcl_guard_watch(d->guard, d->place->begin, watched_size(d->place));
    if (status == GCL_OK)
        status = for_pages(d->guard, d->place, &leaving, gcl_guard_drop);
    if (status == GCL_OK && has_arrived)
        status = put_pages(d);
    if (status == GCL_OK)
        status = open_changed(d);
    gcl_region_finish(&leaving);
    gcl_region_finish(&d->bytes);
    return status;
}

enum gcl_status gcl_movement_pages_arrive(struct gcl_memory_guard *guard,
                                          const struct gcl_movement_arrivals *arrivals) {
    assert(arrivals->packed);
    const struct gcl_plan *plan = arrivals->plan;
    enum gcl_status status = GCL_OK;
    for (size_t i = 0; i < plan->allocation_count && status == GCL_OK; i++) {
        struct delivery delivery = {
            .guard = guard, .arrivals = arrivals, .place = &plan->allocations[i]};
        if (plan->allocations[i].use == GCL_HOST_GUARDED)
            status = arrive(&delivery);
    }
    return status;
}
