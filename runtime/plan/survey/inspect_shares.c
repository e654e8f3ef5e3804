// A share is a stretch of blocks along the longest axis, with marks of its own, so that threads
// don't meet until it is done. Then who is done takes what others have left there of the same
// access and unites it with the own, until nothing is there: so there are never more marks than
// threads, and one, and nobody waits. Shares that are kept from an earlier time have been united
// before that.
//
// Of a large part one share goes first. Where that shows that its access goes all over an
// allocation, and it is certain of no byte anyway, the others wouldn't find much that isn't
// touched.
#include "plan/survey/inspect_shares.h"

#include <assert.h>
#include <stdatomic.h>
#include <stdlib.h>

#include "plan/inspect/base.h"
#include "plan/program/split.h"

enum {
    MOST_SHARES = 16,
    SHARE_THREADS = 1 << 13, ///< for less it isn't worth it to wake somebody
    PILOT_SHARES = 8,        ///< from which on one of them goes first
    PAGE_BITS = 12           ///< what is taken along with a byte of it, as good as
};

/// A share, and what was found in it and in those that were united with it.
struct share {
    size_t task;
    unsigned number;
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
    size_t count, begin;           ///< of the list; and where those begin that are being found
    struct share *kept;            ///< of each task, those that need no look, united
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
    struct share *share = &shares->list[shares->begin + index], *other = NULL;
    _Atomic(struct share *) *left = &shares->left[share->task];
    const struct gcl_inspect_task *task = shares->tasks[share->task];
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
        if (task->kept && share->inspected == GCL_INSPECTED_FOUND)
            gcl_kept_put(&task->kept->shares[share->number], &share->marked, &contents);
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

/// Takes a share that is kept, while no thread finds others. False: it isn't, or no memory.
static bool take_kept(struct shares *shares, size_t task, unsigned number) {
    struct gcl_inspect_task *t = shares->tasks[task];
    struct share *kept = &shares->kept[task], *left = atomic_load(&shares->left[task]);
    if (!t->kept || !t->kept->shares[number].is_there ||
        !gcl_kept_add(&t->kept->shares[number], shares->part->program->accesses[t->access].size,
                      &kept->marked))
        return false;
    kept->inspected = GCL_INSPECTED_FOUND;
    kept->count++;
    t->recalled++;
    if (left && left != kept)
        unite(kept, left);
    atomic_store(&shares->left[task], kept);
    return true;
}

static void add_share(struct shares *shares, size_t task, unsigned number) {
    const struct gcl_launch_part *launch = shares->part->launch;
    assert(number < shares->each);
    if (take_kept(shares, task, number))
        return;
    shares->tasks[task]->looked++;
    shares->list[shares->count++] = (struct share){
        .task = task,
        .number = number,
        .launch = gcl_split_part(launch, longest_axis(launch), shares->each, number)};
}

/// Finds the shares that have been added since.
static void find_added(struct shares *shares) {
    const struct gcl_reader *reader = shares->part->reader;
    size_t count = shares->count - shares->begin;
    if (reader->share && count > 1) {
        reader->share(reader->context, find_share, shares, (uint32_t)count);
    } else {
        for (uint32_t i = 0; i < count; i++)
            find_share(shares, i);
    }
    shares->begin = shares->count;
}

/// Whether what one share has found is all over its allocation, and needn't be exact.
static bool is_all_over(const struct shares *shares, const struct share *pilot) {
    const struct gcl_marked *marked = &pilot->marked;
    bool is_read =
        shares->part->program->accesses[shares->tasks[pilot->task]->access].kind == GCL_ACCESS_READ;
    if (marked->count != 1 || (!is_read && !marked->is_doubtful))
        return false;
    const struct gcl_marks *marks = &marked->parts[0].marks;
    return 2 * gcl_marks_stretches(marks, PAGE_BITS) > marks->size >> PAGE_BITS;
}

/// Whether nothing more has to be found for a task of which one share has been.
static bool is_settled(const struct shares *shares, size_t task) {
    struct share *pilot = atomic_load(&shares->left[task]);
    if (!pilot)
        return true; // threads have given up
    bool is_all = pilot->inspected == GCL_INSPECTED_FOUND && is_all_over(shares, pilot);
    if (pilot->inspected == GCL_INSPECTED_FOUND && !is_all)
        return false;
    pilot->count = shares->each;
    if (is_all) {
        struct gcl_marks *marks = &pilot->marked.parts[0].marks;
        gcl_marks_set(marks, 0, marks->size);
        pilot->marked.is_doubtful = true;
    }
    return true;
}

static void find_all(struct shares *shares, size_t task_count) {
    unsigned pilot = shares->each < PILOT_SHARES ? shares->each : shares->each / 2;
    for (size_t i = 0; i < task_count && pilot < shares->each; i++)
        add_share(shares, i, pilot);
    find_added(shares);
    for (size_t i = 0; i < task_count; i++) {
        if (pilot < shares->each && is_settled(shares, i))
            continue;
        for (unsigned number = 0; number < shares->each; number++) {
            if (number != pilot)
                add_share(shares, i, number);
        }
    }
    find_added(shares);
}

/// Has room for what the shares of tasks find, and for keeping it. False: no memory.
static bool prepare(struct shares *shares, size_t task_count) {
    shares->list = calloc(task_count * shares->each + 1, sizeof *shares->list);
    shares->left = calloc(task_count + 1, sizeof *shares->left);
    shares->kept = calloc(task_count + 1, sizeof *shares->kept);
    for (size_t i = 0; i < task_count && shares->kept; i++) {
        struct gcl_inspect_task *task = shares->tasks[i];
        shares->kept[i].task = i;
        if (task->kept && !gcl_kept_reserve(task->kept, shares->each))
            task->kept = NULL;
    }
    return shares->list && shares->left && shares->kept;
}

/// Inspects the accesses of tasks that aren't twins. False: no memory.
static bool inspect_all(const struct gcl_inspect_part *part, struct gcl_inspect_task **tasks,
                        size_t count) {
    struct shares shares = {
        .part = part, .tasks = tasks, .each = gcl_inspect_share_count(part->launch)};
    bool is_ready = prepare(&shares, count), ok = is_ready;
    if (is_ready)
        find_all(&shares, count);
    for (size_t i = 0; i < count && is_ready; i++) {
        ok = tell(&shares, atomic_load(&shares.left[i]), tasks[i]) && ok;
        gcl_marked_finish(&shares.kept[i].marked);
    }
    free(shares.list);
    free(shares.left);
    free(shares.kept);
    return ok;
}

// Twins: x[column[k]] and y[column[k]]. Who goes through the threads of one finds the other.

/// Where an access' allocation is, if its pointer is known before the kernel runs.
static bool find_place(const struct gcl_inspect_part *part, const struct gcl_access *access,
                       struct gcl_span *allocation, uint64_t *base) {
    const struct gcl_memory *memory = part->contents->memory;
    return part->program->bases[access->base].kind != GCL_BASE_LOADED &&
           gcl_base_address(part->program, part->launch, access->base, base) &&
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
