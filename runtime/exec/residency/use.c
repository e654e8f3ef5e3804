// Uses that are submitted form a queue. A thread follows it: it has the chunks of each come, as
// long as others go for them that aren't in use.
#include "exec/residency/use.h"

#include <assert.h>
#include <inttypes.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/log.h"
#include "exec/residency/choice.h"

/// The part of the device that may be of uses which have begun, and of those that come beforehand.
enum { AHEAD = 5 };

/// Chunks [begin, end), at most as many as move at once.
struct run {
    uint32_t begin, end;
    enum gcl_chunk_purpose purpose;
};

struct runs {
    struct run *items;
    uint32_t count, capacity;
};

struct gcl_use {
    struct gcl_residency *residency;
    struct runs added;       ///< as it was said
    struct runs runs;        ///< ascending, without overlaps
    struct gcl_cover cover;  ///< of a chunk that is being overwritten
    struct gcl_holes *holes; ///< of chunks, ascending when all is added
    uint32_t hole_count, hole_capacity;
    uint32_t number;
    uint32_t come; ///< runs that the thread has taken
    bool is_over;
    bool is_left; ///< nothing comes for it
    uint64_t size, moves, kind;
    const void *owner;
    struct gcl_use *next; ///< in the queue
};

struct gcl_uses {
    pthread_t thread;
    pthread_cond_t has_news;
    bool is_closing;
    uint32_t last; ///< number
    struct gcl_use *first, **end;
};

struct gcl_use *gcl_use_create(struct gcl_residency *residency, uint64_t kind, const void *owner) {
    struct gcl_use *use = calloc(1, sizeof *use);
    if (!use)
        return NULL;
    use->residency = residency;
    use->kind = kind;
    use->owner = owner;
    return use;
}

void gcl_use_discard(struct gcl_use *use) {
    if (!use)
        return;
    free(use->added.items);
    free(use->runs.items);
    free(use->holes);
    free(use);
}

static void *duplicate(const void *items, size_t size) {
    void *copy = malloc(size + 1);
    if (copy && size > 0)
        memcpy(copy, items, size);
    return copy;
}

struct gcl_use *gcl_use_copy(const struct gcl_use *use) {
    struct gcl_use *copy = gcl_use_create(use->residency, use->kind, use->owner);
    assert(use->number == 0);
    if (!copy)
        return NULL;
    copy->runs.items = duplicate(use->runs.items, use->runs.count * sizeof *use->runs.items);
    copy->holes = duplicate(use->holes, use->hole_count * sizeof *use->holes);
    if (!copy->runs.items || !copy->holes) {
        gcl_use_discard(copy);
        return NULL;
    }
    copy->runs.count = copy->runs.capacity = use->runs.count;
    copy->hole_count = copy->hole_capacity = use->hole_count;
    copy->size = use->size;
    copy->moves = use->moves;
    if (use->is_left)
        gcl_use_leave(copy);
    return copy;
}

/// Appends to a list of runs. False: no memory.
static bool append(struct runs *runs, struct run run) {
    if (runs->count == runs->capacity) {
        uint32_t capacity = runs->capacity ? 2 * runs->capacity : 16;
        struct run *items = realloc(runs->items, capacity * sizeof *items);
        if (!items)
            return false;
        runs->items = items;
        runs->capacity = capacity;
    }
    runs->items[runs->count++] = run;
    return true;
}

/// Adds what is done with chunks. Short pieces of memory come one after the other: many are in the
/// same chunk.
static bool add(struct gcl_use *use, struct run run) {
    struct run *last = use->added.count ? &use->added.items[use->added.count - 1] : NULL;
    if (!last || last->purpose != run.purpose || run.begin < last->begin || run.begin > last->end)
        return append(&use->added, run);
    last->end = run.end > last->end ? run.end : last->end;
    return true;
}

static bool is_device_memory(const struct gcl_use *use, uintptr_t begin, uintptr_t end) {
    return begin >= use->residency->options.begin && end <= use->residency->options.end;
}

bool gcl_use_add(struct gcl_use *use, uintptr_t begin, uintptr_t end, bool is_written) {
    const struct gcl_residency *r = use->residency;
    if (!is_device_memory(use, begin, end))
        return true;
    return add(use, (struct run){gcl_chunk_at(r, begin), gcl_chunk_at(r, end - 1) + 1,
                                 is_written ? GCL_CHUNK_WRITE : GCL_CHUNK_READ});
}

