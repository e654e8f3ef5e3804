// Started once, ended when the process exits. Two steps at the end: first, with the program's own
// exit handlers, wait for commands while the program's static objects still live; at last, as the
// library is taken down, end threads and files. Between the two the API still works, because
// destructors of static objects call it.
#include "process/runtime.h"
#include "process/agent.h"

#include <assert.h>
#include <errno.h>
#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <unistd.h>

#include "base/log.h"
#include "exec/code/registry.h"
#include "exec/code/variant.h"
#include "exec/engine/engine.h"
#include "exec/memory/absent.h"
#include "exec/memory/space.h"
#include "exec/sanitize/sanitize.h"
#include "exec/spread/spread.h"
#include "process/beyond.h"
#include "process/choose.h"
#include "process/dry.h"
#include "process/nodes.h"
#include "process/predict.h"
#include "process/resources.h"
#include "process/top.h"
#include "process/watch.h"

static pthread_once_t once = PTHREAD_ONCE_INIT;
static struct gcl_runtime runtime;
static atomic_bool is_joined;
static atomic_bool is_running;
static atomic_bool has_ended;

// What the program has allocated and not freed.
static void report_leaks(const struct gcl_runtime *r) {
    const unsigned kinds =
        GCL_SPACE_DEVICE | GCL_SPACE_MANAGED | GCL_SPACE_PINNED | GCL_SPACE_ARRAY;
    size_t size, count = gcl_log_shows(GCL_LOG_INFO) ? gcl_space_count(r->space, kinds, &size) : 0;
    if (count > 0)
        gcl_log(GCL_LOG_INFO, "not freed at exit: %zu allocation%s, %zu bytes", count,
                count == 1 ? "" : "s", size);
}

static void wait_at_exit(void) {
    struct gcl_runtime *r = gcl_runtime_peek();
    if (!r)
        return;
    enum gcl_status status = gcl_engine_wait_all(r->engine);
    if (status == GCL_NOT_PERMITTED)
        gcl_log(GCL_LOG_DEBUG, "exit from a host function: not waiting for the device");
    fflush(stdout);
}

/// Where each worker stays; NULL: anywhere.
static const cpu_set_t *pins(const struct gcl_runtime *r, unsigned worker_count) {
    const struct gcl_binding *b = &r->binding;
    if (r->env.pin == GCL_ENV_UNSAID)
        return gcl_binding_pins(b, gcl_resources_share(r), worker_count);
    return r->env.pin == GCL_ENV_YES && worker_count <= b->core_count ? b->cores : NULL;
}

/// Whether the other threads stay near the memory of this node's cores.
static bool binds(const struct gcl_runtime *r) {
    return r->env.pin != GCL_ENV_NO && r->binding.has_far;
}

static bool bind_to_seat(struct gcl_runtime *r, const struct gcl_topology *topology,
                         const struct gcl_seat *own) {
    struct gcl_cluster_seats seats;
    if (!gcl_nodes_seat(own, &seats))
        return false;
    r->job = seats.job;
    bool is_good = gcl_binding_find(topology, seats.of, seats.count, seats.self, &r->binding);
    free(seats.of);
    return is_good;
}

/// Finds what of its host this process uses, and says to the others of the host what it may use.
static bool take_seat(struct gcl_runtime *r, bool wants_gpu) {
    struct gcl_topology topology;
    struct gcl_seat own = {.gpu_count = 0};
    if (wants_gpu)
        gcl_choose_list_gpus(&r->env, &own);
    if (!gcl_topology_load(&topology, own.gpu_count > 0 || r->place.local_count < r->place.count))
        return false;
    own.threads = topology.allowed;
    bool is_good = bind_to_seat(r, &topology, &own);
    gcl_topology_free(&topology);
    return is_good;
}

/// Processes of an MPI program divide the cores of their host, unless they are bound to fewer, and
/// its memory. Which cores are whose nobody says, so they stay on none.
static void share_with_ranks(struct gcl_runtime *r) {
    long cores = sysconf(_SC_NPROCESSORS_ONLN);
    r->ranks = gcl_cluster_ranks();
    unsigned share = cores > (long)r->ranks ? (unsigned)cores / r->ranks : 1;
    if (r->ranks > 1 && !r->env.threads && r->binding.own_count > share)
        r->env.threads = share;
}

