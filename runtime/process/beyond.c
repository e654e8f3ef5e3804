// The host's memory is a tier of its own only where GCL_MEMORY says how much of it is the CPU
// device's: else the device has all that there is.
#include "process/beyond.h"

#include <assert.h>
#include <errno.h>
#include <string.h>
#include <sys/statvfs.h>

#include "base/clock.h"
#include "base/log.h"
#include "exec/engine/engine.h"
#include "exec/exchange/depot.h"
#include "exec/fit/fit.h"
#include "exec/memory/guard.h"
#include "exec/memory/space.h"
#include "exec/residency/residency.h"
#include "exec/residency/store.h"
#include "exec/spread/spread.h"
#include "exec/watch/stats.h"
#include "plan/region/region.h"
#include "process/resources.h"

enum {
    MOST_THREADS = 4,    ///< that answer stops
    MOST_STAND_INS = 64, ///< threads that go on while others have stopped,
    STAND_IN_CHUNKS = 8, ///< one for so many chunks of the device
    CHUNKS_AT_ONCE = 4,  ///< that one instruction may need: two operands, each across a chunk's end
    SPARE = 32 * GCL_CHUNK_SIZE, ///< bytes of tiers for chunks that change places
};

static struct gcl_store *store;
static size_t extended; ///< bytes of the host's memory that the device reaches where they are

/// The CPU device, with memory that comes and goes: only threads of this process find all of it
/// there.
static struct gcl_device device;

/// Bytes of the host's memory that hold what has no room on the device.
static size_t host_size(const struct gcl_runtime *r) {
    size_t share = gcl_resources_host_share(r);
    if (r->env.host_memory != SIZE_MAX)
        return r->env.host_memory;
    return r->env.memory && share > r->env.memory ? share - r->env.memory : 0;
}

/// Bytes that this node's file may take: nodes of a host divide what is free among themselves.
static size_t file_size(const struct gcl_runtime *r) {
    struct statvfs system;
    size_t size = r->env.spill.size;
    if (size != SIZE_MAX || r->place.local_count == 1 || statvfs(r->env.spill.folder, &system) != 0)
        return size;
    return system.f_bavail * system.f_frsize / r->place.local_count;
}

/// The store, which has some more than it is asked for.
static struct gcl_store *create_store(const struct gcl_runtime *r, const char *folder) {
    size_t host = host_size(r), file = file_size(r);
    if (host > 0)
        host += SPARE;
    else if (file != SIZE_MAX)
        file += SPARE;
    return gcl_store_create(
        &(struct gcl_store_options){.host_size = host, .folder = folder, .folder_size = file});
}

/// Why memory can't come and go, for people; NULL: it can.
static const char *obstacle(const struct gcl_runtime *r) {
    if (r->device_count > 1)
        return "with GCL_DEVICES=per-node each device has its own";
    if (!gcl_guard_is_permitted())
        return strerror(errno);
    return NULL;
}

/// A device that isn't the host's has no memory come and go: it reaches what lies in the host's,
/// which takes long, and so is only done for those who ask for it.
static void extend(const struct gcl_runtime *r, const char *folder) {
    char why[GCL_PAGES_WHY_SIZE];
    size_t size = r->env.host_memory;
    if (folder)
        gcl_log(GCL_LOG_WARN, "GCL_SPILL says nothing: a GPU's memory doesn't go to files");
    if (size == SIZE_MAX || size == 0)
        return;
    if (r->device->pages->extend(gcl_resources_memory(r), why))
        extended = size;
    else
        gcl_log(GCL_LOG_WARN,
                "device memory ends with the device, GCL_HOST_MEMORY says nothing: %s", why);
}

bool gcl_beyond_open(struct gcl_runtime *r) {
    const char *folder = r->env.spill.folder[0] ? r->env.spill.folder : NULL;
    bool is_asked = folder || (r->env.host_memory != SIZE_MAX && r->env.host_memory > 0);
    if (r->device->pages->extend) {
        extend(r, folder);
        return true;
    }
    if (!r->device->bytes || (!folder && host_size(r) == 0))
        return true;
    const char *why = obstacle(r);
    if (why) {
        gcl_log(is_asked ? GCL_LOG_WARN : GCL_LOG_INFO,
                "device memory ends with the device, GCL_HOST_MEMORY and GCL_SPILL say nothing: %s",
                why);
        return true;
    }
    store = create_store(r, folder);
    if (!store)
        return false;
    device = *r->device;
    device.packer.is_apart = true;
    device.pages = gcl_residency_pages();
    r->device = &device;
    return true;
}

