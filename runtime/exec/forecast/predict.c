// A row of timelines, the first of one node, go through the same commands side by side: their
// clocks differ by what a foresight says that moves and by how many blocks a node has. A kernel's
// blocks are measured once, on node 0; that a node of a larger cluster takes as long for a block is
// the assumption that all of this rests on.
#include "exec/forecast/predict.h"

#include <assert.h>
#include <stdlib.h>

#include "base/clock.h"
#include "base/log.h"
#include "base/map.h"
#include "exec/forecast/foresight.h"

// A launch that is over sooner shows what it takes to start one.
#define SHORT_NS 50e3

/// A number of nodes.
struct timeline {
    uint32_t nodes;
    struct gcl_foresight *foresight; ///< NULL: it can't be said
    double host_ns, device_ns;       ///< its clocks
    double compute_ns, moving_ns;    ///< so far
    double depth;                    ///< of the command at hand: blocks one after the other,
    double moves_ns, planning_ns;    ///< what moves for it takes, and to plan it
    bool has_looked;                 ///< memory was looked up for it
    double scattered_ns;   ///< moving what came from the host, and hasn't been asked for yet;
    double scatter_end_ns; ///< that is over then
    bool is_spread;        ///< other nodes take part in what the program hasn't waited for
};

/// A kernel that has been launched.
struct measured {
    const struct gcl_kernel *kernel;
    struct gcl_run_cost cost;
    uint64_t launches, known_blocks, known_ns; ///< of `cost`, before the launch at hand
    struct gcl_prediction_share *shares;       ///< by timeline; computing, and no more
};

struct gcl_predict {
    struct gcl_forecast_cluster cluster;
    struct timeline *timelines; ///< the first of one node
    size_t count;
    struct gcl_map kernels;    ///< struct measured, which stay: runs add to them later, too
    struct measured *launched; ///< by the command at hand; NULL: it is none
    bool is_with_host;         ///< the command at hand copies from or to the host
    uint64_t scattered;        ///< bytes that come with it, and go on to other nodes
    uint64_t last_ns;          ///< when the latest command was done
    double start_ns;           ///< what short launches took besides their blocks,
    uint64_t start_count;      ///< and how many they were
    struct gcl_prediction prediction;
};

static struct gcl_foresight *foresee(const struct gcl_predict *predict, uint32_t nodes) {
    struct gcl_forecast_cluster cluster = predict->cluster;
    cluster.node_count = nodes;
    return gcl_foresight_create(&cluster, true);
}

struct gcl_predict *gcl_predict_create(const struct gcl_predict_counts *counts,
                                       const struct gcl_forecast_cluster *cluster) {
    struct gcl_predict *predict = calloc(1, sizeof *predict);
    if (!predict)
        return NULL;
    predict->cluster = *cluster;
    predict->count = counts->count + 1;
    predict->timelines = calloc(predict->count, sizeof *predict->timelines);
    for (size_t i = 0; predict->timelines && i < predict->count; i++) {
        struct timeline *timeline = &predict->timelines[i];
        timeline->nodes = i > 0 ? counts->counts[i - 1] : 1;
        timeline->foresight = foresee(predict, timeline->nodes);
    }
    predict->last_ns = gcl_clock_ns();
    if (predict->timelines)
        return predict;
    free(predict);
    return NULL;
}

/// What is foreseen from here on would be wrong.
static void give_up(struct timeline *timeline) {
    gcl_log(GCL_LOG_WARN, "what the program does can't be planned for %u nodes", timeline->nodes);
    gcl_foresight_destroy(timeline->foresight);
    timeline->foresight = NULL;
}

void gcl_predict_allocate(struct gcl_predict *predict, uint64_t begin, uint64_t size,
                          enum gcl_host_use use) {
    for (size_t i = 0; i < predict->count; i++) {
        struct timeline *timeline = &predict->timelines[i];
        if (timeline->foresight && !gcl_foresight_allocate(timeline->foresight, begin, size, use))
            give_up(timeline);
    }
}

