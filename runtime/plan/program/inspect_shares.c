// A share is a stretch of blocks along the longest axis, with marks of its own, so that threads
// don't meet until it is done. Then who is done takes what others have left there of the same
// access and unites it with the own, until nothing is there: so there are never more marks than
// threads, and one, and nobody waits.
#include "plan/program/inspect_shares.h"

#include <assert.h>
#include <stdatomic.h>
#include <stdlib.h>

#include "plan/program/split.h"

enum {
    MOST_SHARES = 16,
    SHARE_THREADS = 1 << 13, ///< for less it isn't worth it to wake somebody
};

/// A share, and what was found in it and in those that were united with it.
struct share {
    struct gcl_launch_part launch;
    unsigned count;               ///< shares that were united in it, with itself
    enum gcl_inspected inspected; ///< the worst of them; unless they were found, nothing is marked
    struct gcl_marked marked;
};

struct shares {
    const struct gcl_inspect_part *part;
    struct gcl_inspect_task **tasks;
    unsigned each; ///< of a task
    struct share *list;
    _Atomic(struct share *) *left; ///< of each task, what nobody has united yet; NULL: nothing
};

static unsigned longest_axis(const struct gcl_launch_part *part) {
    unsigned longest = 0;
    for (unsigned axis = 1; axis < 3; axis++) {
        if (part->end[axis] - part->begin[axis] > part->end[longest] - part->begin[longest])
            longest = axis;
    }
    return longest;
}

unsigned gcl_inspect_share_count(const struct gcl_launch_part *part) {
    unsigned axis = longest_axis(part);
    uint64_t blocks = part->end[axis] - part->begin[axis], threads = 1;
    for (unsigned a = 0; a < 3; a++)
        threads *= (uint64_t)(part->end[a] - part->begin[a]) * part->geometry.block[a];
    uint64_t count = threads / SHARE_THREADS;
    count = count < blocks ? count : blocks;
    return count > MOST_SHARES ? MOST_SHARES : count > 1 ? (unsigned)count : 1;
}

/// Takes over what was found in another share.
static void unite(struct share *share, struct share *other) {
    bool ok = gcl_marked_unite(&share->marked, &other->marked);
    if (!ok && share->inspected == GCL_INSPECTED_FOUND)
        share->inspected = GCL_INSPECTED_NOTHING;
    share->count += other->count;
    if (other->inspected > share->inspected)
        share->inspected = other->inspected;
}

/// Finds what one share touches, on any thread.
static void find_share(void *context, uint32_t index) {
    const struct shares *shares = context;
    struct share *share = &shares->list[index], *other = NULL;
    _Atomic(struct share *) *left = &shares->left[index / shares->each];
    const struct gcl_inspect_task *task = shares->tasks[index / shares->each];
    struct gcl_contents contents;
    share->count = 1;
    share->inspected = GCL_INSPECTED_NOTHING;
    if (gcl_contents_lend(shares->part->contents, &contents)) {
        const struct gcl_inspect_input input = {.program = shares->part->program,
                                                .access = task->access,
                                                .launch = &share->launch,
                                                .contents = &contents,
                                                .origins = &task->origins,
                                                .shares = shares->each};
        share->inspected = gcl_inspect(&input, &share->marked);
        gcl_contents_return(&contents);
    }
    while (!atomic_compare_exchange_strong(left, &other, share)) {
        other = atomic_exchange(left, NULL);
        if (other)
            unite(share, other);
        other = NULL;
    }
}

/// Makes regions of what was found for a task. False: no memory.
static bool tell(const struct shares *shares, struct share *found, struct gcl_inspect_task *task) {
    bool is_written = shares->part->program->accesses[task->access].kind == GCL_ACCESS_WRITE;
    bool is_all = found && found->count == shares->each; // or threads have given up
    task->inspected = is_all ? found->inspected : GCL_INSPECTED_NOTHING;
    if (task->inspected == GCL_INSPECTED_FOUND)
        return gcl_marked_tell(&found->marked, is_written, &task->inspection);
    if (found)
        gcl_marked_finish(&found->marked);
    return true;
}

