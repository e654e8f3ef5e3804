// The forecast has a directory of its own, as if the program had been spread from its beginning.
#include "plan/schedule/forecast.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "plan/directory/pages.h"
#include "plan/region/geometry.h"
#include "plan/schedule/schedule_memo.h"

/// Of a node, in one plan.
struct traffic {
    int64_t sent, received; ///< bytes
    int64_t messages_sent, messages_received;
};

/// What is touched takes so much of what all would take that came before, where nobody knows it.
#define UNKNOWN_SHARE 0.25

struct gcl_forecast {
    struct gcl_forecast_cluster cluster;
    struct gcl_directory *directory;
    int64_t steps;  ///< that planning a launch may take
    double touched; ///< part of what may come by faults that does
    struct gcl_forecast_kernel **kernels;
    size_t kernel_count;
    struct traffic *traffic; ///< by node and one more, in the plan that is being counted
    struct gcl_forecast_moves moves;
};

struct gcl_forecast *gcl_forecast_create(const struct gcl_forecast_cluster *cluster) {
    struct gcl_forecast *forecast = calloc(1, sizeof *forecast);
    if (!forecast)
        return NULL;
    forecast->cluster = *cluster;
    forecast->steps = INT64_MAX;
    gcl_forecast_touch(forecast, GCL_FORECAST_UNKNOWN);
    forecast->directory = gcl_directory_create(cluster->node_count);
    forecast->traffic = calloc((size_t)cluster->node_count + 1, sizeof *forecast->traffic);
    if (forecast->directory && forecast->traffic)
        return forecast;
    gcl_forecast_destroy(forecast);
    return NULL;
}

void gcl_forecast_destroy(struct gcl_forecast *forecast) {
    if (!forecast)
        return;
    for (size_t i = 0; i < forecast->kernel_count; i++) {
        gcl_schedule_memo_destroy(forecast->kernels[i]->schedules);
        free(forecast->kernels[i]);
    }
    free(forecast->kernels);
    gcl_directory_destroy(forecast->directory);
    free(forecast->traffic);
    free(forecast);
}

struct gcl_forecast_moves gcl_forecast_moves(const struct gcl_forecast *forecast) {
    return forecast->moves;
}

uint64_t gcl_forecast_away(const struct gcl_forecast *forecast) {
    size_t count;
    const struct gcl_directory_entry *entries = gcl_directory_entries(forecast->directory, &count);
    uint64_t owned = 0, copies = 0; // what node 0 hasn't got, and what it has got as well
    for (size_t i = 0; i < count; i++) {
        const struct gcl_region *held = entries[i].layout->held;
        for (uint32_t node = 1; node < forecast->cluster.node_count; node++) {
            struct gcl_region own = {.count = 0};
            bool is_exact = gcl_region_subtract(&held[node], &held[0], &own); // or more
            (void)is_exact;
            owned += (uint64_t)gcl_region_size(&own);
            copies += (uint64_t)(gcl_region_size(&held[node]) - gcl_region_size(&own));
            gcl_region_finish(&own);
        }
    }
    uint64_t moved = forecast->moves.bytes;
    return owned + (copies < moved ? copies : moved);
}

struct gcl_forecast_kernel *gcl_forecast_add_kernel(struct gcl_forecast *forecast,
                                                    const struct gcl_program *program,
                                                    const struct gcl_reader *reader) {
    size_t count = forecast->kernel_count;
    struct gcl_forecast_kernel **kernels =
        realloc(forecast->kernels, (count + 1) * sizeof(*kernels));
    if (!kernels)
        return NULL;
    forecast->kernels = kernels;
    struct gcl_forecast_kernel *kernel = calloc(1, sizeof *kernel);
    if (kernel)
        kernel->schedules = gcl_schedule_memo_create(program, forecast->directory, reader);
    if (!kernel || !kernel->schedules) {
        free(kernel);
        return NULL;
    }
    kernels[forecast->kernel_count++] = kernel;
    return kernel;
}

// Memory.

bool gcl_forecast_allocate(struct gcl_forecast *forecast, uint64_t begin, uint64_t size,
                           enum gcl_host_use use) {
    return gcl_directory_add(forecast->directory, begin, size, use);
}

void gcl_forecast_free(struct gcl_forecast *forecast, uint64_t begin) {
    gcl_directory_remove(forecast->directory, begin);
}