/// Joins the job that this process is part of, or pretends to have one.
static bool join(struct gcl_runtime *r) {
    bool is_predicted = r->env.predict.count > 0;
    if ((r->env.dry_nodes || is_predicted) && gcl_cluster_is_job()) {
        gcl_log(GCL_LOG_ERROR, "%s is for one process, and this one is part of a job",
                is_predicted ? "GCL_PREDICT" : "GCL_DRY_NODES");
        return false;
    }
    if (is_predicted && (r->env.dry_nodes || r->env.per_node || r->env.verify)) {
        gcl_log(GCL_LOG_ERROR, "GCL_PREDICT runs the program once, as it is: it can't be had with "
                               "GCL_DRY_NODES, GCL_DEVICES=per-node or GCL_VERIFY");
        return false;
    }
    if (!gcl_nodes_join(&r->env, &r->place))
        return false;
    bool is_pretended = r->env.dry_nodes || is_predicted;
    if (!take_seat(r, !is_pretended))
        return false;
    share_with_ranks(r);
    if (r->env.dry_nodes)
        return gcl_dry_join(r);
    if (is_predicted) {
        gcl_predict_join(r);
        return true;
    }
    r->peers = gcl_nodes_peers;
    r->device = gcl_choose_device(&r->env, &r->place, &r->binding);
    return r->device && gcl_agent_attach(r);
}

static void tell_range(const struct gcl_space *space, struct gcl_cluster_device *device) {
    const struct gcl_range *range = gcl_space_reserved(space);
    gcl_space_range(space, &device->begin, &device->end);
    device->range = range->number;
    device->refusal = range->refusal;
}

/// Other nodes can't have the addresses that this one has reserved.
static void move_space(void *context, uint32_t first, struct gcl_cluster_device *device) {
    const struct gcl_runtime *r = context;
    if (gcl_space_move(r->space, first))
        gcl_log(GCL_LOG_DEBUG, "device memory has moved");
    tell_range(r->space, device);
}

static void report_range(const struct gcl_runtime *r, const struct gcl_cluster_device *device) {
    if (r->place.count == 1 && device->refusal[0])
        gcl_log(GCL_LOG_INFO,
                "device memory is at addresses %#" PRIx64 " to %#" PRIx64 ", since it can't be at "
                "%s",
                device->begin, device->end, device->refusal);
}

/// For people; `device` is room for a text.
static struct gcl_cluster_binding describe_binding(const struct gcl_runtime *r, char *device,
                                                   size_t size) {
    const struct gcl_binding *b = &r->binding;
    unsigned place = (unsigned)b->gpu.place;
    snprintf(device, size, "cpu");
    if (r->device->is_apart)
        snprintf(device, size, "cuda:%u at %04x:%02x:%02x.0", b->gpu.number, place >> 16,
                 place >> 8 & 0xff, place & 0xff);
    return (struct gcl_cluster_binding){.device = device,
                                        .cores = b->own_text,
                                        .memory_nodes = b->memory_text,
                                        .network = b->network};
}

/// Whether pages of this node's device memory may come as they are touched.
static bool can_fault(const struct gcl_runtime *r) {
    // Memory that comes and goes between tiers doesn't also come from other nodes.
    if (r->device->packer.is_apart || !r->device->bytes)
        return false;
    if (gcl_absent_is_possible())
        return true;
    gcl_log(GCL_LOG_INFO,
            "what kernels may read of other nodes comes whole before they start: this process may "
            "not use userfaultfd (%s)",
            strerror(errno));
    return false;
}