void gcl_predict_free(struct gcl_predict *predict, uint64_t begin) {
    for (size_t i = 0; i < predict->count; i++) {
        if (predict->timelines[i].foresight)
            gcl_foresight_free(predict->timelines[i].foresight, begin);
    }
}

// Kernels.

static struct measured *create_measured(struct gcl_predict *predict,
                                        const struct gcl_kernel *kernel) {
    struct measured *measured = calloc(1, sizeof *measured);
    if (!measured)
        return NULL;
    measured->kernel = kernel;
    measured->shares = calloc(predict->count, sizeof *measured->shares);
    if (measured->shares && gcl_map_set(&predict->kernels, kernel, measured))
        return measured;
    free(measured->shares);
    free(measured);
    return NULL;
}

/// Has a run's blocks measured. NULL: no memory.
static struct measured *measure(struct gcl_predict *predict, struct gcl_run *run) {
    const struct gcl_kernel *kernel = run->launch.kernel;
    struct measured *measured = gcl_map_get(&predict->kernels, kernel);
    if (!measured)
        measured = create_measured(predict, kernel);
    if (!measured)
        return NULL;
    measured->launches++;
    measured->known_blocks = atomic_load(&measured->cost.blocks);
    measured->known_ns = atomic_load(&measured->cost.busy_ns);
    run->cost = &measured->cost;
    return measured;
}

/// What a block of the launch at hand takes; of a kernel whose launches weren't waited for, of all
/// of them so far.
static double block_time(const struct measured *measured) {
    uint64_t blocks = atomic_load(&measured->cost.blocks);
    uint64_t busy_ns = atomic_load(&measured->cost.busy_ns);
    if (blocks > measured->known_blocks) {
        blocks -= measured->known_blocks;
        busy_ns -= measured->known_ns;
    }
    return blocks > 0 ? (double)busy_ns / (double)blocks : 0;
}

// Commands.

/// Takes the hosts' clocks to now.
static void pass_time(struct gcl_predict *predict) {
    uint64_t now_ns = gcl_clock_ns();
    for (size_t i = 0; i < predict->count; i++)
        predict->timelines[i].host_ns += (double)(now_ns - predict->last_ns);
    predict->last_ns = now_ns;
}

static double depth_of(const struct timeline *timeline, const struct measured *measured) {
    const struct gcl_forecast_kernel *kernel =
        timeline->foresight && measured
            ? gcl_foresight_kernel(timeline->foresight, measured->kernel)
            : NULL;
    return kernel ? kernel->spread : 0;
}

/// What passes until another node has got word, and its own has come back.
static double round_trip(const struct gcl_predict *predict) {
    const struct gcl_forecast_cluster *cluster = &predict->cluster;
    return 2 * (cluster->latency_ns + GCL_FORECAST_WAKES * cluster->wake_ns);
}

/// Plans a command for a cluster.
static void plan(struct gcl_predict *predict, struct timeline *timeline,
                 const struct gcl_command *command) {
    uint64_t begin_ns = gcl_clock_ns();
    if (!timeline->foresight)
        return;
    double depth = depth_of(timeline, predict->launched);
    double moves_ns = gcl_foresight_moves(timeline->foresight).time_ns;
    if (!gcl_foresight_command(timeline->foresight, command)) {
        give_up(timeline);
        return;
    }
    timeline->depth = depth_of(timeline, predict->launched) - depth;
    timeline->moves_ns = gcl_foresight_moves(timeline->foresight).time_ns - moves_ns;
    timeline->has_looked = timeline->nodes > 1 && gcl_foresight_has_looked(timeline->foresight);
    if (timeline->nodes > 1)
        timeline->planning_ns = (double)(gcl_clock_ns() - begin_ns);
    // Each node looks up what its own blocks need.
    if (timeline->has_looked)
        timeline->planning_ns /= timeline->nodes;
}

