// Chunks have records by their addresses, in an array of all that may be: its pages take memory
// when they are used.
#include "exec/residency/residency.h"

#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "base/log.h"
#include "exec/residency/choice.h"
#include "exec/residency/move.h"
#include "exec/residency/state.h"
#include "exec/residency/use.h"
#include "plan/directory/pages.h"

enum {
    COPIED_MOST = 16, ///< chunks that one thread copies at once
};

static struct gcl_residency *opened;

struct gcl_residency *gcl_residency_get(void) {
    return opened;
}

// Images of device code lie before it, and stay where they are.
bool gcl_residency_has(const struct gcl_residency *r, uintptr_t begin, size_t size) {
    return begin >= r->options.begin && begin <= r->options.end && size <= r->options.end - begin;
}

size_t gcl_residency_capacity(const struct gcl_residency *residency) {
    return residency->options.capacity;
}

bool gcl_residency_is_engaged(const struct gcl_residency *residency) {
    return atomic_load_explicit(&residency->is_engaged, memory_order_relaxed);
}

bool gcl_residency_fix(struct gcl_residency *residency) {
    pthread_mutex_lock(&residency->lock);
    residency->is_fixed = !gcl_residency_is_engaged(residency);
    bool is_fixed = residency->is_fixed;
    pthread_mutex_unlock(&residency->lock);
    return is_fixed;
}

struct gcl_residency_counts gcl_residency_counts(struct gcl_residency *residency) {
    pthread_mutex_lock(&residency->lock);
    struct gcl_residency_counts counts = residency->counts;
    pthread_mutex_unlock(&residency->lock);
    return counts;
}

bool gcl_residency_spare(struct gcl_residency *r, unsigned char **chunks) {
    uint64_t left = r->options.spare / GCL_CHUNK_SIZE / 8; // for its own on their way
    pthread_mutex_lock(&r->lock);
    bool has_room = r->places + GCL_STORE_GRANT + left <= r->most_places;
    r->most_places -= has_room ? GCL_STORE_GRANT : 0;
    pthread_mutex_unlock(&r->lock);
    if (!has_room || gcl_store_spare(r->options.store, chunks))
        return has_room;
    pthread_mutex_lock(&r->lock);
    r->most_places += GCL_STORE_GRANT;
    pthread_mutex_unlock(&r->lock);
    return false;
}

static bool fail(const char *what) {
    gcl_log(GCL_LOG_ERROR, "device memory can't come and go: %s (%s)", what, strerror(errno));
    return false;
}