const struct gcl_directory_entry *gcl_forecast_find(const struct gcl_forecast *forecast,
                                                    uint64_t address) {
    return gcl_directory_find(forecast->directory, address);
}

// Times.

/// Nodes [begin, end) get `size` bytes more each, `sign` 1, or less, -1: as differences between
/// neighbours, of which sum_up makes counts.
static void add_received(struct traffic *traffic, uint32_t begin, uint32_t end, int64_t size,
                         int sign) {
    traffic[begin].received += sign * size;
    traffic[begin].messages_received += sign;
    traffic[end].received -= sign * size;
    traffic[end].messages_received -= sign;
}

static void sum_up(struct traffic *traffic, uint32_t node_count) {
    for (uint32_t node = 1; node < node_count; node++) {
        traffic[node].received += traffic[node - 1].received;
        traffic[node].messages_received += traffic[node - 1].messages_received;
    }
}

/// Counts what each node sends and receives before the operation; who has bytes for several nodes
/// sends them to each.
static void count_transfers(struct traffic *traffic, uint32_t node_count,
                            const struct gcl_plan *plan) {
    assert(node_count > 0);
    memset(traffic, 0, ((size_t)node_count + 1) * sizeof *traffic);
    for (size_t i = 0; i < plan->transfer_count; i++) {
        const struct gcl_transfer *transfer = &plan->transfers[i];
        int64_t size = gcl_region_size(&transfer->bytes);
        uint32_t from = transfer->from, receivers = gcl_transfer_receivers(transfer);
        if (from == GCL_NOWHERE)
            continue;
        traffic[from].sent += size * receivers;
        traffic[from].messages_sent += receivers;
        add_received(traffic, transfer->to, transfer->to_end, size, 1);
        if (from >= transfer->to && from < transfer->to_end)
            add_received(traffic, from, from + 1, size, -1);
    }
    sum_up(traffic, node_count);
}

/// What is combined afterwards goes from each node to the homes of all stretches, of even sizes,
/// and from those to who needs it, with the next plan.
static void count_combinations(struct traffic *traffic, uint32_t count,
                               const struct gcl_plan *plan) {
    int64_t bytes = (int64_t)(gcl_plan_combined(plan, count) / count);
    for (uint32_t node = 0; node < count && bytes > 0; node++) {
        traffic[node].sent += bytes;
        traffic[node].received += bytes;
        traffic[node].messages_sent += count - 1;
        traffic[node].messages_received += count - 1;
    }
}

/// What a node has to do, without waiting.
static struct gcl_forecast_moves work_of(const struct gcl_forecast_cluster *cluster,
                                         const struct traffic *traffic) {
    int64_t most = traffic->sent > traffic->received ? traffic->sent : traffic->received;
    assert(traffic->sent >= 0 && traffic->received >= 0 && traffic->messages_received >= 0);
    int64_t messages = traffic->messages_sent + traffic->messages_received;
    return (struct gcl_forecast_moves){.time_ns = (double)most / cluster->bytes_per_ns +
                                                  (double)messages * cluster->message_ns,
                                       .carried = (double)most};
}

/// What a plan moves; counts it in `traffic`, of one more than there are nodes.
static struct gcl_forecast_moves moves_of(const struct gcl_forecast_cluster *cluster,
                                          struct traffic *traffic, const struct gcl_plan *plan) {
    uint64_t moved = gcl_plan_moved(plan), combined = gcl_plan_combined(plan, cluster->node_count);
    struct gcl_forecast_moves moves = {.time_ns = 0};
    count_transfers(traffic, cluster->node_count, plan);
    count_combinations(traffic, cluster->node_count, plan);
    for (uint32_t node = 0; node < cluster->node_count; node++) {
        struct gcl_forecast_moves work = work_of(cluster, &traffic[node]);
        moves = work.time_ns > moves.time_ns ? work : moves;
    }
    moves.waits = (moved > 0) + (combined > 0);
    moves.time_ns += moves.waits * (cluster->latency_ns + cluster->wake_ns);
    moves.bytes = moved + combined;
    return moves;
}

bool gcl_forecast_price(const struct gcl_forecast_cluster *cluster, const struct gcl_plan *plan,
                        struct gcl_forecast_moves *moves) {
    struct traffic *traffic = calloc((size_t)cluster->node_count + 1, sizeof *traffic);
    if (!traffic)
        return false;
    *moves = moves_of(cluster, traffic, plan);
    free(traffic);
    return true;
}

