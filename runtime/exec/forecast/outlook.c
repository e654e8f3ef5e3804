// A bandit of two arms, node 0 alone and all nodes, whose regret is bounded: an arm is left only
// for one that is expected to bring WORTH times what changing over costs, and each change that was
// wrong makes the next one MORE times harder. `lost_ns` is what was paid so far; it is held against
// a share of the program's time, so the bound holds whatever the program does.
#include "exec/forecast/outlook.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/map.h"
#include "exec/forecast/foresight.h"

// A tenth of the time so far, and GCL_OUTLOOK_LOSS_NS, are what may be lost: half of it by bringing
// the memory to all nodes and back, half by what they take longer.
#define SHARE 0.05
#define LOSS_NS (GCL_OUTLOOK_LOSS_NS / 2)
// Planning ahead may take so much of what kernels take, and this besides.
#define PLANNING_SHARE 0.03
#define PLANNING_NS 10e6
// Planning one launch may take so much of what its blocks take, but need not take less than this;
// of a kernel that nobody has measured, this. A step takes so long.
#define LAUNCH_SHARE 0.1
#define LAUNCH_NS 2e6
#define UNKNOWN_NS 10e6
#define STEP_NS 1e3
// To change over has to be worth more than it costs, by so many times; and so many times more after
// each time that it wasn't.
#define WORTH 2
#define MORE 4
// Blocks may take so many times as long as those that came before them in the launch.
#define UNEVEN 64
// So much work may be under way.
#define BACKLOG_NS 5e6

enum { FENCES = 256 };

/// A kernel that has been launched.
struct launched {
    struct gcl_run_cost cost;
    const struct gcl_kernel *kernel;
    uint64_t planning_ns; ///< to foresee its launches, since node 0 began to do all alone
    uint32_t touched;     ///< as gcl_forecast_touch
    double depth; ///< while all nodes take part: blocks one after the other, if node 0 did it alone
};

struct gcl_outlook {
    struct gcl_forecast_cluster cluster;
    const struct gcl_listeners *listeners; ///< may be NULL
    uint64_t (*clock_ns)(void);
    struct gcl_foresight *foresight; ///< NULL: all nodes take part, or never will
    struct gcl_map kernels;          ///< struct launched, which stay: runs add to them later, too
    uint64_t memory;                 ///< bytes allocated
    uint64_t start_ns;               ///< of the program
    uint64_t begin_ns;               ///< of what node 0 does alone now, or all nodes do
    uint64_t planning_ns;
    uint64_t judged_planning_ns; ///< what of that was told with earlier judgements
    double alone_ns;             ///< what kernels took before that, while node 0 did all alone,
    double whole_ns;             ///< and what the program took
    double lost_ns;              ///< by all nodes, so far
    double worth;                ///< as WORTH
    struct launched *tried;      ///< by the run that comes next: nobody has measured it; or NULL
    double away;                 ///< as gcl_foresight_away, before that run
    double left;                 ///< the part of it that isn't done
    bool are_all;                ///< all nodes take part
    bool is_undone;              ///< planning ahead took too long
    uint64_t measured_ns;        ///< when the link was measured last; 0: before the program began
    struct gcl_fence fences[FENCES]; ///< of the latest launches, round and round
    uint64_t launch_count;
};

struct gcl_outlook *gcl_outlook_create(const struct gcl_forecast_cluster *cluster,
                                       const struct gcl_listeners *listeners,
                                       uint64_t (*clock_ns)(void)) {
    struct gcl_outlook *outlook = calloc(1, sizeof *outlook);
    if (!outlook)
        return NULL;
    outlook->cluster = *cluster;
    outlook->listeners = listeners;
    outlook->clock_ns = clock_ns;
    outlook->start_ns = clock_ns();
    outlook->worth = WORTH;
    gcl_outlook_begin_alone(outlook);
    return outlook;
}

void gcl_outlook_weigh(struct gcl_outlook *outlook, const uint32_t *weights) {
    outlook->cluster.weights = weights;
}

static void end_foresight(struct gcl_outlook *outlook) {
    gcl_foresight_destroy(outlook->foresight);
    outlook->foresight = NULL;
}

void gcl_outlook_destroy(struct gcl_outlook *outlook) {
    if (!outlook)
        return;
    end_foresight(outlook);
    for (size_t i = 0; i < outlook->kernels.capacity; i++)
        free(outlook->kernels.entries[i].value);
    gcl_map_finish(&outlook->kernels);
    free(outlook);
}

