// A share is a stretch of blocks along the longest axis, with marks of its own, so that threads
// don't meet. How many shares there are doesn't depend on how many threads there are: the union of
// what they found may have more than what is touched, and that has to be the same whoever finds it.
#include "plan/program/inspect_shares.h"

#include <assert.h>
#include <stdlib.h>

#include "plan/directory/layout.h"
#include "plan/program/split.h"

enum {
    MOST_SHARES = 16,
    SHARE_THREADS = 1 << 13, ///< for less it isn't worth it to wake somebody
};

struct share {
    const struct gcl_inspect_task *task;
    struct gcl_launch_part launch;
    enum gcl_inspected inspected;
    struct gcl_inspection inspection;
};

struct shares {
    const struct gcl_inspect_part *part;
    struct share *list;
    unsigned each; ///< of a task
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

/// Finds what one share touches, on any thread.
static void find_share(void *context, uint32_t index) {
    const struct shares *shares = context;
    struct share *share = &shares->list[index];
    struct gcl_contents contents;
    if (!gcl_contents_lend(shares->part->contents, &contents))
        return;
    const struct gcl_inspect_input input = {.program = shares->part->program,
                                            .access = share->task->access,
                                            .launch = &share->launch,
                                            .contents = &contents,
                                            .origins = &share->task->origins,
                                            .shares = shares->each};
    share->inspected = gcl_inspect(&input, &share->inspection);
    gcl_contents_return(&contents);
}

/// Takes over what is found in one allocation. False: no memory.
static bool add_part(struct gcl_inspection *sum, struct gcl_inspected_part *part) {
    size_t i = 0;
    while (i < sum->count && sum->parts[i].allocation.begin != part->allocation.begin)
        i++;
    if (i < sum->count) {
        bool is_exact = gcl_region_unite(&sum->parts[i].bytes, &part->bytes, &sum->parts[i].bytes);
        sum->parts[i].exact = sum->parts[i].exact && part->exact && is_exact;
        return true;
    }
    struct gcl_inspected_part *parts = realloc(sum->parts, (i + 1) * sizeof *parts);
    if (!parts)
        return false;
    sum->parts = parts;
    parts[sum->count++] = *part;
    part->bytes = (struct gcl_region){.count = 0};
    return true;
}

/// Puts together what the shares of a task found. False: no memory.
static bool combine(struct share *shares, unsigned count, bool writes,
                    struct gcl_inspect_task *task) {
    bool ok = true;
    task->inspected = GCL_INSPECTED_FOUND;
    for (unsigned i = 0; i < count; i++) {
        struct gcl_inspection *found = &shares[i].inspection;
        if (shares[i].inspected != GCL_INSPECTED_FOUND)
            task->inspected = shares[i].inspected;
        task->inspection.outside |= found->outside;
        for (size_t k = 0; k < found->count && ok; k++)
            ok = add_part(&task->inspection, &found->parts[k]);
    }
    for (size_t i = 0; i < task->inspection.count; i++) {
        struct gcl_inspected_part *part = &task->inspection.parts[i];
        size_t most = writes && part->exact ? GCL_LAYOUT_MOST_BOXES : GCL_LAYOUT_MOST_BOXES / 4;
        part->exact = gcl_region_simplify(&part->bytes, most) && part->exact;
    }
    if (task->inspected != GCL_INSPECTED_FOUND)
        gcl_inspection_finish(&task->inspection);
    return ok;
}

bool gcl_inspect_all(const struct gcl_inspect_part *part, struct gcl_inspect_task *tasks,
                     size_t count) {
    struct shares shares = {.part = part, .each = gcl_inspect_share_count(part->launch)};
    const struct gcl_reader *reader = part->reader;
    size_t all = count * shares.each;
    bool ok = true;
    shares.list = calloc(all + 1, sizeof *shares.list);
    if (!shares.list)
        return false;
    for (size_t i = 0; i < all; i++) {
        shares.list[i].task = &tasks[i / shares.each];
        shares.list[i].inspected = GCL_INSPECTED_NOTHING;
        shares.list[i].launch = gcl_split_part(part->launch, longest_axis(part->launch),
                                               shares.each, (uint32_t)(i % shares.each));
    }
    if (reader->share && all > 1) {
        reader->share(reader->context, find_share, &shares, (uint32_t)all);
    } else {
        for (size_t i = 0; i < all; i++)
            find_share(&shares, (uint32_t)i);
    }
    for (size_t i = 0; i < count; i++) {
        bool writes = part->program->accesses[tasks[i].access].kind == GCL_ACCESS_WRITE;
        ok = combine(&shares.list[i * shares.each], shares.each, writes, &tasks[i]) && ok;
    }
    for (size_t i = 0; i < all; i++)
        gcl_inspection_finish(&shares.list[i].inspection);
    free(shares.list);
    return ok;
}