/// Adds what moves have more than others.
static void add_difference(struct gcl_forecast_moves *sum, const struct gcl_forecast_moves *moves,
                           const struct gcl_forecast_moves *less) {
    sum->time_ns += moves->time_ns - less->time_ns;
    sum->waits += moves->waits - less->waits;
    sum->carried += moves->carried - less->carried;
    sum->bytes += moves->bytes - less->bytes;
}

static void add_moves(struct gcl_forecast *forecast, const struct gcl_plan *plan) {
    const struct gcl_forecast_moves none = {.time_ns = 0};
    const struct gcl_forecast_moves moves = moves_of(&forecast->cluster, forecast->traffic, plan);
    add_difference(&forecast->moves, &moves, &none);
}

/// Gives moves the time that they take on another link.
static void change_link(struct gcl_forecast_moves *moves, const struct gcl_forecast_cluster *before,
                        const struct gcl_forecast_link *link) {
    moves->time_ns += moves->waits * (link->latency_ns - before->latency_ns) +
                      moves->carried * (1 / link->bytes_per_ns - 1 / before->bytes_per_ns);
}

void gcl_forecast_set_link(struct gcl_forecast *forecast, const struct gcl_forecast_link *link) {
    assert(link->bytes_per_ns > 0 && link->latency_ns >= 0);
    change_link(&forecast->moves, &forecast->cluster, link);
    for (size_t i = 0; i < forecast->kernel_count; i++)
        change_link(&forecast->kernels[i]->moves, &forecast->cluster, link);
    forecast->cluster.latency_ns = link->latency_ns;
    forecast->cluster.bytes_per_ns = link->bytes_per_ns;
}

static uint64_t blocks_of(const struct gcl_launch_part *part) {
    uint64_t blocks = 1;
    for (int axis = 0; axis < 3; axis++)
        blocks *= part->end[axis] - part->begin[axis];
    return blocks;
}

/// How many blocks follow each other on so many threads.
static double depth_of(const struct gcl_launch_part *part, double threads) {
    double blocks = (double)blocks_of(part);
    assert(threads > 0);
    return blocks <= threads ? blocks > 0 : blocks / threads;
}

/// What the node needs longest for, in blocks of node 0's.
static double most_depth(const struct gcl_forecast *forecast, const struct gcl_schedule *schedule) {
    const uint32_t *weights = forecast->cluster.weights;
    double most = 0;
    for (uint32_t node = 0; node < schedule->node_count; node++) {
        double depth = depth_of(&schedule->parts[node], forecast->cluster.threads);
        if (weights)
            depth *= (double)weights[0] / weights[node];
        most = depth > most ? depth : most;
    }
    return most;
}

// Faults.

/// What pages that are touched take, of such bytes as would take a nanosecond if all came before.
static double fault_cost(const struct gcl_forecast_cluster *cluster) {
    double at_once = cluster->threads > 1 ? cluster->threads : 1;
    return cluster->page_ns / at_once * cluster->bytes_per_ns / (double)GCL_PAGE_SIZE;
}

void gcl_forecast_touch(struct gcl_forecast *forecast, uint32_t touched) {
    bool is_known = touched != GCL_FORECAST_UNKNOWN;
    double cost = fault_cost(&forecast->cluster);
    double part = cost > 0 ? UNKNOWN_SHARE / cost : 0;
    forecast->touched = is_known ? touched / 1000.0 : part < 1 ? part : 1;
}

/// Whether pages come as launches touch them, as that takes less than if all came before.
static bool has_faults(const struct gcl_forecast *forecast) {
    return forecast->cluster.page_ns > 0 && forecast->touched * fault_cost(&forecast->cluster) < 1;
}

/// Bytes that the node gets by a plan's faults which gets most.
static uint64_t most_faulted(struct traffic *traffic, uint32_t node_count,
                             const struct gcl_plan *plan) {
    int64_t most = 0;
    memset(traffic, 0, ((size_t)node_count + 1) * sizeof *traffic);
    for (size_t i = 0; i < plan->fault_count; i++) {
        const struct gcl_transfer *fault = &plan->faults[i];
        traffic[fault->to].received += gcl_region_size(&fault->bytes);
    }
    for (uint32_t node = 0; node < node_count; node++)
        most = traffic[node].received > most ? traffic[node].received : most;
    return (uint64_t)most;
}