/// Whether one end of a copy is the host's, which then waits for it.
static bool is_with_host(const struct gcl_predict *predict, const struct gcl_command *command) {
    const struct gcl_box_copy *copy = &command->copy;
    if (command->kind != GCL_COMMAND_COPY || !predict->timelines[0].foresight)
        return false;
    return (copy->source && !gcl_foresight_holds(predict->timelines[0].foresight, copy->source)) ||
           !gcl_foresight_holds(predict->timelines[0].foresight, copy->target);
}

/// Bytes that a command brings from the host and that go on to other nodes.
static uint64_t scattered_of(const struct gcl_predict *predict, const struct gcl_command *command) {
    const struct gcl_box_copy *copy = &command->copy;
    uint64_t size = copy->width * copy->height * copy->depth;
    bool comes = predict->is_with_host && copy->source &&
                 gcl_foresight_holds(predict->timelines[0].foresight, copy->target);
    return comes && size >= GCL_FORECAST_SCATTERED ? size : 0;
}

void gcl_predict_before(struct gcl_predict *predict, struct gcl_command *command) {
    pass_time(predict);
    predict->launched = command->kind == GCL_COMMAND_RUN ? measure(predict, &command->run) : NULL;
    predict->is_with_host = is_with_host(predict, command);
    predict->scattered = scattered_of(predict, command);
    for (size_t i = 0; i < predict->count; i++) {
        struct timeline *timeline = &predict->timelines[i];
        timeline->depth = timeline->moves_ns = timeline->planning_ns = 0;
        timeline->has_looked = false;
        plan(predict, timeline, command);
    }
    predict->last_ns = gcl_clock_ns();
}

/// What it takes to start a launch, as short ones show.
static double start_time(const struct gcl_predict *predict) {
    return predict->start_count > 0 ? predict->start_ns / (double)predict->start_count : 0;
}

static void learn_start(struct gcl_predict *predict, double taken_ns, double blocks_ns) {
    if (taken_ns <= 0 || taken_ns > SHORT_NS || taken_ns < blocks_ns)
        return;
    predict->start_ns += taken_ns - blocks_ns;
    predict->start_count++;
}

/// The host's clock comes up to that of the nodes, which say that they are done.
static void come_up(const struct gcl_predict *predict, struct timeline *timeline) {
    if (timeline->host_ns < timeline->device_ns)
        timeline->host_ns = timeline->device_ns;
    if (timeline->is_spread)
        timeline->host_ns += round_trip(predict);
    timeline->is_spread = false;
}

/// What has come from the host goes on to the other nodes, beside what follows, ...
static void scatter(const struct gcl_predict *predict, struct timeline *timeline) {
    double others = 1 - 1 / (double)timeline->nodes;
    double time_ns = others * (double)predict->scattered / predict->cluster.bytes_per_ns;
    if (timeline->scatter_end_ns < timeline->device_ns)
        timeline->scatter_end_ns = timeline->device_ns;
    timeline->scatter_end_ns += time_ns;
    timeline->scattered_ns += time_ns;
}

/// ... and what of a launch's moves it was needs no more than its end to be waited for.
static void take_scattered(struct timeline *timeline) {
    double there_ns =
        timeline->moves_ns < timeline->scattered_ns ? timeline->moves_ns : timeline->scattered_ns;
    timeline->moves_ns -= there_ns;
    timeline->scattered_ns -= there_ns;
    if (there_ns > 0 && timeline->device_ns < timeline->scatter_end_ns)
        timeline->device_ns = timeline->scatter_end_ns;
}