/// Keeps what is left of a chunk. False: no memory.
static bool add_holes(struct gcl_use *use, const struct gcl_holes *holes) {
    if (use->hole_count == use->hole_capacity) {
        uint32_t capacity = use->hole_capacity ? 2 * use->hole_capacity : 16;
        struct gcl_holes *grown = realloc(use->holes, capacity * sizeof *grown);
        if (!grown)
            return false;
        use->holes = grown;
        use->hole_capacity = capacity;
    }
    use->holes[use->hole_count++] = *holes;
    return true;
}

/// All is known of the chunk that is being overwritten.
static bool end_cover(struct gcl_use *use) {
    struct gcl_cover cover = use->cover;
    uint32_t chunk = cover.holes.chunk;
    if (!chunk)
        return true;
    use->cover = (struct gcl_cover){.end = 0};
    bool is_covered = gcl_cover_end(&cover), has_holes = is_covered && cover.holes.count > 0;
    enum gcl_chunk_purpose purpose = !is_covered ? GCL_CHUNK_WRITE
                                     : has_holes ? GCL_CHUNK_PATCH
                                                 : GCL_CHUNK_OVERWRITE;
    return (!has_holes || add_holes(use, &cover.holes)) &&
           add(use, (struct run){chunk, chunk + 1, purpose});
}

/// Bytes [begin, end) of a chunk are overwritten.
static bool cover(struct gcl_use *use, uint32_t chunk, uintptr_t begin, uintptr_t end) {
    bool ok = use->cover.holes.chunk == chunk || end_cover(use);
    use->cover.holes.chunk = chunk;
    gcl_cover_add(&use->cover, (uint32_t)begin, (uint32_t)end);
    return ok;
}

bool gcl_use_add_overwritten(struct gcl_use *use, uintptr_t begin, uintptr_t end) {
    const struct gcl_residency *r = use->residency;
    if (!is_device_memory(use, begin, end))
        return true;
    uint32_t first = gcl_chunk_at(r, begin), last = gcl_chunk_at(r, end - 1);
    uintptr_t first_begin = gcl_chunk_begin(r, first), last_begin = gcl_chunk_begin(r, last);
    if (first == last)
        return cover(use, first, begin - first_begin, end - first_begin);
    bool ok = cover(use, first, begin - first_begin, GCL_CHUNK_SIZE);
    if (ok && last > first + 1)
        ok = end_cover(use) && add(use, (struct run){first + 1, last, GCL_CHUNK_OVERWRITE});
    return ok && cover(use, last, 0, end - last_begin);
}

/// Adds chunks in runs that move at once.
static bool add_run(struct gcl_use *use, struct run run) {
    uint32_t most = use->residency->most_moved;
    uint64_t size = (uint64_t)(run.end - run.begin) * GCL_CHUNK_SIZE;
    bool ok = true;
    use->size += size;
    use->moves += run.purpose == GCL_CHUNK_WRITE ? 2 * size : size;
    for (uint32_t end; ok && run.begin < run.end; run.begin = end) {
        end = run.end - run.begin < most ? run.end : run.begin + most;
        end = end < run.end ? gcl_block_begin(use->residency, end) : end;
        ok = append(&use->runs, (struct run){run.begin, end, run.purpose});
    }
    return ok;
}

static int compare_runs(const void *a, const void *b) {
    const struct run *x = a, *y = b;
    return (x->begin > y->begin) - (x->begin < y->begin);
}

static int compare_holes(const void *a, const void *b) {
    const struct gcl_holes *x = a, *y = b;
    return (x->chunk > y->chunk) - (x->chunk < y->chunk);
}

enum { NONE = -1 };

/// What is done with a chunk, of all that was said: `ends` are those of the runs that have begun
/// before it, by purpose.
static int purpose_at(const uint32_t ends[], uint32_t chunk) {
    int found = NONE;
    for (int purpose = GCL_CHUNK_READ; purpose <= GCL_CHUNK_OVERWRITE; purpose++) {
        if (ends[purpose] > chunk)
            found = found == NONE ? purpose : GCL_CHUNK_WRITE;
    }
    return found;
}