// The program sees one device of all nodes, or a device of each.
static bool connect_nodes(struct gcl_runtime *r) {
    char device[64];
    struct gcl_cluster_device own = {
        .binding = describe_binding(r, device, sizeof device),
        .name = r->place.count > 1 ? r->device->properties()->name : NULL, // takes a while
        .is_apart = r->device->is_apart,
        .is_packed = r->device->packer.is_apart,
        .can_fault = r->place.count > 1 && can_fault(r),
        .threads = gcl_resources_cores(r),
        .limits = *r->device->limits,
        .memory = gcl_resources_memory(r) + gcl_beyond_memory(),
        .code = gcl_registry_hash(),
    };
    const struct gcl_cluster_mover mover = {.move = move_space, .context = r};
    tell_range(r->space, &own);
    report_range(r, &own);
    struct gcl_cluster_device all = own;
    if (r->env.per_node && r->device_count == 1)
        gcl_log(GCL_LOG_INFO, "GCL_DEVICES=per-node: there is one node, and so one device");
    if (!gcl_nodes_connect(&all, &mover, r->device_count))
        return false;
    if (r->env.show_binding && r->place.node == 0)
        gcl_nodes_write_bindings(&own.binding, stderr);
    if (r->device_count > 1 && !gcl_space_divide(r->space, r->device_count))
        return false;
    r->limits = all.limits;
    r->may_fault = all.can_fault;
    // All nodes have margins or none: they take addresses, and who can't reach memory has none.
    if (r->env.margin != GCL_ENV_NO && r->device->bytes && !all.is_apart)
        gcl_space_give_margins(r->space);
    for (unsigned i = 0; i < r->device_count; i++) {
        struct gcl_visible_device *device = &r->devices[i];
        struct gcl_cluster_member member = {
            .device = own.name, .threads = all.threads, .memory = all.memory};
        if (r->device_count > 1 && r->peers.member)
            member = r->peers.member(r->peers.context, i);
        device->processor = member.device;
        device->core_count = member.threads;
        gcl_space_set_capacity(r->space, i, member.memory);
    }
    return true;
}

// A child has what is here of the program's memory, so that has to be all of it. It has none of the
// threads, so it can't use the device, and what it does at its exit mustn't wait for them.

static struct gcl_spread *held;

static void before_fork(void) {
    held = runtime.spread;
    if (held)
        gcl_spread_hold(held);
}

static void after_fork(void) {
    if (held)
        gcl_spread_release(held);
}

static void after_fork_in_child(void) {
    after_fork();
    atomic_store(&is_running, false);
    atomic_store(&has_ended, true);
    gcl_nodes_forget();
    gcl_agent_forget();
}

// Node 0 tells the others of what happens to its memory.
static bool start_spread(struct gcl_runtime *r) {
    if (r->place.count == 1)
        return true;
    assert(r->engine && r->space && r->place.node < r->place.count);
    struct gcl_communicator communicator = r->peers.communicator(r->peers.context);
    uint32_t *weights;
    if (r->env.predict.count > 0 && !gcl_predict_begin(r))
        return false;
    if (!gcl_watch_connect(r, &communicator) || !gcl_resources_weigh(r, &weights))
        return false;
    if (!gcl_beyond_join(r, &communicator))
        return false;
    r->spread = gcl_spread_create(
        &(struct gcl_spread_options){.self = r->place.node,
                                     .count = r->place.count,
                                     .device = r->device,
                                     .engine = r->engine,
                                     .space = r->space,
                                     .communicator = communicator,
                                     .has_devices = r->device_count > 1,
                                     .clocks = r->clocks,
                                     .rests = gcl_resources_may_rest(r) && r->place.node == 0,
                                     .home_memory = gcl_resources_home_memory(r),
                                     .threads = gcl_resources_share(r),
                                     .home_threads = gcl_resources_threads(r),
                                     .cluster = gcl_resources_cluster(r),
                                     .measure_link = gcl_resources_measure_link,
                                     .measure_context = r,
                                     .predict = r->predict,
                                     .weights = weights,
                                     .may_fault = r->may_fault,
                                     .is_verified = r->env.verify,
                                     .listeners = &r->listeners,
                                     .stats = r->stats,
                                     .trace = r->trace});
    free(weights);
    if (!r->spread)
        return false;
    if (r->place.node > 0)
        return true;
    gcl_space_watch(r->space, &(struct gcl_space_watcher){.allocated = gcl_spread_allocated,
                                                          .freed = gcl_spread_freed,
                                                          .context = r->spread,
                                                          .paged = GCL_SPACE_MANAGED});
    gcl_registry_watch(&(struct gcl_registry_watcher){
        .placed = gcl_spread_placed, .left = gcl_spread_left, .context = r->spread});
    gcl_engine_set_settle(r->engine, gcl_spread_settle, r->spread);
    gcl_top_start(r);
    return true;
}

