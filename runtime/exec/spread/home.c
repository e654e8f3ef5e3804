// Memory that the host uses, which is at home on node 0.
//
// Of guarded memory (managed memory, where the system allows it) node 0 gets what the program's
// threads touch: a stop at a page becomes an access of node 0's, in its place among the other
// operations. A thread that walks from page to page is given longer and longer stretches.
//
// Of other memory that the host uses (pinned memory), everything is brought home after each launch
// that changes some, since the host may look at it at any time, and counts as changed by the host.
#include <assert.h>
#include <errno.h>
#include <semaphore.h>
#include <stdlib.h>
#include <string.h>

#include "base/log.h"
#include "exec/memory/guard.h"
#include "exec/spread/carry.h"
#include "exec/spread/copy.h"
#include "exec/spread/devices.h"
#include "exec/spread/home.h"
#include "plan/directory/pages.h"

enum { LONGEST_STRETCH = 2 << 20, WALKS = 16 };

/// Where the host walks through guarded memory.
struct walk {
    uintptr_t begin, end; ///< the last stretch that it was given
};

struct gcl_spread_home {
    struct gcl_memory_guard *guard; ///< NULL: there is no guarded memory
    /// Of what stops ask for: no stream of the program's, since that may wait for who has stopped.
    struct gcl_stream *stops;
    bool has_guarded;         ///< that has been tried
    bool has_left;            ///< there are no other nodes any more
    struct walk walks[WALKS]; ///< the guard's thread's
    unsigned next_walk;
};

bool gcl_spread_create_home(struct gcl_spread *spread) {
    spread->home = calloc(1, sizeof *spread->home);
    return spread->home != NULL;
}

struct gcl_memory_guard *gcl_spread_guard_of(const struct gcl_spread *spread) {
    return spread->home->guard;
}

// After operations.

bool gcl_spread_demand(struct gcl_spread *spread, struct gcl_plan *plan,
                       const struct gcl_directory_entry *entry, gcl_node node,
                       struct gcl_region needed, bool is_owned) {
    struct gcl_region *regions = calloc(spread->options.count, sizeof *regions);
    if (!regions)
        return false;
    assert(node < spread->options.count);
    regions[node] = needed;
    bool ok = gcl_plan_demand(plan, spread->directory,
                              &(struct gcl_demand){.begin = entry->begin,
                                                   .needed = regions,
                                                   .written = is_owned ? regions : NULL});
    free(regions);
    return ok;
}

bool gcl_spread_demand_all(struct gcl_spread *spread, struct gcl_plan *plan,
                           const struct gcl_directory_entry *entry, gcl_node node, bool is_owned) {
    return gcl_spread_demand(spread, plan, entry, node, gcl_region_run(0, (int64_t)entry->size),
                             is_owned);
}

/// Adds that pages come home of which node 0 has a part.
static bool demand_torn(struct gcl_spread *spread, struct gcl_plan *plan,
                        const struct gcl_directory_entry *entry) {
    struct gcl_region torn = {.count = 0};
    gcl_pages_torn(entry->layout, (int64_t)entry->size, &torn);
    bool ok = gcl_region_is_empty(&torn) || gcl_spread_demand(spread, plan, entry, 0, torn, false);
    gcl_region_finish(&torn);
    return ok;
}

bool gcl_spread_bring_home(struct gcl_spread *spread, struct gcl_stream *stream,
                           const struct gcl_plan *plan, enum gcl_track track,
                           struct gcl_fence *fence) {
    struct gcl_plan *way = NULL;
    bool ok = true;
    for (size_t i = 0; i < plan->allocation_count && ok; i++) {
        const struct gcl_directory_entry *entry =
            gcl_directory_find(spread->directory, plan->allocations[i].begin);
        if (!entry->use)
            continue;
        if (!way)
            way = gcl_plan_create();
        ok = way &&
             (entry->use == GCL_HOST_GUARDED ? demand_torn(spread, way, entry)
                                             : gcl_spread_demand_all(spread, way, entry, 0, true));
    }
    if (ok && way && way->allocation_count > 0) {
        struct gcl_fence home = gcl_spread_carry_out(
            spread, stream, way, (struct gcl_turn){.track = track, .moment = ++spread->sequence},
            NULL);
        gcl_spread_add_transfer(spread, way, home);
        *fence = home.stream ? home : *fence;
    }
    gcl_plan_release(way);
    return ok;
}

// Accesses of the host.

