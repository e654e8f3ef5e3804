// Uses that are submitted form a queue. A thread follows it: it has the chunks of each come, as
// long as others go for them that aren't in use.
#include "exec/residency/use.h"

#include <assert.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "base/log.h"

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
    bool is_over;
    uint64_t size;
    struct gcl_use *next; ///< in the queue
};

struct gcl_uses {
    pthread_t thread;
    pthread_cond_t has_news;
    bool is_closing;
    uint32_t last; ///< number
    struct gcl_use *first, **end;
};

struct gcl_use *gcl_use_create(struct gcl_residency *residency) {
    struct gcl_use *use = calloc(1, sizeof *use);
    if (use)
        use->residency = residency;
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

void gcl_use_submit(struct gcl_use *use) {
    struct gcl_residency *r = use->residency;
    struct gcl_uses *uses = r->uses;
    pthread_mutex_lock(&r->lock);
    use->number = ++uses->last;
    *uses->end = use;
    uses->end = &use->next;
    pthread_cond_signal(&uses->has_news);
    pthread_mutex_unlock(&r->lock);
}

void gcl_use_bring(void *data, uint32_t part) {
    const struct gcl_use *use = data;
    if (part < use->count)
        gcl_chunks_bring(use->residency, use->runs[part].begin, use->runs[part].end,
                         use->runs[part].purpose, use->number);
}

/// Takes uses that are over off the front of the queue. The lock is held.
static void advance(struct gcl_residency *r) {
    struct gcl_uses *uses = r->uses;
    while (uses->first && uses->first->is_over) {
        struct gcl_use *use = uses->first;
        uses->first = use->next;
        if (!uses->first)
            uses->end = &uses->first;
        gcl_use_discard(use);
    }
    r->in_use = uses->first ? uses->first->number : uses->last + 1;
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

/// Whether chunks can come without others having to go that are in use.
static bool may_come(const struct gcl_residency *r, uint32_t count) {
    uint64_t size = (uint64_t)count * GCL_CHUNK_SIZE;
    if (r->counts.resident + size <= r->options.capacity)
        return true;
    uint32_t number = r->oldest;
    for (uint32_t i = 0; i < count && number; i++, number = r->chunks[number].newer) {
        if (r->chunks[number].use >= r->in_use)
            return false;
    }
    return number != 0;
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
        if (!use || !may_come(r, run.end - run.begin)) {
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
