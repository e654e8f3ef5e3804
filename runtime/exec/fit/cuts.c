#include "exec/fit/cuts.h"

#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "exec/engine/engine.h"
#include "exec/residency/checksum.h"
#include "plan/program/footprint.h"

enum {
    MOST_CHANGES = 3, ///< launches in a row that find something else, of which no more is expected
    MOST_WEIGHT = 16 << 20, ///< bytes of a launch's uses
    WORTH = 2,              ///< times that it takes longer to find ranges than to compare, at least
};

/// What an allocation held.
struct gcl_cuts_reading {
    struct gcl_span allocation;
    uint64_t checksum;
};

// Places.

/// Between parameters lies what nobody has set.
static bool have_same_arguments(const struct gcl_kernel *kernel, const unsigned char *a,
                                const unsigned char *b) {
    uint32_t i = 0;
    while (i < kernel->parameter_count &&
           memcmp(a + kernel->parameters[i].offset, b + kernel->parameters[i].offset,
                  kernel->parameters[i].size) == 0)
        i++;
    return i == kernel->parameter_count;
}

static bool is_same(const struct gcl_cuts_launch *launch, const struct gcl_kernel *kernel,
                    const struct gcl_launch_part *part) {
    const struct gcl_launch_part *its = &launch->part;
    return launch->kernel == kernel &&
           memcmp(&its->geometry, &part->geometry, sizeof part->geometry) == 0 &&
           memcmp(its->begin, part->begin, sizeof part->begin) == 0 &&
           memcmp(its->end, part->end, sizeof part->end) == 0 &&
           have_same_arguments(kernel, its->arguments, part->arguments);
}

static void empty(struct gcl_cuts_launch *launch) {
    gcl_cuts_drop(launch);
    free(launch->arguments);
    *launch = (struct gcl_cuts_launch){.kernel = NULL};
}

struct gcl_cuts_launch *gcl_cuts_place(struct gcl_cuts *cuts, const struct gcl_kernel *kernel,
                                       const struct gcl_launch_part *part) {
    struct gcl_cuts_launch *place = &cuts->launches[0];
    size_t size = kernel->argument_size;
    for (size_t i = 0; i < GCL_CUTS_LAUNCHES; i++) {
        struct gcl_cuts_launch *launch = &cuts->launches[i];
        if (is_same(launch, kernel, part)) {
            launch->latest = ++cuts->latest;
            return launch->is_vain ? NULL : launch;
        }
        if (launch->latest < place->latest)
            place = launch;
    }
    empty(place);
    place->arguments = malloc(size + 1);
    if (!place->arguments)
        return NULL;
    memcpy(place->arguments, part->arguments, size);
    place->kernel = kernel;
    place->part = *part;
    place->part.arguments = place->arguments;
    place->latest = ++cuts->latest;
    return place;
}

// What ranges depend on.

static uint64_t checksum_of(const struct gcl_span *allocation) {
    return gcl_checksum((const void *)(uintptr_t)allocation->begin,
                        (size_t)(allocation->end - allocation->begin));
}

static bool is_unchanged(const struct gcl_cuts_reading *reading, const struct gcl_memory *memory) {
    struct gcl_span found;
    return memory->find(memory->context, (uint64_t)reading->allocation.begin, &found) &&
           found.begin == reading->allocation.begin && found.end == reading->allocation.end &&
           checksum_of(&found) == reading->checksum;
}

bool gcl_cuts_holds(struct gcl_cuts_launch *launch, const struct gcl_memory *memory) {
    bool holds = launch->range_count > 0;
    for (size_t i = 0; i < launch->reading_count && holds; i++)
        holds = is_unchanged(&launch->readings[i], memory);
    if (holds) {
        launch->changes = 0;
        return true;
    }
    if (launch->range_count > 0)
        launch->is_vain = ++launch->changes == MOST_CHANGES;
    gcl_cuts_drop(launch);
    return false;
}

static bool has_reading(const struct gcl_cuts_launch *launch, const struct gcl_span *allocation) {
    size_t i = 0;
    while (i < launch->reading_count && launch->readings[i].allocation.begin != allocation->begin)
        i++;
    return i < launch->reading_count;
}

bool gcl_cuts_depend(struct gcl_cuts_launch *launch, const struct gcl_reading *readings,
                     size_t count) {
    uint64_t begin_ns = gcl_clock_ns();
    for (size_t i = 0; i < count; i++) {
        const struct gcl_span *allocation = &readings[i].allocation;
        if (has_reading(launch, allocation))
            continue;
        struct gcl_cuts_reading *grown =
            realloc(launch->readings, (launch->reading_count + 1) * sizeof *grown);
        if (!grown)
            return false;
        launch->readings = grown;
        grown[launch->reading_count++] =
            (struct gcl_cuts_reading){*allocation, checksum_of(allocation)};
    }
    launch->compare_ns += gcl_clock_ns() - begin_ns;
    return true;
}

// Ranges.

bool gcl_cuts_add(struct gcl_cuts_launch *launch, const struct gcl_cuts_range *range) {
    size_t count = launch->range_count;
    launch->weight += gcl_use_weight(range->use);
    launch->is_vain |= launch->weight > MOST_WEIGHT;
    if (launch->is_vain)
        return false;
    if ((count & (count - 1)) == 0) { // a power of two is full
        size_t room = count ? 2 * count : 1;
        struct gcl_cuts_range *grown = realloc(launch->ranges, room * sizeof *grown);
        if (!grown)
            return false;
        launch->ranges = grown;
    }
    struct gcl_use *use = gcl_use_copy(range->use);
    if (!use)
        return false;
    launch->ranges[launch->range_count] = *range;
    launch->ranges[launch->range_count++].use = use;
    return true;
}

void gcl_cuts_end(struct gcl_cuts_launch *launch, uint64_t find_ns) {
    launch->is_vain |= find_ns < WORTH * launch->compare_ns;
    if (launch->is_vain)
        gcl_cuts_drop(launch);
}

void gcl_cuts_drop(struct gcl_cuts_launch *launch) {
    for (size_t i = 0; i < launch->range_count; i++)
        gcl_use_discard(launch->ranges[i].use);
    free(launch->ranges);
    free(launch->readings);
    launch->ranges = NULL;
    launch->readings = NULL;
    launch->range_count = launch->reading_count = 0;
    launch->weight = 0;
    launch->compare_ns = 0;
}