/// Goes through what was added from limit to limit, `count` of them, ascending.
static bool sweep(struct gcl_use *use, const uint32_t *limits, size_t count) {
    uint32_t ends[GCL_CHUNK_OVERWRITE + 1] = {0};
    uint32_t next = 0, begin = 0;
    int latest = NONE;
    bool ok = true;
    for (size_t i = 0; ok && i < count; i++) {
        for (; next < use->added.count && use->added.items[next].begin == limits[i]; next++) {
            const struct run *run = &use->added.items[next];
            ends[run->purpose] = run->end > ends[run->purpose] ? run->end : ends[run->purpose];
        }
        int purpose = purpose_at(ends, limits[i]);
        if (purpose == latest)
            continue;
        if (latest != NONE)
            ok = add_run(use, (struct run){begin, limits[i], (enum gcl_chunk_purpose)latest});
        begin = limits[i];
        latest = purpose;
    }
    return ok;
}

static void sort_added(struct gcl_use *use) {
    if (use->added.count > 0)
        qsort(use->added.items, use->added.count, sizeof *use->added.items, compare_runs);
}

/// A range of chunks, rounded to blocks.
static struct run round_run(const struct gcl_residency *r, struct run run) {
    uint32_t end = gcl_block_begin(r, run.end - 1) + r->block;
    return (struct run){gcl_block_begin(r, run.begin), end < r->chunk_count ? end : r->chunk_count,
                        GCL_CHUNK_READ};
}

/// Chunks of what was added, which is sorted; and with those that rounding to blocks adds.
static void measure(const struct gcl_use *use, uint64_t *plain, uint64_t *rounded) {
    uint32_t plain_end = 0, rounded_end = 0;
    *plain = *rounded = 0;
    for (uint32_t i = 0; i < use->added.count; i++) {
        struct run run = use->added.items[i], wide = round_run(use->residency, run);
        run.begin = run.begin > plain_end ? run.begin : plain_end;
        wide.begin = wide.begin > rounded_end ? wide.begin : rounded_end;
        *plain += run.end > run.begin ? run.end - run.begin : 0;
        *rounded += wide.end > wide.begin ? wide.end - wide.begin : 0;
        plain_end = run.end > plain_end ? run.end : plain_end;
        rounded_end = wide.end > rounded_end ? wide.end : rounded_end;
    }
}

/// Adds what is beside the chunks that were added in their blocks, to be read, unless that is more
/// than a little: so blocks come, stay and go as a whole.
static bool round_to_blocks(struct gcl_use *use) {
    uint64_t plain, rounded, capacity = use->residency->options.capacity / GCL_CHUNK_SIZE;
    uint32_t count = use->added.count;
    bool ok = true;
    sort_added(use);
    if (use->residency->block == 1)
        return true;
    measure(use, &plain, &rounded);
    if (rounded > capacity / 4 && rounded - plain > capacity / 8)
        return true;
    for (uint32_t i = 0; ok && i < count; i++) {
        struct run run = use->added.items[i], wide = round_run(use->residency, run);
        ok = (wide.begin == run.begin ||
              append(&use->added, (struct run){wide.begin, run.begin, GCL_CHUNK_READ})) &&
             (wide.end == run.end ||
              append(&use->added, (struct run){run.end, wide.end, GCL_CHUNK_READ}));
    }
    if (use->added.count > count)
        sort_added(use);
    return ok;
}

bool gcl_use_settle(struct gcl_use *use) {
    bool ok = end_cover(use) && round_to_blocks(use);
    size_t count = 2 * (size_t)use->added.count;
    uint32_t *limits = malloc((count + 1) * sizeof *limits);
    if (!limits)
        return false;
    if (use->hole_count > 0)
        qsort(use->holes, use->hole_count, sizeof *use->holes, compare_holes);
    for (uint32_t i = 0; i < use->added.count; i++) {
        limits[2 * i] = use->added.items[i].begin;
        limits[2 * i + 1] = use->added.items[i].end;
    }
    qsort(limits, count, sizeof *limits, gcl_numbers_compare);
    ok = ok && sweep(use, limits, count);
    free(limits);
    return ok;
}

uint64_t gcl_use_size(const struct gcl_use *use) {
    return use->size;
}

uint64_t gcl_use_moves(const struct gcl_use *use) {
    return use->moves;
}

size_t gcl_use_weight(const struct gcl_use *use) {
    return sizeof *use + use->runs.count * sizeof *use->runs.items +
           use->hole_count * sizeof *use->holes;
}