static void access_memory(struct gcl_spread *spread, struct gcl_stream *stream, uintptr_t begin,
                          size_t size, bool is_written) {
    struct gcl_operation o = {.kind = GCL_OPERATION_ACCESS};
    o.access.read = (struct gcl_operation_box){
        .begin = begin, .pitch = size, .slice = size, .width = size, .height = 1, .depth = 1};
    if (is_written)
        o.access.written = o.access.read;
    gcl_spread_announce(spread, &o);
    gcl_spread_access(spread, stream, &o, NULL);
}

void gcl_spread_bring_all_home(struct gcl_spread *spread, struct gcl_stream *stream) {
    size_t count;
    const struct gcl_directory_entry *entries = gcl_directory_entries(spread->directory, &count);
    for (size_t i = 0; i < count; i++) {
        const struct gcl_layout *layout = entries[i].layout;
        if (entries[i].use == GCL_HOST_GUARDED &&
            layout != gcl_layouts_home(gcl_directory_layouts(spread->directory),
                                       (int64_t)entries[i].size))
            access_memory(spread, stream, entries[i].begin, entries[i].size, true);
    }
}

void gcl_spread_fetch_home(struct gcl_spread *spread, struct gcl_stream *stream) {
    size_t count;
    const struct gcl_directory_entry *entries = gcl_directory_entries(spread->directory, &count);
    for (size_t i = 0; i < count; i++)
        access_memory(spread, stream, entries[i].begin, entries[i].size,
                      entries[i].use == GCL_HOST_GUARDED);
}

void gcl_spread_prefetch(struct gcl_spread *spread, struct gcl_stream *stream, const void *begin,
                         size_t size) {
    gcl_spread_lock(spread);
    const struct gcl_directory_entry *entry =
        gcl_directory_find(spread->directory, (uintptr_t)begin);
    if (entry && entry->use == GCL_HOST_GUARDED)
        access_memory(spread, gcl_spread_work(spread, stream), (uintptr_t)begin, size, false);
    gcl_spread_unlock(spread);
}

static void post(void *data) {
    sem_post(data);
}

/// Waits until this node has done what was submitted up to here; the lock is held, but meanwhile.
static void wait_here(struct gcl_spread *spread, struct gcl_stream *stream) {
    sem_t done;
    sem_init(&done, 0, 0);
    struct gcl_fence fence = gcl_spread_call(
        spread, stream,
        (struct gcl_host_call){
            .function = post, .data = &done, .name = "wait", .track = GCL_TRACK_KERNELS});
    gcl_spread_unlock(spread);
    while (fence.stream && sem_wait(&done) != 0)
        ;
    sem_destroy(&done);
    gcl_spread_lock(spread);
}

/// What to give a thread that has stopped at a page: twice as much as before if it goes on there.
static struct walk next_stretch(struct gcl_spread *spread, uintptr_t page,
                                const struct gcl_directory_entry *entry) {
    struct walk *walk = NULL, next = {page, page + GCL_PAGE_SIZE};
    for (unsigned i = 0; i < WALKS && !walk; i++) {
        if (page == spread->home->walks[i].end || next.end == spread->home->walks[i].begin)
            walk = &spread->home->walks[i];
    }
    if (walk) {
        size_t size = 2 * (walk->end - walk->begin);
        size = size < LONGEST_STRETCH ? size : LONGEST_STRETCH;
        if (page == walk->end)
            next.end = page + size;
        else
            next.begin = next.end - size;
    } else {
        walk = &spread->home->walks[spread->home->next_walk++ % WALKS];
    }
    if (next.begin < entry->begin || next.begin > page)
        next.begin = entry->begin;
    if (next.end > entry->begin + entry->size)
        next.end = entry->begin + entry->size;
    assert(next.begin <= page && page < next.end);
    *walk =
        (struct walk){next.begin, (next.end + GCL_PAGE_SIZE - 1) / GCL_PAGE_SIZE * GCL_PAGE_SIZE};
    return next;
}

/// Device code that uses what its access program doesn't say would wait for itself.
static bool refuse(struct gcl_spread *spread, uintptr_t page) {
    gcl_log(GCL_LOG_ERROR, "device code used managed memory at %p unexpectedly", (void *)page);
    gcl_engine_fail(spread->options.engine, GCL_ILLEGAL_ADDRESS);
    return gcl_guard_clear(spread->home->guard, page, GCL_PAGE_SIZE) == GCL_OK &&
           gcl_guard_open(spread->home->guard, page, GCL_PAGE_SIZE) == GCL_OK;
}