// Kernels.

static struct launched *find_launched(struct gcl_outlook *outlook,
                                      const struct gcl_kernel *kernel) {
    struct launched *found = gcl_map_get(&outlook->kernels, kernel);
    if (found)
        return found;
    found = calloc(1, sizeof *found);
    if (found) {
        found->kernel = kernel;
        found->touched = GCL_FORECAST_UNKNOWN;
    }
    if (found && gcl_map_set(&outlook->kernels, kernel, found))
        return found;
    free(found);
    return NULL;
}

/// What one block takes on one thread, as far as launches tell that are done.
static double block_time(const struct launched *launched) {
    const struct gcl_run_cost *cost = &launched->cost;
    uint64_t blocks = atomic_load_explicit(&cost->blocks, memory_order_relaxed);
    uint64_t busy_ns = atomic_load_explicit(&cost->busy_ns, memory_order_relaxed);
    return blocks ? (double)busy_ns / (double)blocks : 0;
}

/// What kernels take: alone and on all nodes by the forecast, and alone while all take part.
struct times {
    double alone_ns, all_ns, since_ns;
};

static struct times times_of(const struct gcl_outlook *outlook) {
    struct times times = {.alone_ns = 0};
    for (size_t i = 0; i < outlook->kernels.capacity; i++) {
        const struct launched *launched = outlook->kernels.entries[i].value;
        if (!launched)
            continue;
        const struct gcl_forecast_kernel *foreseen =
            outlook->foresight ? gcl_foresight_kernel(outlook->foresight, launched->kernel) : NULL;
        double block_ns = block_time(launched);
        times.since_ns += block_ns * launched->depth;
        times.alone_ns += foreseen ? block_ns * foreseen->alone : 0;
        times.all_ns += foreseen ? block_ns * foreseen->spread : 0;
    }
    if (outlook->foresight)
        times.all_ns += gcl_foresight_moves(outlook->foresight).time_ns;
    return times;
}

// Judgements.

static double loss_of(const struct gcl_outlook *outlook);
static double changing_time(const struct gcl_outlook *outlook);
static double needed_gain(const struct gcl_outlook *outlook);

/// Lists what is foreseen of each kernel. NULL: nothing, or no memory.
static struct gcl_judged_kernel *list_kernels(const struct gcl_outlook *outlook, size_t *count) {
    struct gcl_judged_kernel *kernels = calloc(outlook->kernels.count + 1, sizeof *kernels);
    *count = 0;
    for (size_t i = 0; kernels && outlook->foresight && i < outlook->kernels.capacity; i++) {
        const struct launched *launched = outlook->kernels.entries[i].value;
        const struct gcl_forecast_kernel *foreseen =
            launched ? gcl_foresight_kernel(outlook->foresight, launched->kernel) : NULL;
        double block_ns = launched ? block_time(launched) : 0;
        if (!foreseen)
            continue;
        kernels[(*count)++] =
            (struct gcl_judged_kernel){.kernel = launched->kernel,
                                       .launches = foreseen->launches,
                                       .kept = foreseen->kept,
                                       .block_ns = block_ns,
                                       .alone_ns = block_ns * foreseen->alone,
                                       .all_ns = block_ns * foreseen->spread,
                                       .moving_ns = foreseen->moves.time_ns,
                                       .moved = foreseen->moves.bytes,
                                       .planning_ns = (double)launched->planning_ns};
    }
    return kernels;
}

/// Tells log and listeners who runs kernels from here on, and why.
static void judge(struct gcl_outlook *outlook, enum gcl_judgement_kind kind) {
    struct times times = times_of(outlook);
    struct gcl_judgement judgement = {
        .kind = kind,
        .were_all = outlook->are_all,
        .node_count = outlook->foresight || outlook->are_all ? outlook->cluster.node_count : 0,
        .at_ns = outlook->clock_ns(),
        .memory = outlook->memory,
        .alone_ns = outlook->are_all ? times.since_ns : times.alone_ns,
        .all_ns = times.all_ns,
        .planning_ns = (double)(outlook->planning_ns - outlook->judged_planning_ns),
        .changing_ns = changing_time(outlook),
        .needed_ns = needed_gain(outlook),
        .lost_ns = outlook->lost_ns};
    if (outlook->are_all)
        judgement.all_ns = (double)(judgement.at_ns - outlook->begin_ns);
    if (outlook->foresight) {
        struct gcl_forecast_moves moves = gcl_foresight_moves(outlook->foresight);
        judgement.moving_ns = moves.time_ns;
        judgement.moved = moves.bytes;
    }
    struct gcl_judged_kernel *kernels = list_kernels(outlook, &judgement.kernel_count);
    judgement.kernels = kernels;
    outlook->judged_planning_ns = outlook->planning_ns;
    gcl_judgement_log(&judgement);
    if (outlook->listeners)
        gcl_listeners_judged(outlook->listeners, &judgement);
    free(kernels);
}

