// What threads of one block do to each other: they run one after the other from barrier to barrier,
// and tell of each access and each wait. hazards.c knows which accesses nothing orders.
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "exec/memory/written.h"
#include "exec/sanitize/state.h"

static size_t shared_size(const struct gcl_sanitizer *s) {
    return (size_t)s->launch->kernel->shared_size + s->launch->geometry.shared_size;
}

// Launches.

bool gcl_sanitize_begin_threads(struct gcl_sanitizer *s, uint64_t block_count, bool takes_turns) {
    s->store.size = 0;
    memset(s->near, 0, sizeof s->near);
    if (!gcl_sanitize_watch(s))
        return true;
    const size_t words = gcl_written_words(shared_size(s));
    s->threads_count = takes_turns ? block_count : 1;
    s->threads = calloc(s->threads_count, sizeof *s->threads);
    for (size_t i = 0; s->threads && i < s->threads_count; i++) {
        s->threads[i].written = calloc(words, sizeof(uint64_t));
        if (s->threads[i].written && gcl_hazards_begin(&s->threads[i].hazards, 1))
            continue;
        gcl_sanitize_end_threads(s);
        return false;
    }
    return s->threads != NULL;
}

void gcl_sanitize_end_threads(struct gcl_sanitizer *s) {
    for (size_t i = 0; s->threads && i < s->threads_count; i++) {
        gcl_hazards_finish(&s->threads[i].hazards);
        free(s->threads[i].written);
    }
    free(s->threads);
    s->threads = NULL;
    s->running = NULL;
}

// Stores.

// The thread has stored by now: was it what stood there?
static void settle_store(struct gcl_sanitizer *s) {
    struct gcl_sanitize_store *store = &s->store;
    if (store->size == 0)
        return;
    assert(store->size <= sizeof store->before);
    bool is_same = memcmp((const void *)(uintptr_t)store->address, store->before, store->size) == 0;
    store->size = 0;
    gcl_sanitize_report_hazard(s, is_same ? GCL_FINDING_SAME_VALUE : GCL_FINDING_HAZARD,
                               &store->access, &store->hazard);
}

static bool is_plain_store(const struct gcl_sanitizer *s, uint32_t site) {
    assert(site > 0 && site <= s->site_count);
    return (s->sites[site - 1]->races & (GCL_RACE_KINDS | GCL_RACE_VOLATILE)) == GCL_RACE_WRITE;
}

static void note_hazard(struct gcl_sanitizer *s, const struct gcl_hazard_access *access,
                        uint64_t address, uint64_t size, const struct gcl_hazard *hazard) {
    bool may_be_same = is_plain_store(s, access->site) && is_plain_store(s, hazard->other.site);
    if (!may_be_same || size > sizeof s->store.before) {
        gcl_sanitize_report_hazard(s, GCL_FINDING_HAZARD, access, hazard);
        return;
    }
    s->store = (struct gcl_sanitize_store){
        .address = address, .size = size, .access = *access, .hazard = *hazard};
    memcpy(s->store.before, (const void *)(uintptr_t)address, size);
}

// Blocks.

static void enter(const struct gcl_block *block, bool is_new) {
    struct gcl_sanitizer *s = &gcl_sanitizer;
    const uint32_t *grid = s->launch->geometry.grid, *at = block->block_index;
    s->block = block;
    uint64_t number = at[0] + (uint64_t)grid[0] * (at[1] + (uint64_t)grid[1] * at[2]);
    assert(s->threads);
    s->running = &s->threads[s->threads_count > 1 ? number : 0];
    if (!is_new)
        return;
    if (s->checks & GCL_KERNEL_RACE)
        gcl_hazards_begin(&s->running->hazards, block->thread_count); // it has its memory
    memset(s->running->places, 0, sizeof s->running->places);
    memset(s->running->written, 0, gcl_written_words(shared_size(s)) * sizeof(uint64_t));
}

static void leave(const struct gcl_block *block) {
    (void)block;
    settle_store(&gcl_sanitizer);
}

static void pass_barrier(const struct gcl_block *block, bool is_diverged) {
    struct gcl_sanitizer *s = &gcl_sanitizer;
    settle_store(s);
    if (is_diverged && (s->checks & GCL_KERNEL_SYNC))
        gcl_sanitize_check_barrier(s, block);
    gcl_hazards_barrier(&s->running->hazards);
}

// Only lanes that say so wait for each other; that those without a mask do is what the compiler
// adds for programs that count on it.
static void pass_warp(const struct gcl_block *block, uint32_t first, uint32_t lanes) {
    struct gcl_sanitizer *s = &gcl_sanitizer;
    assert(lanes != 0);
    settle_store(s);
    if (block->mask[first + (uint32_t)__builtin_ctz(lanes)] == 0)
        return;
    if (s->checks & GCL_KERNEL_SYNC)
        gcl_sanitize_check_warp(s, block, first, lanes);
    if (s->checks & GCL_KERNEL_RACE)
        gcl_hazards_warp(&s->running->hazards, first, lanes);
}