/// Addresses whose pages take memory when they are used; they stay until the process ends.
static void *map(size_t size, int protection) {
    void *begin = mmap(NULL, size, protection, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    return begin == MAP_FAILED ? NULL : begin;
}

bool gcl_residency_open(const struct gcl_residency_options *options) {
    struct gcl_residency *r = calloc(1, sizeof *r);
    assert(!opened && options->begin % GCL_CHUNK_SIZE == 0);
    if (!r)
        return fail("no memory to account for it");
    r->options = *options;
    r->chunk_count = (uint32_t)((options->end - options->begin) / GCL_CHUNK_SIZE) + 1;
    r->in_use = 1;
    r->most_places = r->top_places = gcl_store_size(options->store) / GCL_CHUNK_SIZE;
    size_t at_once = options->capacity / GCL_CHUNK_SIZE / 4 / (options->thread_count + 1);
    r->most_moved = at_once < 1 ? 1 : at_once < COPIED_MOST ? (uint32_t)at_once : COPIED_MOST;
    r->block = 1;
    r->chunks = map(r->chunk_count * sizeof *r->chunks, PROT_READ | PROT_WRITE);
    r->zeros = map((size_t)GCL_MOVE_MOST * GCL_CHUNK_SIZE, PROT_READ);
    if (!r->chunks || !r->zeros) {
        free(r);
        return fail("no memory to account for it");
    }
    pthread_mutex_init(&r->lock, NULL);
    pthread_cond_init(&r->moved, NULL);
    r->guard = gcl_guard_create(&(struct gcl_guard_options){.touched = gcl_chunks_touched,
                                                            .context = r,
                                                            .thread_count = options->thread_count,
                                                            .is_user_only = true});
    if (!r->guard) {
        free(r);
        return fail("this process may not notice what it touches (userfaultfd)");
    }
    if (at_once >= GCL_MOVE_MOST && options->begin % (GCL_BLOCK_CHUNKS * GCL_CHUNK_SIZE) == 0 &&
        gcl_store_take_pages(options->store, r->guard, r->chunk_count)) {
        r->most_moved = GCL_MOVE_MOST;
        r->block = GCL_BLOCK_CHUNKS;
    }
    if (!gcl_uses_start(r))
        return fail("no thread to have it come beforehand");
    opened = r;
    return true;
}

void gcl_residency_close(void) {
    if (opened)
        gcl_uses_stop(opened);
}

// From the first allocation on that has no room.

/// Whether some page of a chunk takes memory.
static bool is_there(uintptr_t begin) {
    unsigned char pages[GCL_CHUNK_PAGES];
    if (mincore((void *)begin, GCL_CHUNK_SIZE, pages) != 0)
        return true;
    for (unsigned i = 0; i < GCL_CHUNK_PAGES; i++) {
        if (pages[i] & 1)
            return true;
    }
    return false;
}

/// The lock is held: who stops meanwhile waits for it.
static bool engage(struct gcl_residency *r) {
    uint64_t seen = 0;
    if (!r->choice && !gcl_choice_open(r)) {
        gcl_log(GCL_LOG_ERROR, "no memory to account for what is on the device");
        return false;
    }
    if (gcl_guard_watch_bare(r->guard, r->options.begin, r->options.end - r->options.begin) !=
        GCL_OK)
        return false;
    atomic_store(&r->is_engaged, true);
    for (uint32_t i = 1; i < r->chunk_count && seen < r->committed; i++) {
        struct chunk *chunk = &r->chunks[i];
        if (chunk->state == CHUNK_NONE)
            continue;
        seen += GCL_CHUNK_SIZE;
        if (!is_there(gcl_chunk_begin(r, i)))
            continue;
        chunk->state = CHUNK_HERE;
        chunk->is_partial = true;
        r->counts.resident += GCL_CHUNK_SIZE;
        gcl_chunks_add(r, i, 0);
    }
    r->counts.most = r->counts.resident;
    gcl_log(GCL_LOG_INFO,
            "more memory is allocated than the %zu MiB that the device holds: what isn't used goes "
            "to the host's memory or to files",
            r->options.capacity >> 20);
    return true;
}

// Pages.

static uint16_t pages_in(const struct gcl_residency *r, uint32_t number, uintptr_t begin,
                         uintptr_t end) {
    uintptr_t chunk = gcl_chunk_begin(r, number);
    unsigned first = begin > chunk ? (unsigned)((begin - chunk) / GCL_PAGE_SIZE) : 0;
    unsigned last = end < chunk + GCL_CHUNK_SIZE
                        ? (unsigned)((end - chunk + GCL_PAGE_SIZE - 1) / GCL_PAGE_SIZE)
                        : GCL_CHUNK_PAGES;
    return (uint16_t)((UINT32_C(1) << last) - (UINT32_C(1) << first));
}

/// Waits until no chunk from one number to another is moving. The lock is held, and is let go
/// meanwhile.
static void await_chunks(struct gcl_residency *r, uint32_t first, uint32_t last) {
    for (uint32_t i = first; i <= last; i++) {
        while (r->chunks[i].state == CHUNK_MOVING) {
            pthread_cond_wait(&r->moved, &r->lock);
            i = first; // those before it may be moving now
        }
    }
}

/// Accounts for pages. The lock is held. False: not all tiers together have room for them.
static bool account(struct gcl_residency *r, uintptr_t begin, uintptr_t end) {
    uint32_t first = gcl_chunk_at(r, begin), last = gcl_chunk_at(r, end - 1);
    uint64_t size = 0,
             all = r->options.capacity + gcl_store_size(r->options.store) - r->options.spare;
    await_chunks(r, first, last);
    for (uint32_t i = first; i <= last; i++)
        size += r->chunks[i].state == CHUNK_NONE ? GCL_CHUNK_SIZE : 0;
    if ((r->options.is_alone && r->committed + size > all) ||
        (r->is_fixed && r->committed + size > r->options.capacity))
        return false;
    for (uint32_t i = first; i <= last; i++) {
        struct chunk *chunk = &r->chunks[i];
        chunk->is_partial = chunk->state != CHUNK_NONE;
        chunk->state = chunk->state == CHUNK_NONE ? CHUNK_ZERO : chunk->state;
        chunk->pages |= pages_in(r, i, begin, end);
    }
    r->committed += size;
    return true;
}

static bool commit(uintptr_t begin, size_t size) {
    struct gcl_residency *r = opened;
    uintptr_t end = begin + size;
    bool ok = true;
    if (!r || !gcl_residency_has(r, begin, size))
        return gcl_pages_host.commit(begin, size);
    pthread_mutex_lock(&r->lock);
    ok = gcl_pages_host.commit(begin, size);
    if (ok && !account(r, begin, end)) {
        gcl_pages_host.decommit(begin, size);
        ok = false;
    }
    if (ok && gcl_residency_is_engaged(r))
        ok = gcl_guard_watch_bare(r->guard, begin, size) == GCL_OK;
    else if (ok && r->committed > r->options.capacity)
        ok = engage(r);
    pthread_mutex_unlock(&r->lock);
    return ok;
}

static bool decommit(uintptr_t begin, size_t size) {
    struct gcl_residency *r = opened;
    if (r && gcl_residency_has(r, begin, size)) {
        pthread_mutex_lock(&r->lock);
        gcl_chunks_forget(r, gcl_chunk_at(r, begin), gcl_chunk_at(r, begin + size - 1) + 1);
        pthread_mutex_unlock(&r->lock);
    }
    return gcl_pages_host.decommit(begin, size);
}

const struct gcl_page_ops *gcl_residency_pages(void) {
    static struct gcl_page_ops pages;
    pages = gcl_pages_host;
    pages.unit = GCL_CHUNK_SIZE;
    pages.commit = commit;
    pages.decommit = decommit;
    pages.shared = &gcl_pages_host;
    return &pages;
}