void gcl_runtime_leave_job(void) {
    struct gcl_runtime *r = gcl_runtime_peek();
    enum gcl_status status = GCL_OK;
    if (r && r->spread && r->place.node == 0) {
        status = gcl_engine_wait_all(r->engine);
        gcl_top_stop();
        gcl_spread_conclude(r->spread);
        gcl_watch_collect(r);
        gcl_engine_set_settle(r->engine, NULL, NULL);
        gcl_space_watch(r->space, &(struct gcl_space_watcher){.context = NULL});
        gcl_registry_watch(&(struct gcl_registry_watcher){.context = NULL});
        gcl_spread_tell_done(r->spread);
        if (r->dry)
            gcl_dry_end(r);
        if (r->predict)
            gcl_predict_report(r);
        if (r->env.verify) {
            struct gcl_verified verified = gcl_spread_verified(r->spread);
            gcl_verify_report(&verified, stderr);
        }
        gcl_spread_leave(r->spread);
        r->spread = NULL;
    }
    gcl_nodes_close(status);
}

static void start(void) {
    struct gcl_runtime *r = &runtime;

    bool is_secure = getauxval(AT_SECURE) != 0;
    if (is_secure)
        gcl_env_disarm();
    r->env = gcl_env_read(environ, is_secure);
    atomic_store(&is_joined, true);
    if (r->env.is_wrong || !join(r))
        return;
    if (!gcl_devices_init(r, r->env.per_node ? r->place.count : 1) || !gcl_beyond_open(r))
        return;
    gcl_variant_set_level(r->env.cpu_level);
    gcl_watch_begin(r);
    r->space = gcl_space_create(gcl_resources_memory(r), r->device->pages);
    if (!r->space)
        return;
    if (r->dry)
        gcl_dry_listen(r);
    if (r->place.count > 1 || gcl_registry_is_sanitized())
        gcl_space_note_escapes(r->space);
    if (gcl_registry_checks_writes())
        gcl_space_note_writes(r->space);
    unsigned threads = gcl_resources_threads(r);
    r->engine = gcl_engine_create(&(struct gcl_engine_options){
        .device = r->device,
        .worker_count = threads,
        .core_count = r->binding.core_count,
        .pins = pins(r, threads),
        .near = binds(r) ? &r->binding.near : NULL,
        .shows_progress = r->env.progress,
        .has_nodes = r->place.count > 1,
        .device_count = r->device_count,
        .listeners = &r->listeners,
        .lease = gcl_agent_lease(),
    });
    if (!r->engine) {
        gcl_log(GCL_LOG_ERROR, "no memory to start the device");
        gcl_space_destroy(r->space);
        return;
    }
    if (!connect_nodes(r) || !gcl_agent_begin(r) || !gcl_beyond_begin(r) || !start_spread(r))
        return;
    atexit(wait_at_exit);
    pthread_atfork(before_fork, after_fork, after_fork_in_child);
    atomic_store(&is_running, true);
}

__attribute__((destructor)) static void end(void) {
    atomic_store(&has_ended, true);
    // Called by exit() in a host function, it would wait for itself.
    if (!atomic_exchange(&is_running, false) || gcl_engine_is_calling())
        return;
    gcl_engine_close(runtime.engine);
    gcl_beyond_end();
    gcl_watch_end(&runtime);
    gcl_margin_close_all(runtime.space);
    report_leaks(&runtime);
    int status = gcl_sanitize_end();
    if (status != 0) {
        fflush(NULL);
        _exit(status);
    }
}

/// What the runtime itself uses may ask for devices by names that are the runtime's here, as a UCX
/// with modules for CUDA does: while it starts there are none.
static _Thread_local bool is_starting;

static void start_once(void) {
    is_starting = true;
    start();
    is_starting = false;
}

struct gcl_runtime *gcl_runtime_get(void) {
    if (is_starting)
        return NULL;
    if (!atomic_load_explicit(&is_running, memory_order_acquire) && !gcl_runtime_has_ended())
        pthread_once(&once, start_once);
    return gcl_runtime_peek();
}

struct gcl_runtime *gcl_runtime_peek(void) {
    return atomic_load_explicit(&is_running, memory_order_acquire) ? &runtime : NULL;
}

bool gcl_runtime_is_joined(void) {
    return atomic_load(&is_joined);
}

bool gcl_runtime_has_ended(void) {
    return atomic_load(&has_ended);
}