const struct gcl_block_watch *gcl_sanitize_watch(const struct gcl_sanitizer *s) {
    static const struct gcl_block_watch watch = {enter, leave, pass_barrier, pass_warp};
    bool is_needed = (s->checks & (GCL_KERNEL_RACE | GCL_KERNEL_INIT | GCL_KERNEL_SYNC)) != 0;
    return is_needed ? &watch : NULL;
}

void gcl_device_wait(const struct gcl_site *site) {
    struct gcl_sanitizer *s = &gcl_sanitizer;
    settle_store(s);
    if (s->running)
        s->running->places[s->block->thread] = site;
}

void gcl_device_fence(void) {
    struct gcl_sanitizer *s = &gcl_sanitizer;
    if (s->running)
        gcl_hazards_fence(&s->running->hazards, s->block->thread);
}

// Accesses.

// What an access is to others; atomic loads are told without a kind.
static uint8_t kinds_of(const struct gcl_site *site) {
    bool has_kind = (site->races & GCL_RACE_KINDS) != 0;
    uint32_t result = site->kind == GCL_ACCESS_ATOMIC ? GCL_HAZARD_RESULT : 0;
    return (uint8_t)(has_kind ? (site->races & (GCL_RACE_KINDS | GCL_RACE_VOLATILE)) | result
                              : GCL_RACE_READ | GCL_RACE_ATOMIC);
}

static void check_race(struct gcl_sanitizer *s, const struct gcl_sanitize_access *access) {
    struct gcl_hazard hazard;
    struct gcl_hazard_access own = {.site = access->site->number,
                                    .thread = (uint16_t)s->block->thread,
                                    .kinds = kinds_of(access->site)};
    if (gcl_hazards_access(&s->running->hazards, &own, access->address, access->size, &hazard))
        note_hazard(s, &own, access->address, access->size, &hazard);
}

// Whether an access with bytes that nobody wrote is a mistake. Where a structure is copied, such
// bytes may be those between its members.
static bool is_unwritten(const struct gcl_site *site, const uint64_t *written, size_t begin,
                         size_t end) {
    return !gcl_written_all(written, begin, end) &&
           !((site->races & GCL_RACE_COPIES) && gcl_written_any(written, begin, end));
}

// `written` is that of the memory that begins at `base`.
static void check_written(struct gcl_sanitizer *s, const struct gcl_sanitize_access *access,
                          uint64_t *written, uint64_t base) {
    size_t begin = access->address - base, end = begin + access->size;
    bool reads = access->site->kind != GCL_ACCESS_WRITE;
    if (reads && is_unwritten(access->site, written, begin, end))
        gcl_sanitize_report_init(s, access, base + gcl_written_missing(written, begin, end));
    if (access->site->kind != GCL_ACCESS_READ)
        gcl_written_set(written, begin, end);
}

// The allocation of an access, mostly that of the site's last one; empty: none.
static const struct gcl_sanitize_near *find_near(struct gcl_sanitizer *s, uint64_t address,
                                                 const struct gcl_site *site) {
    struct gcl_sanitize_near *near = &s->near[(uintptr_t)site / sizeof *site % GCL_SANITIZE_NEAR];
    if (address - near->begin < near->end - near->begin)
        return near;
    const struct gcl_shadow_extent *extent = gcl_sanitize_find(s, address);
    *near = (struct gcl_sanitize_near){.begin = 0};
    if (extent)
        *near = (struct gcl_sanitize_near){extent->begin, extent->end, extent->written,
                                           gcl_sanitize_may_change(s, extent)};
    return near;
}

bool gcl_sanitize_access_thread(struct gcl_sanitizer *s, uint64_t address, uint64_t size,
                                struct gcl_site *site) {
    const struct gcl_sanitize_access access = {address, size, site};
    uint64_t *written = s->running->written, base = (uintptr_t)s->block->shared;
    bool is_own = address - base < shared_size(s) && shared_size(s) - (address - base) >= size;
    bool may_race = (s->checks & GCL_KERNEL_RACE) != 0;
    settle_store(s);
    if (!is_own && (site->races & GCL_RACE_SHARED)) // what lies there is the process' own
        gcl_sanitize_end_at_bounds(s, &access);
    if (!is_own) {
        const struct gcl_sanitize_near *near = find_near(s, address, site);
        if (address - near->begin >= near->end - near->begin || near->end - address < size)
            return true;
        may_race = may_race && (near->may_change || site->kind != GCL_ACCESS_READ);
        written = near->written;
        base = near->begin;
    }
    if (may_race && gcl_sanitize_enlist(s, site))
        check_race(s, &access);
    if ((s->checks & GCL_KERNEL_INIT) && written)
        check_written(s, &access, written, base);
    return !is_own;
}