// While node 0 does all alone.

/// Time to bring home what nodes other than 0 have at most, of memory that is shared out.
static double return_time(const struct gcl_outlook *outlook) {
    double others = outlook->cluster.node_count - 1;
    return (double)outlook->memory * others / (others + 1) / outlook->cluster.bytes_per_ns;
}

/// Time to change over, and back. To begin with, others have to get what they would have by now.
static double changing_time(const struct gcl_outlook *outlook) {
    double away = 0;
    if (outlook->foresight)
        away = outlook->tried ? outlook->away : (double)gcl_foresight_away(outlook->foresight);
    return away / outlook->cluster.bytes_per_ns + return_time(outlook);
}

/// What may still be lost.
static double budget_of(const struct gcl_outlook *outlook, const struct times *times) {
    assert(times->alone_ns >= 0 && times->since_ns >= 0);
    double alone_ns = outlook->alone_ns + times->alone_ns + times->since_ns;
    return SHARE * alone_ns + LOSS_NS - outlook->lost_ns;
}

/// What all nodes have to be faster by to make up for so much time to change over.
static double worth_of(const struct gcl_outlook *outlook, double changing_ns) {
    // What is left of a launch is going to be done; what a program does next, nobody knows.
    double worth = outlook->tried ? outlook->worth / WORTH : outlook->worth;
    return worth * (changing_ns + LOSS_NS / 8);
}

/// What all nodes have to be faster by, so that it pays to have them take part.
static double needed_gain(const struct gcl_outlook *outlook) {
    return worth_of(outlook, changing_time(outlook));
}

void gcl_outlook_begin_alone(struct gcl_outlook *outlook) {
    if (outlook->are_all) {
        outlook->lost_ns += loss_of(outlook) + return_time(outlook);
        judge(outlook, GCL_JUDGED_ALONE);
        outlook->alone_ns += times_of(outlook).since_ns;
        outlook->worth *= MORE;
    }
    end_foresight(outlook);
    outlook->are_all = false;
    outlook->begin_ns = outlook->clock_ns();
    outlook->memory = 0;
    outlook->foresight = gcl_foresight_create(&outlook->cluster, false);
}

void gcl_outlook_allocate(struct gcl_outlook *outlook, uint64_t begin, uint64_t size,
                          enum gcl_host_use use) {
    outlook->memory += size;
    if (outlook->foresight && !gcl_foresight_allocate(outlook->foresight, begin, size, use))
        end_foresight(outlook);
}

void gcl_outlook_free(struct gcl_outlook *outlook, uint64_t begin, uint64_t size) {
    assert(outlook->memory >= size);
    outlook->memory -= size;
    if (outlook->foresight)
        gcl_foresight_free(outlook->foresight, begin);
}

/// Has a run's blocks measured. NULL: no memory.
static struct launched *measure(struct gcl_outlook *outlook, struct gcl_run *run) {
    struct launched *launched = find_launched(outlook, run->launch.kernel);
    run->cost = launched ? &launched->cost : NULL;
    return launched;
}

/// Whether planning ahead has taken too long for what it may bring.
static bool is_planning_dear(const struct gcl_outlook *outlook) {
    double alone_ns = outlook->alone_ns + times_of(outlook).alone_ns;
    return (double)outlook->planning_ns > PLANNING_SHARE * alone_ns + PLANNING_NS;
}

/// Blocks of a run that node 0 would do one after the other.
static double depth_alone(const struct gcl_outlook *outlook, const struct gcl_run *run) {
    double blocks = (double)gcl_block_count(&run->launch);
    double threads = outlook->cluster.home_threads;
    return blocks < threads ? 1 : blocks / threads;
}

