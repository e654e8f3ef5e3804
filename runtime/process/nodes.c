// Loads the cluster's library where there is a cluster, and passes on what it says.
#include "process/nodes.h"

#include <assert.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "exec/engine/engine.h"
#include "process/runtime.h"

static const struct gcl_cluster_calls *calls;
static struct gcl_cluster *cluster;
static atomic_bool is_lost;
static struct gcl_cluster_place own_place = {.count = 1, .local_count = 1};

// The program hears of a loss from its next call on.
static void lose(void *context, gcl_node node, struct gcl_cluster_loss *loss) {
    const struct gcl_runtime *runtime = gcl_runtime_peek();
    struct gcl_spread *spread = runtime ? runtime->spread : NULL;
    (void)context;
    bool is_first = !atomic_exchange(&is_lost, true);
    // What happened to this node itself is known.
    if (runtime && is_first && node != own_place.node)
        gcl_engine_fail(runtime->engine, GCL_NODE_LOST);
    if (!spread || own_place.node != 0)
        return;
    struct gcl_directory_share share = gcl_spread_share_of(spread, node);
    loss->size = share.size;
    loss->allocation_count = share.allocation_count;
}

static enum gcl_log_level shown_level(void) {
    enum gcl_log_level level = GCL_LOG_ERROR;
    while (level < GCL_LOG_TRACE && gcl_log_shows((enum gcl_log_level)(level + 1)))
        level++;
    return level;
}

/// Labels messages as the cluster's library does with its own.
static void set_label(gcl_node node) {
    static char label[32];
    snprintf(label, sizeof label, "node %u: ", node);
    gcl_log_set_label(node > 0 ? label : "");
}

bool gcl_nodes_join(const struct gcl_env *env, struct gcl_cluster_place *place) {
    struct gcl_cluster_options options = {
        .log_level = shown_level(),
        .is_strict = env->strict,
        .is_network_trusted = env->trusted_network,
        .timeout_ns = env->timeout * UINT64_C(1000000000),
        .lost = lose,
    };
    *place = own_place;
    if (!gcl_cluster_is_job())
        return true;
    calls = gcl_cluster_load();
    if (!calls || calls->join(&options, &cluster, &own_place) != GCL_OK)
        return false;
    set_label(own_place.node);
    *place = own_place;
    return true;
}

bool gcl_nodes_seat(const struct gcl_seat *own, struct gcl_cluster_seats *seats) {
    if (cluster && own_place.count > 1)
        return calls->seat(cluster, own, seats) == GCL_OK;
    *seats = (struct gcl_cluster_seats){.of = malloc(sizeof *own), .count = 1};
    if (seats->of)
        *seats->of = *own;
    return seats->of != NULL;
}

static void write_binding(gcl_node node, const char *host, const struct gcl_cluster_binding *b,
                          FILE *out) {
    fprintf(out, "  %-5u %-16s %-24s %-16s %-11s %s\n", node, host, b->device, b->cores,
            b->memory_nodes, b->network[0] ? b->network : "-");
}

void gcl_nodes_write_bindings(const struct gcl_cluster_binding *own, FILE *out) {
    char host[256] = "";
    fprintf(out, "bindings\n  %-5s %-16s %-24s %-16s %-11s %s\n", "node", "host", "device", "cores",
            "memory node", "network card");
    if (!cluster || own_place.count == 1) {
        gethostname(host, sizeof host - 1);
        write_binding(0, host, own, out);
        return;
    }
    for (gcl_node n = 0; n < own_place.count; n++) {
        struct gcl_cluster_member member = calls->member(cluster, n);
        write_binding(n, member.host, &member.binding, out);
    }
}

static void write_census(unsigned device_count, FILE *out) {
    calls->census(cluster, out);
    gcl_nodes_write_bindings(NULL, out);
    if (device_count > 1)
        fprintf(out, "The program sees %u devices, one a node.\n", device_count);
    else
        fputs("The program sees one device, which all nodes are.\n", out);
}

bool gcl_nodes_connect(struct gcl_cluster_device *device, const struct gcl_cluster_mover *mover,
                       unsigned shown_count) {
    if (!cluster || own_place.count == 1)
        return true;
    if (calls->connect(cluster, device, mover) != GCL_OK)
        return false;
    *device = calls->total(cluster);
    if (own_place.node == 0 && gcl_log_shows(GCL_LOG_INFO))
        write_census(shown_count, stderr);
    return true;
}

static struct gcl_communicator communicator(void *context) {
    (void)context;
    assert(cluster);
    return calls->communicator(cluster);
}

static struct gcl_cluster_member member(void *context, gcl_node node) {
    (void)context;
    assert(cluster);
    return calls->member(cluster, node);
}

static bool compare_clocks(void *context, gcl_node node, struct gcl_cluster_clock *clock) {
    (void)context;
    assert(cluster);
    return calls->compare_clocks(cluster, node, clock);
}

static bool measure_link(void *context, gcl_node node, struct gcl_cluster_link *link) {
    (void)context;
    assert(cluster);
    return calls->measure_link(cluster, node, link);
}

static void tell_tiers(void *context, gcl_tell_tiers *tell) {
    (void)context;
    calls->tell_tiers(cluster, tell);
}

static struct gcl_tiers tiers(void *context, gcl_node node) {
    (void)context;
    assert(cluster);
    return calls->tiers(cluster, node);
}

const struct gcl_peers gcl_nodes_peers = {.communicator = communicator,
                                          .member = member,
                                          .compare_clocks = compare_clocks,
                                          .measure_link = measure_link,
                                          .tell_tiers = tell_tiers,
                                          .tiers = tiers};

static bool apply(void *context, const void *bytes, size_t size) {
    return gcl_spread_apply(context, bytes, size);
}

int gcl_nodes_serve(struct gcl_spread *spread) {
    return calls->serve(cluster, apply, spread);
}

bool gcl_nodes_have_failed(void) {
    return atomic_load(&is_lost);
}

void gcl_nodes_close(enum gcl_status status) {
    if (status == GCL_NODE_LOST)
        atomic_store(&is_lost, true);
    if (cluster)
        calls->close(cluster, atomic_load(&is_lost));
    cluster = NULL;
}

void gcl_nodes_forget(void) {
    cluster = NULL;
}

bool gcl_nodes_write_census(FILE *out) {
    const struct gcl_runtime *runtime = gcl_runtime_get();
    if (!runtime || !cluster || own_place.count == 1)
        return false;
    write_census(runtime->device_count, out);
    return true;
}