/// Adds what comes by the faults of a plan: pages that have come stay until their memory changes.
static void add_faults(struct gcl_forecast *forecast, struct gcl_forecast_kernel *kernel,
                       const struct gcl_plan *plan) {
    const struct gcl_forecast_cluster *cluster = &forecast->cluster;
    struct gcl_forecast_moves *moves = &forecast->moves;
    uint64_t versions = gcl_plan_fault_versions(plan, forecast->directory);
    if (plan->fault_count == 0)
        return;
    moves->waits += 2;
    moves->time_ns += 2 * (cluster->latency_ns + cluster->wake_ns);
    if (versions == kernel->versions)
        return;
    double most = (double)most_faulted(forecast->traffic, cluster->node_count, plan);
    double bytes = forecast->touched * (double)gcl_plan_faulted(plan);
    kernel->versions = versions;
    moves->time_ns += forecast->touched * most / cluster->bytes_per_ns * fault_cost(cluster);
    moves->bytes += (uint64_t)bytes;
}

// Operations.

/// Adds what a plan moves, which is as if it had been carried out. Takes the plan.
static bool carry_out(struct gcl_forecast *forecast, struct gcl_plan *plan, bool ok) {
    if (ok) {
        gcl_plan_commit(plan, forecast->directory);
        add_moves(forecast, plan);
    }
    gcl_plan_release(plan);
    return ok;
}

/// What the host uses as well goes back to it, as nobody sees how much of that it uses.
static bool bring_home(struct gcl_forecast *forecast, const struct gcl_plan *plan) {
    bool ok = true;
    for (size_t i = 0; i < plan->allocation_count && ok; i++) {
        struct gcl_region all = gcl_region_run(0, (int64_t)plan->allocations[i].size);
        if (plan->allocations[i].use)
            ok = gcl_forecast_access(forecast, plan->allocations[i].begin, &all, false);
    }
    return ok;
}

void gcl_forecast_limit(struct gcl_forecast *forecast, int64_t steps) {
    forecast->steps = steps;
}

bool gcl_forecast_launch(struct gcl_forecast *forecast, struct gcl_forecast_kernel *kernel,
                         const struct gcl_launch_part *launch) {
    gcl_schedule_memo_limit(kernel->schedules, forecast->steps);
    gcl_schedule_memo_weigh(kernel->schedules, forecast->cluster.weights, 0);
    gcl_schedule_memo_fault(kernel->schedules, has_faults(forecast));
    const struct gcl_schedule *schedule =
        gcl_schedule_memo_find(kernel->schedules, launch, GCL_NOBODY);
    if (!schedule)
        return false;
    const struct gcl_forecast_moves before = forecast->moves;
    gcl_plan_commit(schedule->plan, forecast->directory);
    add_moves(forecast, schedule->plan);
    add_faults(forecast, kernel, schedule->plan);
    kernel->alone += depth_of(launch, forecast->cluster.home_threads);
    kernel->spread += most_depth(forecast, schedule);
    kernel->launches++;
    if (!schedule->axis && blocks_of(launch) > 1) {
        kernel->kept++;
        kernel->reason = schedule->reason;
    }
    bool ok = bring_home(forecast, schedule->plan);
    add_difference(&kernel->moves, &forecast->moves, &before);
    return ok;
}

bool gcl_forecast_access(struct gcl_forecast *forecast, uint64_t begin,
                         const struct gcl_region *bytes, bool is_written) {
    struct gcl_region *regions = calloc(forecast->cluster.node_count, sizeof *regions);
    struct gcl_plan *plan = gcl_plan_create();
    bool ok = regions && plan;
    if (ok) {
        regions[0] = *bytes;
        ok = gcl_plan_demand(plan, forecast->directory,
                             &(struct gcl_demand){.begin = begin,
                                                  .needed = is_written ? NULL : regions,
                                                  .written = is_written ? regions : NULL});
    }
    free(regions);
    return carry_out(forecast, plan, ok);
}

bool gcl_forecast_fill(struct gcl_forecast *forecast, uint64_t begin,
                       const struct gcl_region *bytes, uint8_t value) {
    struct gcl_plan *plan = gcl_plan_create();
    bool ok = plan && gcl_plan_fill(plan, forecast->directory, begin, bytes, value);
    return carry_out(forecast, plan, ok);
}
