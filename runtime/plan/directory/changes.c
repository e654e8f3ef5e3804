// Programs change the same bytes again and again: a change that covers the latest one, or that this
// one covers, takes its place. What can't be said in a few boxes is rounded up to one run. So
// adding one takes no longer than the few boxes do.
#include "plan/directory/changes.h"

#include <assert.h>
#include <string.h>

enum { FEW_BOXES = 16 };

/// Copies a region, or more, in few boxes.
static struct gcl_region round_up(const struct gcl_region *region) {
    struct gcl_region copy = {.count = 0};
    struct gcl_span bounds = gcl_region_bounds(region);
    if (gcl_region_weight(region) <= FEW_BOXES && gcl_region_copy(region, &copy))
        return copy;
    gcl_region_finish(&copy);
    return gcl_region_run(bounds.begin, bounds.end);
}

/// Takes the two oldest changes together.
static void join_oldest(struct gcl_changes *changes) {
    struct gcl_change *first = &changes->list[0], *second = &changes->list[1];
    bool is_exact = gcl_region_unite(&first->bytes, &second->bytes, &first->bytes); // or more
    (void)is_exact;
    struct gcl_region both = round_up(&first->bytes);
    gcl_region_finish(&first->bytes);
    gcl_region_finish(&second->bytes);
    *first = (struct gcl_change){second->version, both};
    changes->count--;
    memmove(second, second + 1, (changes->count - 1) * sizeof *second);
}

void gcl_changes_add(struct gcl_changes *changes, uint64_t version,
                     const struct gcl_region *bytes) {
    struct gcl_change *latest = changes->count > 0 ? &changes->list[changes->count - 1] : NULL;
    struct gcl_region rounded = round_up(bytes);
    assert(!latest || latest->version < version);
    if (latest && gcl_region_contains(&latest->bytes, &rounded)) {
        latest->version = version;
        gcl_region_finish(&rounded);
        return;
    }
    if (latest && gcl_region_contains(&rounded, &latest->bytes)) {
        gcl_region_finish(&latest->bytes);
        *latest = (struct gcl_change){version, rounded};
        return;
    }
    if (changes->count == GCL_CHANGES_MOST)
        join_oldest(changes);
    changes->list[changes->count++] = (struct gcl_change){version, rounded};
}

void gcl_changes_since(const struct gcl_changes *changes, uint64_t version,
                       struct gcl_region *bytes) {
    for (unsigned i = 0; i < changes->count; i++) {
        if (changes->list[i].version <= version)
            continue;
        bool is_exact = gcl_region_unite(bytes, &changes->list[i].bytes, bytes); // or more
        (void)is_exact;
    }
}

size_t gcl_changes_memory(const struct gcl_changes *changes) {
    size_t size = 0;
    for (unsigned i = 0; i < changes->count; i++)
        size += gcl_region_memory(&changes->list[i].bytes);
    return size;
}

void gcl_changes_finish(struct gcl_changes *changes) {
    for (unsigned i = 0; i < changes->count; i++)
        gcl_region_finish(&changes->list[i].bytes);
    *changes = (struct gcl_changes){.count = 0};
}