const struct gcl_holes *gcl_use_holes(const struct gcl_residency *r, uint32_t number,
                                      uint32_t chunk) {
    const struct gcl_use *use = r->uses->first;
    while (use->number != number)
        use = use->next;
    const struct gcl_holes wanted = {.chunk = chunk};
    return use->hole_count == 0
               ? NULL
               : bsearch(&wanted, use->holes, use->hole_count, sizeof wanted, compare_holes);
}

void gcl_use_leave(struct gcl_use *use) {
    use->is_left = true;
    use->come = use->runs.count;
}

static int compare_run_with(const void *key, const void *item) {
    uint32_t chunk = *(const uint32_t *)key;
    const struct run *run = item;
    return chunk < run->begin ? -1 : chunk >= run->end;
}

bool gcl_use_writes(const struct gcl_residency *r, uint32_t chunk) {
    const struct gcl_use *use = r->uses->first;
    while (use && !use->is_left)
        use = use->next;
    const struct run *run =
        use && use->runs.count
            ? bsearch(&chunk, use->runs.items, use->runs.count, sizeof *run, compare_run_with)
            : NULL;
    return run && run->purpose != GCL_CHUNK_READ;
}

uint32_t gcl_use_parts(const struct gcl_use *use) {
    return use->runs.count && !use->is_left ? use->runs.count : 1;
}

static void announce(const struct gcl_use *use) {
    struct gcl_chunk_range *ranges = malloc((use->runs.count + 1) * sizeof *ranges);
    for (uint32_t i = 0; ranges && i < use->runs.count; i++)
        ranges[i] = (struct gcl_chunk_range){use->runs.items[i].begin, use->runs.items[i].end,
                                             !use->is_left &&
                                                 use->runs.items[i].purpose >= GCL_CHUNK_PATCH};
    gcl_choice_announce(use->residency, use->number, ranges, use->runs.count, use->kind);
    free(ranges);
}

/// Of these messages tests/bench/memory/record makes traces.
static void tell(const struct gcl_use *use) {
    static const char *const names[] = {[GCL_CHUNK_READ] = "r",
                                        [GCL_CHUNK_WRITE] = "rw",
                                        [GCL_CHUNK_PATCH] = "w",
                                        [GCL_CHUNK_OVERWRITE] = "w"};
    for (uint32_t i = 0; gcl_log_shows(GCL_LOG_TRACE) && i < use->runs.count; i++) {
        const struct run *run = &use->runs.items[i];
        gcl_log(GCL_LOG_TRACE, "use %u of kind %016" PRIx64 " %s %u-%u", use->number, use->kind,
                names[run->purpose], run->begin, run->end);
    }
}

void gcl_use_submit(struct gcl_use *use) {
    struct gcl_residency *r = use->residency;
    struct gcl_uses *uses = r->uses;
    pthread_mutex_lock(&r->lock);
    use->number = ++uses->last;
    tell(use);
    announce(use);
    *uses->end = use;
    uses->end = &use->next;
    pthread_cond_signal(&uses->has_news);
    pthread_mutex_unlock(&r->lock);
}

static void bring(struct gcl_residency *r, const struct run *run, uint32_t use, const void *owner,
                  bool is_waiting) {
    struct gcl_chunk_want want = {.purpose = run->purpose, .use = use, .is_waiting = is_waiting};
    uint64_t begin_ns = gcl_clock_ns();
    struct gcl_residency_came came = gcl_chunks_bring(r, run->begin, run->end, want);
    came.owner = owner;
    came.begin_ns = begin_ns;
    if (came.bytes + came.went > 0 && owner)
        r->options.came(r->options.context, &came);
}

static void begin(const struct gcl_use *use) {
    struct gcl_residency *r = use->residency;
    pthread_mutex_lock(&r->lock);
    for (uint32_t i = 0; i < use->runs.count; i++) {
        for (uint32_t number = use->runs.items[i].begin; number < use->runs.items[i].end; number++)
            gcl_choice_hold(r, number, use->number);
    }
    gcl_choice_begin(r, use->number);
    r->left_count += use->is_left;
    pthread_mutex_unlock(&r->lock);
}

void gcl_use_bring(void *data, uint32_t part) {
    const struct gcl_use *use = data;
    if (part == 0)
        begin(use);
    if (part < use->runs.count && !use->is_left)
        bring(use->residency, &use->runs.items[part], use->number, use->owner, false);
}