uint32_t gcl_outlook_planning(const struct gcl_outlook *outlook, const struct gcl_run *run) {
    const struct launched *launched = gcl_map_get(&outlook->kernels, run->launch.kernel);
    double block_ns = launched ? block_time(launched) : 0;
    double share_ns = LAUNCH_SHARE * block_ns * depth_alone(outlook, run);
    double least_ns = block_ns > 0 ? LAUNCH_NS : UNKNOWN_NS;
    double steps = (share_ns > least_ns ? share_ns : least_ns) / STEP_NS;
    return steps < UINT32_MAX ? (uint32_t)steps : UINT32_MAX;
}

void gcl_outlook_learn(struct gcl_outlook *outlook, const struct gcl_kernel *kernel,
                       uint32_t touched) {
    struct launched *launched = find_launched(outlook, kernel);
    if (launched)
        launched->touched = touched;
}

void gcl_outlook_foresee(struct gcl_outlook *outlook, struct gcl_command *command) {
    if (!outlook->foresight || outlook->is_undone)
        return;
    uint64_t begin_ns = outlook->clock_ns();
    bool is_run = command->kind == GCL_COMMAND_RUN;
    struct launched *launched = is_run ? measure(outlook, &command->run) : NULL;
    outlook->tried = launched && block_time(launched) == 0 ? launched : NULL;
    outlook->left = 1;
    if (outlook->tried)
        outlook->away = (double)gcl_foresight_away(outlook->foresight);
    if (launched) {
        gcl_foresight_limit(outlook->foresight, gcl_outlook_planning(outlook, &command->run));
        gcl_foresight_touch(outlook->foresight, launched->touched);
    }
    bool ok = (!is_run || launched) && gcl_foresight_command(outlook->foresight, command);
    uint64_t planning_ns = outlook->clock_ns() - begin_ns;
    outlook->planning_ns += planning_ns;
    if (launched)
        launched->planning_ns += planning_ns;
    outlook->is_undone = !ok || is_planning_dear(outlook);
    if (!outlook->is_undone)
        return;
    judge(outlook, GCL_JUDGED_DEAR);
    end_foresight(outlook);
}

/// What all nodes are faster by at what is left of the launch that is tried.
static double gain_by_rest(const struct gcl_outlook *outlook) {
    const struct gcl_forecast_kernel *foreseen =
        gcl_foresight_kernel(outlook->foresight, outlook->tried->kernel);
    if (!foreseen)
        return 0;
    double depth = outlook->left * (foreseen->alone - foreseen->spread);
    return block_time(outlook->tried) * depth - foreseen->moves.time_ns;
}

bool gcl_outlook_says_all(const struct gcl_outlook *outlook) {
    if (!outlook->foresight)
        return false;
    struct times times = times_of(outlook);
    double gain_ns = times.alone_ns - times.all_ns;
    return gain_ns > worth_of(outlook, return_time(outlook)) && // which is found quickly
           gain_ns > needed_gain(outlook) &&
           (!outlook->tried || gain_by_rest(outlook) > needed_gain(outlook)) &&
           changing_time(outlook) < budget_of(outlook, &times);
}

bool gcl_outlook_doubts_link(const struct gcl_outlook *outlook) {
    if (!outlook->foresight)
        return false;
    struct times times = times_of(outlook);
    if (budget_of(outlook, &times) < GCL_OUTLOOK_MEASURING_NS)
        return false;
    // Not again before the program has run twice as long.
    uint64_t now_ns = outlook->clock_ns(), start_ns = outlook->start_ns;
    if (outlook->measured_ns > 0 && now_ns - start_ns < 2 * (outlook->measured_ns - start_ns))
        return false;
    const struct gcl_forecast_moves moves = gcl_foresight_moves(outlook->foresight);
    double link_ns =
        moves.waits * outlook->cluster.latency_ns + moves.carried / outlook->cluster.bytes_per_ns;
    double gain_ns = times.alone_ns - times.all_ns;
    return gain_ns + link_ns > worth_of(outlook, 0) && !gcl_outlook_says_all(outlook);
}

void gcl_outlook_measured(struct gcl_outlook *outlook, const struct gcl_forecast_link *link,
                          uint64_t taken_ns) {
    struct gcl_forecast_cluster *cluster = &outlook->cluster;
    assert(!outlook->are_all);
    outlook->measured_ns = outlook->clock_ns();
    outlook->lost_ns += (double)taken_ns;
    if (!link)
        return;
    if (link->latency_ns < cluster->latency_ns)
        cluster->latency_ns = link->latency_ns;
    if (link->bytes_per_ns > cluster->bytes_per_ns)
        cluster->bytes_per_ns = link->bytes_per_ns;
    const struct gcl_forecast_link best = {cluster->latency_ns, cluster->bytes_per_ns};
    if (outlook->foresight)
        gcl_foresight_set_link(outlook->foresight, &best);
}

