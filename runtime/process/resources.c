// Cores of a host are divided as the binding has it, memory by the number of its nodes; only node 0
// of a job that rests counts what the others leave to it. Rates of a link are those that were
// measured between hosts when the job began, or else the ones named here.
#include "process/resources.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/log.h"
#include "base/memory.h"
#include "exec/watch/stats.h"
#include "process/agent.h"

bool gcl_resources_may_rest(const struct gcl_runtime *r) {
    bool is_alone = r->env.predict.count > 0;
    bool is_asked = r->device_count > 1 || r->dry || r->env.verify;
    return is_alone || (r->place.count > 1 && !is_asked && r->env.split != GCL_ENV_SPLIT_ALWAYS);
}

unsigned gcl_resources_share(const struct gcl_runtime *r) {
    return r->env.threads ? (unsigned)r->env.threads : r->binding.own_count;
}

unsigned gcl_resources_threads(const struct gcl_runtime *r) {
    unsigned share = gcl_resources_share(r), all = share * r->place.local_count;
    unsigned most = all < r->binding.core_count ? all : r->binding.core_count;
    bool may_rest = r->place.node == 0 && gcl_resources_may_rest(r);
    return may_rest && most > share ? most : share;
}

unsigned gcl_resources_cores(const struct gcl_runtime *r) {
    if (r->device->is_apart)
        return r->device->properties()->core_count;
    return r->place.count > 1 ? gcl_resources_share(r) : r->binding.core_count;
}

static size_t default_memory(void) {
    return gcl_memory_limit() / 10 * 8;
}

size_t gcl_resources_host_share(const struct gcl_runtime *r) {
    return default_memory() / r->place.local_count / r->ranks;
}

size_t gcl_resources_own_memory(const struct gcl_runtime *r) {
    return r->device->is_apart ? r->device->properties()->memory : gcl_resources_host_share(r);
}

size_t gcl_resources_memory(const struct gcl_runtime *r) {
    assert(r->place.local_count > 0 && r->device_count > 0 && r->ranks > 0);
    // A device that holds no bytes has the memory of all nodes, which are like this one.
    size_t nodes = r->device->bytes ? 1 : r->place.count / r->device_count;
    size_t own = gcl_resources_own_memory(r) * nodes;
    size_t most = gcl_agent_memory();
    return r->env.memory ? r->env.memory : own < most ? own : most;
}

size_t gcl_resources_home_memory(const struct gcl_runtime *r) {
    // The others leave the host's memory to node 0, but not their GPUs'.
    return gcl_resources_memory(r) * (r->device->is_apart ? 1 : r->place.local_count);
}

bool gcl_resources_weigh(const struct gcl_runtime *r, uint32_t **weights) {
    const struct gcl_peers *peers = &r->peers;
    bool are_alike = true, are_akin = true;
    *weights = NULL;
    for (gcl_node node = 1; peers->member && node < r->place.count; node++) {
        struct gcl_cluster_member first = peers->member(peers->context, 0);
        struct gcl_cluster_member other = peers->member(peers->context, node);
        are_akin &= first.is_apart == other.is_apart;
        are_alike &= first.threads == other.threads && strcmp(first.device, other.device) == 0;
    }
    if (are_alike)
        return true;
    *weights = calloc(r->place.count, sizeof **weights);
    for (gcl_node node = 0; *weights && node < r->place.count; node++)
        (*weights)[node] = are_akin ? peers->member(peers->context, node).threads : 1;
    return *weights != NULL;
}

/// Nodes whose cores this one may use, or that have the same GPU, with this one.
static unsigned sharers(const struct gcl_runtime *r) {
    bool is_bound = !r->binding.is_crowded && r->binding.core_count == r->binding.own_count;
    if (r->device->is_apart)
        return r->device->properties()->sharers;
    return is_bound ? 1 : r->place.local_count;
}

/// A node on another host, or else one that doesn't share this one's device; this one: there is
/// none.
static gcl_node find_far_node(const struct gcl_runtime *r) {
    const struct gcl_peers *peers = &r->peers;
    struct gcl_cluster_member self = peers->member(peers->context, r->place.node);
    for (gcl_node node = 0; node < r->place.count; node++) {
        if (strcmp(peers->member(peers->context, node).host, self.host) != 0)
            return node;
    }
    bool has_near = sharers(r) < r->place.local_count;
    return has_near && r->place.node + 1 < r->place.count ? r->place.node + 1 : r->place.node;
}