/// What a use has had come may go.
static void release(const struct gcl_use *use) {
    for (uint32_t i = 0; i < use->runs.count; i++) {
        for (uint32_t number = use->runs.items[i].begin; number < use->runs.items[i].end; number++)
            gcl_choice_release(use->residency, number);
    }
}

/// Takes uses that are over off the front of the queue. The lock is held.
static void advance(struct gcl_residency *r) {
    struct gcl_uses *uses = r->uses;
    while (uses->first && uses->first->is_over) {
        struct gcl_use *use = uses->first;
        uses->first = use->next;
        if (!uses->first)
            uses->end = &uses->first;
        r->in_use = uses->first ? uses->first->number : uses->last + 1;
        release(use);
        gcl_use_discard(use);
    }
}

void gcl_use_end(void *data) {
    struct gcl_use *use = data;
    struct gcl_residency *r = use->residency;
    pthread_mutex_lock(&r->lock);
    use->is_over = true;
    r->left_count -= use->is_left;
    advance(r);
    pthread_cond_signal(&r->uses->has_news);
    pthread_mutex_unlock(&r->lock);
}

// The thread.

/// Goes on to the next run of a use that the thread may have come. What is overwritten it leaves to
/// the command: before that, others may need what is there, and afterwards it is what was written.
static bool has_next(struct gcl_use *use) {
    while (use->come < use->runs.count && use->runs.items[use->come].purpose >= GCL_CHUNK_PATCH)
        use->come++;
    return !use->is_over && use->come < use->runs.count;
}

/// The use that has the next run; NULL: none has.
static struct gcl_use *find_next(const struct gcl_uses *uses) {
    struct gcl_use *use = uses->first;
    while (use && !has_next(use))
        use = use->next;
    return use;
}

/// Whether a use is so far ahead that room for it has to come from what would better stay: uses
/// that are over leave what is used last, but only when they are over.
static bool is_far(const struct gcl_residency *r, const struct gcl_use *use) {
    uint64_t size = 0;
    const struct gcl_use *before = r->uses->first;
    for (; before != use; before = before->next)
        size += before->size;
    return use != r->uses->first && before != r->uses->first->next &&
           size > r->options.capacity / AHEAD;
}

/// Whether chunks can come without others having to go that are needed sooner.
static bool may_come(const struct gcl_residency *r, const struct gcl_use *use, uint32_t count) {
    uint64_t size = (uint64_t)count * GCL_CHUNK_SIZE;
    return r->counts.resident + size <= r->options.capacity ||
           (!is_far(r, use) && gcl_choice_has_later(r, use->number));
}

static void *follow(void *residency) {
    struct gcl_residency *r = residency;
    struct gcl_uses *uses = r->uses;
    sigset_t signals;
    sigfillset(&signals);
    pthread_sigmask(SIG_SETMASK, &signals, NULL);
    pthread_setname_np(pthread_self(), "gcl-residency");
    pthread_mutex_lock(&r->lock);
    while (!uses->is_closing) {
        struct gcl_use *use = find_next(uses);
        struct run run = use ? use->runs.items[use->come] : (struct run){.begin = 0};
        if (!use || !may_come(r, use, run.end - run.begin)) {
            pthread_cond_wait(&uses->has_news, &r->lock);
            continue;
        }
        // The use may be over before its chunks have come.
        uint32_t number = use->number;
        const void *owner = use->owner;
        use->come++;
        pthread_mutex_unlock(&r->lock);
        bring(r, &run, number, owner, true);
        pthread_mutex_lock(&r->lock);
    }
    pthread_mutex_unlock(&r->lock);
    return NULL;
}

bool gcl_uses_start(struct gcl_residency *r) {
    struct gcl_uses *uses = calloc(1, sizeof *uses);
    if (!uses)
        return false;
    uses->end = &uses->first;
    pthread_cond_init(&uses->has_news, NULL);
    r->uses = uses;
    if (pthread_create(&uses->thread, NULL, follow, r) == 0)
        return true;
    free(uses);
    return false;
}

void gcl_uses_stop(struct gcl_residency *r) {
    struct gcl_uses *uses = r->uses;
    pthread_mutex_lock(&r->lock);
    uses->is_closing = true;
    pthread_cond_signal(&uses->has_news);
    pthread_mutex_unlock(&r->lock);
    pthread_join(uses->thread, NULL);
}