size_t gcl_beyond_memory(void) {
    return store ? gcl_store_size(store) - SPARE : extended;
}

/// Bytes that the device holds: no fewer than threads need so that each of them gets on.
static size_t capacity(const struct gcl_runtime *r) {
    size_t wanted = gcl_resources_memory(r);
    size_t least = (size_t)gcl_resources_threads(r) * CHUNKS_AT_ONCE * GCL_CHUNK_SIZE;
    if (wanted >= least)
        return wanted;
    gcl_log(GCL_LOG_WARN, "GCL_MEMORY is taken for %zu KiB: %u threads need as much to get on",
            least >> 10, gcl_resources_threads(r));
    return least;
}

static void failed(void *runtime, enum gcl_status status) {
    const struct gcl_runtime *r = runtime;
    gcl_engine_fail(r->engine, status);
}

/// Nodes take bytes from each other also beside the engine's commands.
static bool knows_all(void *runtime) {
    const struct gcl_runtime *r = runtime;
    return r->place.count == 1 && gcl_engine_is_fit(r->engine);
}

static bool stopped(void *runtime, pid_t thread, uintptr_t page, const void **owner) {
    const struct gcl_runtime *r = runtime;
    const struct gcl_kernel *kernel;
    bool others_run = gcl_engine_stopped(r->engine, thread, page, &kernel);
    *owner = kernel;
    return others_run;
}

static void went_on(void *runtime, uintptr_t begin, uintptr_t end) {
    const struct gcl_runtime *r = runtime;
    gcl_engine_went_on(r->engine, begin, end);
}

static void came(void *runtime, const struct gcl_residency_came *came) {
    const struct gcl_runtime *r = runtime;
    const struct gcl_kernel *kernel = came->owner;
    if (r->listeners.count == 0)
        return;
    gcl_listeners_came(&r->listeners, &(struct gcl_heard_came){.kernel = kernel,
                                                               .is_touched = came->is_touched,
                                                               .bytes = came->bytes,
                                                               .from_files = came->from_files,
                                                               .lack = came->lack,
                                                               .most_lack = came->most_lack,
                                                               .went = came->went,
                                                               .begin_ns = came->begin_ns,
                                                               .end_ns = gcl_clock_ns()});
}

/// In a job who submits a launch holds the spread's lock, and may not take the space's.
static bool find_allocation(void *runtime, uint64_t address, struct gcl_span *allocation) {
    const struct gcl_runtime *r = runtime;
    struct gcl_allocation found;
    if (r->spread)
        return gcl_spread_find_allocation(r->spread, address, allocation);
    if (!gcl_space_find(r->space, (const void *)(uintptr_t)address, &found))
        return false;
    *allocation = (struct gcl_span){(int64_t)found.begin, (int64_t)(found.begin + found.size)};
    return true;
}

static void tell_tiers(uint64_t tiers[GCL_TIER_COUNT]) {
    struct gcl_residency_counts counts = gcl_residency_counts(gcl_residency_get());
    struct gcl_store_use use = gcl_store_use(store);
    tiers[GCL_TIER_MOST] = counts.most;
    tiers[GCL_TIER_ANNOUNCED] = counts.came - counts.fault_bytes;
    tiers[GCL_TIER_TOUCHED] = counts.fault_bytes;
    tiers[GCL_TIER_STOPS] = counts.faults;
    tiers[GCL_TIER_WENT] = counts.went;
    tiers[GCL_TIER_DROPPED] = counts.dropped;
    tiers[GCL_TIER_READ] = use.file_read;
    tiers[GCL_TIER_WRITTEN] = use.file_written;
}

