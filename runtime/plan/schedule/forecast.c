// The forecast has a directory of its own, as if the program had been spread from its beginning.
#include "plan/schedule/forecast.h"

#include <stdlib.h>

#include "plan/region/geometry.h"
#include "plan/schedule/schedule_memo.h"

struct gcl_forecast {
    struct gcl_forecast_cluster cluster;
    struct gcl_directory *directory;
    struct gcl_forecast_kernel **kernels;
    size_t kernel_count;
    uint64_t *received, *sent; ///< by node, in the plan that is being counted
    struct gcl_forecast_moves moves;
};

struct gcl_forecast *gcl_forecast_create(const struct gcl_forecast_cluster *cluster) {
    struct gcl_forecast *forecast = calloc(1, sizeof *forecast);
    if (!forecast)
        return NULL;
    forecast->cluster = *cluster;
    forecast->directory = gcl_directory_create(cluster->node_count);
    forecast->received = calloc(2 * (size_t)cluster->node_count, sizeof *forecast->received);
    forecast->sent = forecast->received ? forecast->received + cluster->node_count : NULL;
    if (forecast->directory && forecast->received)
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
    free(forecast->received);
    free(forecast);
}

struct gcl_forecast_moves gcl_forecast_moves(const struct gcl_forecast *forecast) {
    return forecast->moves;
}

struct gcl_forecast_kernel *gcl_forecast_add_kernel(struct gcl_forecast *forecast,
                                                    const struct gcl_program *program) {
    size_t count = forecast->kernel_count;
    struct gcl_forecast_kernel **kernels =
        realloc(forecast->kernels, (count + 1) * sizeof(*kernels));
    if (!kernels)
        return NULL;
    forecast->kernels = kernels;
    struct gcl_forecast_kernel *kernel = calloc(1, sizeof *kernel);
    if (kernel)
        kernel->schedules = gcl_schedule_memo_create(program, forecast->directory, NULL);
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

/// Counts what each node sends and receives before the operation.
static void count_transfers(struct gcl_forecast *forecast, const struct gcl_plan *plan) {
    uint32_t count = forecast->cluster.node_count;
    for (uint32_t node = 0; node < count; node++)
        forecast->received[node] = forecast->sent[node] = 0;
    for (size_t i = 0; i < plan->transfer_count; i++) {
        const struct gcl_transfer *transfer = &plan->transfers[i];
        uint64_t size = (uint64_t)gcl_region_size(&transfer->bytes);
        if (transfer->from == GCL_NOWHERE)
            continue;
        // Copies for several nodes go down a tree, so that each node sends few of them.
        forecast->sent[transfer->from] += size;
        for (uint32_t to = transfer->to; to < transfer->to_end; to++)
            forecast->received[to] += to == transfer->from ? 0 : size;
    }
}

static void add_moves(struct gcl_forecast *forecast, const struct gcl_plan *plan) {
    const struct gcl_forecast_cluster *cluster = &forecast->cluster;
    uint64_t most = 0, moved = gcl_plan_moved(plan);
    uint64_t combined = gcl_plan_combined(plan, cluster->node_count);
    forecast->moves.bytes += moved + combined;
    count_transfers(forecast, plan);
    for (uint32_t node = 0; node < cluster->node_count; node++) {
        most = forecast->received[node] > most ? forecast->received[node] : most;
        most = forecast->sent[node] > most ? forecast->sent[node] : most;
    }
    double bytes = (double)most + (double)combined / cluster->node_count;
    double messages = (moved > 0) + (combined > 0);
    forecast->moves.time_ns += messages * cluster->latency_ns + bytes / cluster->bytes_per_ns;
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
    return blocks <= threads ? blocks > 0 : blocks / threads;
}

static double most_depth(const struct gcl_forecast *forecast, const struct gcl_schedule *schedule) {
    double most = 0;
    for (uint32_t node = 0; node < schedule->node_count; node++) {
        double depth = depth_of(&schedule->parts[node], forecast->cluster.threads);
        most = depth > most ? depth : most;
    }
    return most;
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

bool gcl_forecast_launch(struct gcl_forecast *forecast, struct gcl_forecast_kernel *kernel,
                         const struct gcl_launch_part *launch) {
    const struct gcl_schedule *schedule =
        gcl_schedule_memo_find(kernel->schedules, launch, GCL_NOBODY);
    if (!schedule)
        return false;
    gcl_plan_commit(schedule->plan, forecast->directory);
    add_moves(forecast, schedule->plan);
    kernel->alone += depth_of(launch, forecast->cluster.home_threads);
    kernel->spread += most_depth(forecast, schedule);
    return bring_home(forecast, schedule->plan);
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