/// Takes a cluster's clocks to when it has done the command. Each of its nodes plans as long as it
/// took here, while one thread less runs blocks.
static void advance(struct gcl_predict *predict, struct timeline *timeline, double besides_ns,
                    double block_ns) {
    double compute_ns = block_ns * timeline->depth;
    if (timeline->has_looked) // what is looked up has to be there, and nodes tell each other of it
        come_up(predict, timeline);
    timeline->host_ns += timeline->planning_ns;
    timeline->device_ns += timeline->planning_ns / predict->cluster.threads;
    if (predict->launched)
        take_scattered(timeline);
    double begin_ns =
        timeline->host_ns > timeline->device_ns ? timeline->host_ns : timeline->device_ns;
    timeline->device_ns = begin_ns + timeline->moves_ns + compute_ns + besides_ns;
    timeline->compute_ns += compute_ns;
    timeline->moving_ns += timeline->moves_ns;
    if (predict->launched)
        predict->launched->shares[timeline - predict->timelines].compute_ns += compute_ns;
    timeline->is_spread |= timeline->nodes > 1 && (predict->launched || predict->is_with_host);
    if (predict->is_with_host)
        timeline->host_ns = timeline->device_ns;
    if (predict->scattered > 0)
        scatter(predict, timeline);
}

void gcl_predict_after(struct gcl_predict *predict, uint64_t taken_ns) {
    double block_ns = predict->launched ? block_time(predict->launched) : 0;
    double besides_ns = (double)taken_ns;
    if (predict->launched) {
        learn_start(predict, (double)taken_ns, block_ns * predict->timelines[0].depth);
        besides_ns = start_time(predict);
    }
    for (size_t i = 0; i < predict->count; i++)
        advance(predict, &predict->timelines[i], besides_ns, block_ns);
    predict->last_ns = gcl_clock_ns();
}

void gcl_predict_waited(struct gcl_predict *predict) {
    pass_time(predict);
    for (size_t i = 0; i < predict->count; i++)
        come_up(predict, &predict->timelines[i]);
}

// The end.

static struct gcl_prediction_line line_of(const struct timeline *timeline) {
    struct gcl_prediction_line line = {.nodes = timeline->nodes,
                                       .is_known = timeline->foresight != NULL,
                                       .time_ns = timeline->host_ns,
                                       .compute_ns = timeline->compute_ns,
                                       .moving_ns = timeline->moving_ns};
    if (line.is_known)
        line.moved = gcl_foresight_moves(timeline->foresight).bytes;
    return line;
}

/// Adds what was foreseen of a kernel to what was measured.
static void complete(const struct gcl_predict *predict, struct measured *measured) {
    for (size_t i = 0; i < predict->count; i++) {
        struct gcl_prediction_share *share = &measured->shares[i];
        const struct timeline *timeline = &predict->timelines[i];
        const struct gcl_forecast_kernel *foreseen =
            timeline->foresight ? gcl_foresight_kernel(timeline->foresight, measured->kernel)
                                : NULL;
        if (!foreseen)
            continue;
        share->moving_ns = foreseen->moves.time_ns;
        share->moved = foreseen->moves.bytes;
        share->kept = foreseen->kept;
        share->reason = foreseen->reason;
    }
}

const struct gcl_prediction *gcl_predict_end(struct gcl_predict *predict) {
    struct gcl_prediction *prediction = &predict->prediction;
    assert(!prediction->lines);
    gcl_predict_waited(predict);
    *prediction = (struct gcl_prediction){
        .lines = calloc(predict->count, sizeof *prediction->lines),
        .line_count = predict->count,
        .kernels = calloc(predict->kernels.count + 1, sizeof *prediction->kernels),
        .threads = predict->cluster.threads,
        .bytes_per_ns = predict->cluster.bytes_per_ns,
        .latency_ns = predict->cluster.latency_ns};
    if (!prediction->lines || !prediction->kernels)
        return NULL;
    for (size_t i = 0; i < predict->count; i++)
        prediction->lines[i] = line_of(&predict->timelines[i]);
    for (size_t i = 0; i < predict->kernels.capacity; i++) {
        struct measured *measured = predict->kernels.entries[i].value;
        if (!measured)
            continue;
        complete(predict, measured);
        prediction->kernels[prediction->kernel_count++] =
            (struct gcl_prediction_kernel){measured->kernel, measured->launches, measured->shares};
    }
    return prediction;
}