static void show_tiers(struct gcl_tiers *tiers) {
    struct gcl_residency_counts counts = gcl_residency_counts(gcl_residency_get());
    struct gcl_store_use use = gcl_store_use(store);
    *tiers = (struct gcl_tiers){.on_device = counts.resident,
                                .in_host = use.host + use.neighbours,
                                .in_files = use.file,
                                .came = counts.came,
                                .went = counts.went};
}

/// Has node 0 learn of this node's tiers.
static void tell_home(const struct gcl_runtime *r, gcl_tell_tiers *tell) {
    if (r->place.count > 1 && r->peers.tell_tiers)
        r->peers.tell_tiers(r->peers.context, tell);
}

bool gcl_beyond_begin(struct gcl_runtime *r) {
    unsigned threads = gcl_resources_threads(r);
    bool is_alone = r->place.count == 1;
    uint64_t begin, end;
    if (extended)
        tell_home(r, r->device->pages->tell);
    if (!store)
        return true;
    gcl_space_range(r->space, &begin, &end);
    if (!gcl_residency_open(&(struct gcl_residency_options){
            .capacity = capacity(r),
            .begin = begin,
            .end = gcl_space_reserved(r->space)->middle,
            .store = store,
            .spare = SPARE,
            .thread_count = threads < MOST_THREADS ? threads : MOST_THREADS,
            .is_alone = is_alone,
            .failed = failed,
            .knows_all = knows_all,
            .came = came,
            .stopped = stopped,
            .went_on = went_on,
            .context = r}))
        return false;
    size_t stand_ins = capacity(r) / GCL_CHUNK_SIZE / STAND_IN_CHUNKS;
    gcl_engine_set_stand_ins(r->engine,
                             stand_ins < MOST_STAND_INS ? (unsigned)stand_ins : MOST_STAND_INS);
    gcl_fit_start(&(struct gcl_fit_options){.engine = r->engine,
                                            .residency = gcl_residency_get(),
                                            .find = find_allocation,
                                            .context = r,
                                            .looks_up = is_alone});
    // It lies in the memory of hosts, where files hold nothing of it.
    gcl_space_limit_managed(r->space, gcl_space_capacity(r->space, 0) -
                                          gcl_store_use(store).file_size * r->place.count);
    gcl_stats_set_tiers(r->stats, tell_tiers);
    tell_home(r, show_tiers);
    return true;
}

// A store asks other nodes by a depot.

static_assert((int)GCL_DEPOT_GRANT == (int)GCL_STORE_GRANT, "a store is granted what a depot is");
static_assert((int)GCL_DEPOT_MOST >= (int)GCL_STORE_RUN, "a depot takes what a store gives it");

static struct gcl_depot *depot;

static bool spare(void *context, unsigned char **chunks) {
    struct gcl_residency *residency = gcl_residency_get();
    (void)context;
    return residency && gcl_residency_spare(residency, chunks);
}

static bool grow(void *context) {
    return gcl_depot_grow(context);
}

static void run_depot(void *context, bool is_put, struct gcl_store_transfer *transfers,
                      size_t count) {
    struct gcl_depot_transfer run[GCL_DEPOT_MOST];
    assert(count <= GCL_DEPOT_MOST);
    for (size_t i = 0; i < count; i++)
        run[i] =
            (struct gcl_depot_transfer){.bytes = transfers[i].bytes, .number = transfers[i].place};
    gcl_depot_run(context, is_put, run, count);
    for (size_t i = 0; i < count; i++)
        transfers[i].status = run[i].status;
}

bool gcl_beyond_join(const struct gcl_runtime *r, const struct gcl_communicator *communicator) {
    if (r->dry || r->env.predict.count > 0)
        return true; // the other nodes aren't there
    depot = gcl_depot_create(&(struct gcl_depot_options){.self = r->place.node,
                                                         .count = r->place.count,
                                                         .chunk = GCL_CHUNK_SIZE,
                                                         .communicator = *communicator,
                                                         .spare = spare});
    if (depot && store)
        gcl_store_join(store, &(struct gcl_store_neighbours){
                                  .grow = grow, .run = run_depot, .context = depot});
    return depot != NULL;
}

void gcl_beyond_end(void) {
    gcl_residency_close();
}