/// Inspects the accesses of tasks that aren't twins. False: no memory.
static bool inspect_all(const struct gcl_inspect_part *part, struct gcl_inspect_task **tasks,
                        size_t count) {
    struct shares shares = {
        .part = part, .tasks = tasks, .each = gcl_inspect_share_count(part->launch)};
    const struct gcl_reader *reader = part->reader;
    size_t all = count * shares.each;
    shares.list = calloc(all + 1, sizeof *shares.list);
    shares.left = calloc(count + 1, sizeof *shares.left);
    bool ok = shares.list && shares.left;
    for (size_t i = 0; i < all && ok; i++)
        shares.list[i].launch = gcl_split_part(part->launch, longest_axis(part->launch),
                                               shares.each, (uint32_t)(i % shares.each));
    if (ok && reader->share && all > 1) {
        reader->share(reader->context, find_share, &shares, (uint32_t)all);
    } else {
        for (size_t i = 0; i < all && ok; i++)
            find_share(&shares, (uint32_t)i);
    }
    for (size_t i = 0; i < count && shares.list && shares.left; i++)
        ok = tell(&shares, atomic_load(&shares.left[i]), tasks[i]) && ok;
    free(shares.list);
    free(shares.left);
    return ok;
}

// Twins: x[column[k]] and y[column[k]]. Who goes through the threads of one finds the other.

/// Where an access' allocation is, if its pointer is known before the kernel runs.
static bool find_place(const struct gcl_inspect_part *part, const struct gcl_access *access,
                       struct gcl_span *allocation, uint64_t *base) {
    const struct gcl_memory *memory = part->contents->memory;
    return part->program->bases[access->base].kind != GCL_BASE_LOADED &&
           gcl_footprint_base(part->program, part->launch, access->base, base) &&
           memory->find(memory->context, *base, allocation);
}

/// Whether two tasks find the same bytes of allocations of one size; `*allocation` is the second's.
static bool are_twins(const struct gcl_inspect_part *part, const struct gcl_inspect_task *first,
                      const struct gcl_inspect_task *second, struct gcl_span *allocation) {
    const struct gcl_access *a = &part->program->accesses[first->access];
    const struct gcl_access *b = &part->program->accesses[second->access];
    struct gcl_span other;
    uint64_t a_base, b_base;
    return a->kind == b->kind && a->offset == b->offset && a->guard == b->guard &&
           a->length == b->length && a->size == b->size && a->size > 0 &&
           first->origins.load_count == second->origins.load_count &&
           find_place(part, a, &other, &a_base) && find_place(part, b, allocation, &b_base) &&
           other.end - other.begin == allocation->end - allocation->begin &&
           a_base - (uint64_t)other.begin == b_base - (uint64_t)allocation->begin;
}

/// The first task before a task that is its twin; its own number: none is.
static size_t find_twin(const struct gcl_inspect_part *part, const struct gcl_inspect_task *tasks,
                        size_t number) {
    struct gcl_span allocation;
    size_t i = 0;
    while (i < number && !are_twins(part, &tasks[i], &tasks[number], &allocation))
        i++;
    return i;
}

/// Takes over what was found for a twin. False: no memory.
static bool copy_found(const struct gcl_inspect_part *part, const struct gcl_inspect_task *twin,
                       struct gcl_inspect_task *task) {
    struct gcl_inspection *found = &task->inspection;
    struct gcl_span allocation;
    bool ok = are_twins(part, twin, task, &allocation);
    assert(ok && twin->inspection.count <= 1);
    task->inspected = twin->inspected;
    found->outside = twin->inspection.outside;
    found->parts = calloc(twin->inspection.count + 1, sizeof *found->parts);
    for (size_t i = 0; i < twin->inspection.count && found->parts && ok; i++) {
        const struct gcl_inspected_part *part_of_twin = &twin->inspection.parts[i];
        found->parts[found->count++] =
            (struct gcl_inspected_part){.allocation = allocation, .exact = part_of_twin->exact};
        ok = gcl_region_copy(&part_of_twin->bytes, &found->parts[i].bytes);
    }
    return ok && found->parts;
}

bool gcl_inspect_all(const struct gcl_inspect_part *part, struct gcl_inspect_task *tasks,
                     size_t count) {
    struct gcl_inspect_task **first = calloc(count + 1, sizeof(*first));
    size_t first_count = 0;
    for (size_t i = 0; i < count && first; i++) {
        if (find_twin(part, tasks, i) == i)
            first[first_count++] = &tasks[i];
    }
    bool ok = first && inspect_all(part, first, first_count);
    for (size_t i = 0; i < count && ok; i++) {
        size_t twin = find_twin(part, tasks, i);
        ok = twin == i || copy_found(part, &tasks[twin], &tasks[i]);
    }
    free(first);
    return ok;
}
