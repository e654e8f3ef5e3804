// Uses that are submitted form a queue. A thread follows it: it has the chunks of each come, as
// long as others go for them that aren't in use.
#include "exec/residency/use.h"

#include <assert.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "exec/residency/choice.h"

/// Chunks [begin, end), at most as many as move at once.
struct run {
    uint32_t begin, end;
    enum gcl_chunk_purpose purpose;
};

struct gcl_use {
    struct gcl_residency *residency;
    struct run *runs;
    uint32_t count, capacity;
    uint32_t number;
    uint32_t come; ///< runs that the thread has taken
    bool has_begun, is_over;
    uint64_t size, kind;
    struct gcl_use *next; ///< in the queue
};

struct gcl_uses {
    pthread_t thread;
    pthread_cond_t has_news;
    bool is_closing;
    uint32_t last; ///< number
    struct gcl_use *first, **end;
};

struct gcl_use *gcl_use_create(struct gcl_residency *residency, uint64_t kind) {
    struct gcl_use *use = calloc(1, sizeof *use);
    if (!use)
        return NULL;
    use->residency = residency;
    use->kind = kind;
    return use;
}

void gcl_use_discard(struct gcl_use *use) {
    if (use)
        free(use->runs);
    free(use);
}

static bool add_run(struct gcl_use *use, struct run run) {
    if (use->count == use->capacity) {
        uint32_t capacity = use->capacity ? 2 * use->capacity : 16;
        struct run *runs = realloc(use->runs, capacity * sizeof *runs);
        if (!runs)
            return false;
        use->runs = runs;
        use->capacity = capacity;
    }
    use->runs[use->count++] = run;
    use->size += (uint64_t)(run.end - run.begin) * GCL_CHUNK_SIZE;
    return true;
}

bool gcl_use_add(struct gcl_use *use, uintptr_t begin, uintptr_t end,
                 enum gcl_chunk_purpose purpose) {
    const struct gcl_residency *r = use->residency;
    uint32_t first = gcl_chunk_at(r, begin), last = gcl_chunk_at(r, end - 1) + 1;
    bool ok = true;
    if (begin < r->options.begin || end > r->options.end)
        return true;
    // Runs come one after the other: many end in the chunk in which the next begins.
    if (use->count > 0 && use->runs[use->count - 1].purpose == purpose &&
        first == use->runs[use->count - 1].end - 1)
        first++;
    for (uint32_t i = first; ok && i < last; i += r->most_moved) {
        uint32_t rest = last - i;
        ok = add_run(use,
                     (struct run){i, i + (rest < r->most_moved ? rest : r->most_moved), purpose});
    }
    return ok;
}

uint64_t gcl_use_size(const struct gcl_use *use) {
    return use->size;
}

uint32_t gcl_use_parts(const struct gcl_use *use) {
    return use->count ? use->count : 1;
}

static void announce(const struct gcl_use *use) {
    struct gcl_chunk_range *ranges = malloc((use->count + 1) * sizeof *ranges);
    for (uint32_t i = 0; ranges && i < use->count; i++)
        ranges[i] = (struct gcl_chunk_range){use->runs[i].begin, use->runs[i].end};
    if (ranges)
        gcl_choice_announce(use->residency, ranges, use->count, use->kind);
    free(ranges);
}

void gcl_use_submit(struct gcl_use *use) {
    struct gcl_residency *r = use->residency;
    struct gcl_uses *uses = r->uses;
    pthread_mutex_lock(&r->lock);
    use->number = ++uses->last;
    announce(use);
    *uses->end = use;
    uses->end = &use->next;
    pthread_cond_signal(&uses->has_news);
    pthread_mutex_unlock(&r->lock);
}

/// The first of the threads that have its chunks come says so.
static void begin(struct gcl_use *use) {
    struct gcl_residency *r = use->residency;
    pthread_mutex_lock(&r->lock);
    if (!use->has_begun)
        gcl_choice_begin(r);
    use->has_begun = true;
    pthread_mutex_unlock(&r->lock);
}

void gcl_use_bring(void *data, uint32_t part) {
    struct gcl_use *use = data;
    begin(use);
    if (part < use->count)
        gcl_chunks_bring(use->residency, use->runs[part].begin, use->runs[part].end,
                         use->runs[part].purpose, use->number);
}

/// What a use has had come may go.
static void release(const struct gcl_use *use) {
    for (uint32_t i = 0; i < use->count; i++) {
        for (uint32_t number = use->runs[i].begin; number < use->runs[i].end; number++)
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
    advance(r);
    pthread_cond_signal(&r->uses->has_news);
    pthread_mutex_unlock(&r->lock);
}

// The thread.

/// The next run that isn't taken; NULL: there is none.
static struct gcl_use *find_next(const struct gcl_uses *uses) {
    struct gcl_use *use = uses->first;
    while (use && (use->is_over || use->come == use->count))
        use = use->next;
    return use;
}

/// Whether chunks can come without others having to go that are needed sooner.
static bool may_come(const struct gcl_residency *r, const struct gcl_use *use, uint32_t count) {
    uint64_t size = (uint64_t)count * GCL_CHUNK_SIZE;
    return r->counts.resident + size <= r->options.capacity || gcl_choice_has_later(r, use->number);
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
        struct run run = use ? use->runs[use->come] : (struct run){.begin = 0};
        if (!use || !may_come(r, use, run.end - run.begin)) {
            pthread_cond_wait(&uses->has_news, &r->lock);
            continue;
        }
        uint32_t number = use->number;
        use->come++;
        pthread_mutex_unlock(&r->lock);
        gcl_chunks_bring(r, run.begin, run.end, run.purpose, number);
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