/// Whether a page is valid on this node: somebody else's stop may have brought it.
static bool is_here(const struct gcl_directory_entry *entry, uintptr_t page) {
    int64_t begin = (int64_t)page - (int64_t)entry->begin, end = begin + GCL_PAGE_SIZE;
    struct gcl_span bytes = {begin > 0 ? begin : 0,
                             end < (int64_t)entry->size ? end : (int64_t)entry->size};
    return gcl_region_contains_range(&entry->layout->held[0], bytes);
}

/// Whether other nodes' bytes can still be had.
static bool is_reachable(struct gcl_spread *spread, uintptr_t page) {
    enum gcl_status status = gcl_engine_status(spread->options.engine);
    const char *why = "the device has failed";
    if (spread->home->has_left)
        why = "the job has ended";
    else if (status == GCL_NODE_LOST)
        why = "a node is lost";
    else if (status != GCL_NO_MEMORY && status != GCL_SYSTEM)
        return true;
    gcl_log(GCL_LOG_ERROR, "managed memory at %p can't be had: %s", (void *)page, why);
    return false;
}

static enum gcl_guard_answer touched(void *context, uintptr_t page, bool is_written, pid_t thread) {
    struct gcl_spread *spread = context;
    struct gcl_stream *stream =
        spread->devices ? gcl_spread_own_stream(spread) : spread->home->stops;
    if (gcl_engine_is_running(spread->options.engine, thread))
        return refuse(spread, page) ? GCL_GUARD_ANSWERED : GCL_GUARD_FAILED;
    gcl_spread_lock(spread);
    const struct gcl_directory_entry *entry = gcl_directory_find(spread->directory, page);
    if (entry && entry->use == GCL_HOST_GUARDED && !spread->home->has_left) {
        struct walk stretch = next_stretch(spread, page, entry);
        size_t size = stretch.end - stretch.begin;
        gcl_log(GCL_LOG_DEBUG, "the host %s %zu bytes at %p", is_written ? "writes" : "reads", size,
                (void *)stretch.begin);
        access_memory(spread, stream, stretch.begin, size, is_written);
        wait_here(spread, stream);
    }
    // A stop that was answered together with another one may be heard of after the end.
    bool is_answered =
        (spread->home->has_left && entry && is_here(entry, page)) || is_reachable(spread, page);
    gcl_spread_unlock(spread);
    return is_answered ? GCL_GUARD_ANSWERED : GCL_GUARD_FAILED;
}

void gcl_spread_guard(struct gcl_spread *spread) {
    if (spread->home->has_guarded)
        return;
    spread->home->has_guarded = true;
    if (spread->options.device->is_apart) {
        // The GPU has pages locked that a guard would drop.
        gcl_log(GCL_LOG_INFO, "managed memory comes home after each launch: this node has a GPU");
        return;
    }
    spread->home->stops =
        gcl_stream_create(spread->options.engine, GCL_STREAM_NON_BLOCKING, 0, GCL_NO_DEVICE);
    if (!spread->home->stops) {
        gcl_spread_give_up(spread);
        return;
    }
    spread->home->guard =
        gcl_guard_create(&(struct gcl_guard_options){.touched = touched, .context = spread});
    if (!spread->home->guard)
        gcl_log(GCL_LOG_WARN,
                "managed memory comes home after each launch instead of when it is used: this "
                "process may not guard its pages (%s); vm.unprivileged_userfaultfd=1 or access to "
                "/dev/userfaultfd would let it",
                strerror(errno));
}

void gcl_spread_leave(struct gcl_spread *spread) {
    gcl_spread_lock(spread);
    spread->home->has_left = true;
    gcl_spread_unlock(spread);
}

// Fork. Who holds the lock waits for nobody, since commands may need it.

void gcl_spread_hold(struct gcl_spread *spread) {
    struct gcl_stream *stream = gcl_spread_own_stream(spread);
    gcl_spread_lock(spread);
    if (!spread->home->guard || gcl_engine_is_calling())
        return; // everything is here already
    for (uint64_t sequence = 0; sequence != spread->sequence;) {
        gcl_spread_bring_all_home(spread, stream);
        sequence = spread->sequence;
        wait_here(spread, stream);
    }
}

void gcl_spread_release(struct gcl_spread *spread) {
    gcl_spread_unlock(spread);
}