bool gcl_outlook_tries(struct gcl_outlook *outlook, const struct gcl_run *run) {
    double blocks = (double)gcl_geometry_blocks(&run->launch.geometry);
    const struct launched *launched = gcl_map_get(&outlook->kernels, run->launch.kernel);
    const struct gcl_forecast_kernel *foreseen =
        outlook->foresight ? gcl_foresight_kernel(outlook->foresight, run->launch.kernel) : NULL;
    if (!launched || !foreseen || foreseen->kept > 0)
        return false;
    double block_ns = block_time(launched);
    outlook->left = (double)gcl_block_count(&run->launch) / blocks;
    return outlook->left < 1 ? UNEVEN * block_ns * depth_alone(outlook, run) > needed_gain(outlook)
                             : block_ns == 0;
}

// While all nodes take part.

void gcl_outlook_begin_all(struct gcl_outlook *outlook, enum gcl_judgement_kind why) {
    struct times times = times_of(outlook);
    uint64_t now_ns = outlook->clock_ns();
    assert(!outlook->are_all && now_ns >= outlook->begin_ns);
    assert(why == GCL_JUDGED_ALL || why == GCL_JUDGED_FULL);
    judge(outlook, why);
    outlook->alone_ns += times.alone_ns;
    outlook->whole_ns += (double)(now_ns - outlook->begin_ns);
    outlook->begin_ns = now_ns;
    outlook->are_all = true;
    outlook->tried = NULL;
    end_foresight(outlook);
    for (size_t i = 0; i < outlook->kernels.capacity; i++) {
        struct launched *launched = outlook->kernels.entries[i].value;
        if (launched)
            launched->depth = 0;
    }
}

void gcl_outlook_conclude(struct gcl_outlook *outlook) {
    judge(outlook, GCL_JUDGED_END);
}

void gcl_outlook_note(struct gcl_outlook *outlook, struct gcl_run *run) {
    struct launched *launched = find_launched(outlook, run->launch.kernel);
    if (!launched)
        return;
    run->cost = &launched->cost;
    launched->depth += depth_alone(outlook, run);
}

void gcl_outlook_take_over(struct gcl_outlook *outlook, struct gcl_run *run) {
    const struct launched *launched = gcl_map_get(&outlook->kernels, run->launch.kernel);
    if (!launched)
        return;
    assert(outlook->are_all);
    outlook->alone_ns -= block_time(launched) * depth_alone(outlook, run);
    gcl_outlook_note(outlook, run);
}

/// How much longer all nodes have taken than node 0 would have alone.
static double loss_of(const struct gcl_outlook *outlook) {
    // The time that passes has what the host does in it: as large a part as before.
    bool is_known = outlook->alone_ns > 0 && outlook->whole_ns > outlook->alone_ns;
    double besides = is_known ? outlook->whole_ns / outlook->alone_ns : 1;
    double passed_ns = (double)(outlook->clock_ns() - outlook->begin_ns);
    return passed_ns - times_of(outlook).since_ns * besides;
}

bool gcl_outlook_says_alone(const struct gcl_outlook *outlook) {
    struct times times = times_of(outlook);
    return outlook->are_all && loss_of(outlook) > budget_of(outlook, &times);
}

// What is under way.

void gcl_outlook_submitted(struct gcl_outlook *outlook, struct gcl_fence fence) {
    outlook->fences[outlook->launch_count++ % FENCES] = fence;
    outlook->tried = NULL;
}

struct gcl_fence gcl_outlook_backlog(const struct gcl_outlook *outlook) {
    uint64_t count = outlook->launch_count;
    if (outlook->is_undone || count == 0)
        return (struct gcl_fence){.stream = NULL};
    struct times times = times_of(outlook);
    double launch_ns = (outlook->alone_ns + times.alone_ns + times.since_ns) / (double)count;
    double depth = launch_ns > 0 ? BACKLOG_NS / launch_ns : 1;
    uint64_t behind = depth < 1 ? 1 : depth < (double)FENCES ? (uint64_t)depth : FENCES;
    return count < behind ? (struct gcl_fence){.stream = NULL}
                          : outlook->fences[(count - behind) % FENCES];
}