/// Measures the link to a node on another host. It stands for all links: hosts of a cluster are
/// alike, and to measure each would cost more than it tells. False: no answer.
static bool measure_link(const struct gcl_runtime *r, struct gcl_forecast_link *link) {
    const struct gcl_peers *peers = &r->peers;
    struct gcl_cluster_link measured;
    gcl_node node = peers->member && peers->measure_link ? find_far_node(r) : r->place.node;
    if (node == r->place.node || !peers->measure_link(peers->context, node, &measured))
        return false;
    gcl_log(GCL_LOG_INFO, "a message to %s takes %.1f us, and bytes %.2f GB/s",
            peers->member(peers->context, node).host, measured.latency_ns * 1e-3,
            measured.bytes_per_ns);
    gcl_stats_set_link(r->stats, measured.bytes_per_ns);
    link->latency_ns = measured.latency_ns;
    link->bytes_per_ns = 1 / (1 / measured.bytes_per_ns + GCL_FORECAST_BYTE_NS);
    return true;
}

/// What a page takes that comes as it is touched: far nodes are asked for it.
static double page_time(const struct gcl_runtime *r, const struct gcl_forecast_link *link) {
    bool is_far = r->place.local_count < r->place.count;
    return GCL_FORECAST_PAGE_NS + (is_far ? 2 * (link->latency_ns + GCL_FORECAST_WAKE_NS) : 0);
}

bool gcl_resources_measure_link(void *runtime, struct gcl_forecast_link *link) {
    return measure_link(runtime, link);
}

struct gcl_forecast_cluster gcl_resources_cluster(const struct gcl_runtime *r) {
    struct gcl_forecast_cluster cluster = {.node_count = 0};
    unsigned share = gcl_resources_share(r);
    double crowd = share / r->binding.room; // threads for each core
    bool rests = r->place.node == 0 && gcl_resources_may_rest(r);
    if (!rests || r->env.split == GCL_ENV_SPLIT_NEVER || sharers(r) == r->place.count)
        return cluster;
    struct gcl_forecast_link link;
    if (!measure_link(r, &link))
        link = (struct gcl_forecast_link){
            GCL_FORECAST_NETWORK_NS,
            1 / (1 / GCL_FORECAST_NETWORK_BYTES_PER_NS + GCL_FORECAST_BYTE_NS)};
    cluster.node_count = r->place.count;
    cluster.home_threads = gcl_resources_threads(r);
    cluster.threads = crowd > 1 ? share / crowd : share;
    if (r->device->is_apart) { // a launch takes the time of its blocks, which fill the GPU
        cluster.home_threads = 1;
        cluster.threads = 1.0 / sharers(r);
        cluster.wave = (double)gcl_resources_cores(r) * r->limits.threads_per_core;
    }
    cluster.bytes_per_ns = link.bytes_per_ns;
    cluster.latency_ns = link.latency_ns;
    cluster.wake_ns = GCL_FORECAST_WAKE_NS;
    cluster.message_ns = GCL_FORECAST_MESSAGE_NS;
    if (r->may_fault)
        cluster.page_ns = page_time(r, &link);
    return cluster;
}

struct gcl_forecast_cluster gcl_resources_predicted(const struct gcl_runtime *r) {
    const struct gcl_predict_link *link = &r->env.predict_link;
    bool is_said = link->bytes_per_ns > 0;
    unsigned threads = gcl_resources_share(r);
    return (struct gcl_forecast_cluster){
        .node_count = r->place.count,
        .threads = threads,
        .home_threads = threads,
        .bytes_per_ns = is_said ? 1 / (1 / link->bytes_per_ns + GCL_FORECAST_BYTE_NS)
                                : GCL_FORECAST_NETWORK_BYTES_PER_NS,
        .latency_ns = is_said ? link->latency_ns : GCL_FORECAST_NETWORK_NS,
        .wake_ns = GCL_FORECAST_WAKE_NS,
        .message_ns = GCL_FORECAST_MESSAGE_NS,
    };
}
