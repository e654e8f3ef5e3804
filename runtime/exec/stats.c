// What is planned counts when node 0 is done with it, since the program may be far ahead of that:
// until then it waits in a list, in the order of commands. Nodes' own figures, times and what they
// have sent, are added as they come.
//
// The engine's lock is never taken under this module's: the engine takes that one under its own.
#include "stats.h"

#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"
#include "base/clock.h"
#include "base/log.h"
#include "base/map.h"
#include "plan/schedule.h"

enum {
    MOST_LINKED = 64, ///< nodes
    MANY = 64,        ///< launches, after which it is looked what is done
};

/// A launch or copy on its way.
struct planned {
    enum { LAUNCH, INSPECTION, COPY } kind;
    uint32_t kernel;        ///< number, unless it is a copy
    char axis;              ///< of a launch, as in struct gcl_schedule
    uint16_t reason;        ///< as in struct gcl_stats_launched
    struct gcl_plan *plan;  ///< is held
    struct gcl_fence fence; ///< when node 0 is done with it
    struct planned *next;
};

struct gcl_stats {
    pthread_mutex_t lock;
    gcl_node self;
    struct gcl_engine *engine;
    bool is_full;
    atomic_bool is_counting;
    uint64_t begin_ns;
    struct planned *first, *last; ///< in order
    uint64_t appended, taken;
    struct gcl_stats_summary summary;
    struct gcl_map numbers; ///< of kernels, from 1
};

struct gcl_stats *gcl_stats_create(gcl_node self, gcl_node count, bool has_devices, bool is_full) {
    struct gcl_stats *stats = calloc(1, sizeof *stats);
    struct gcl_stats_node *nodes = calloc(count, sizeof *nodes);
    if (!stats || !nodes) {
        gcl_log(GCL_LOG_ERROR, "no memory for statistics");
        free(stats);
        free(nodes);
        return NULL;
    }
    pthread_mutex_init(&stats->lock, NULL);
    stats->self = self;
    stats->is_full = is_full;
    stats->summary =
        (struct gcl_stats_summary){.node_count = count, .has_devices = has_devices, .nodes = nodes};
    if (count > 1 && count <= MOST_LINKED)
        stats->summary.links = calloc((size_t)count * count, sizeof *stats->summary.links);
    stats->begin_ns = gcl_clock_ns();
    atomic_init(&stats->is_counting, is_full);
    return stats;
}

bool gcl_stats_wants_causes(const struct gcl_stats *stats) {
    return stats->is_full;
}

bool gcl_stats_is_counting(const struct gcl_stats *stats) {
    return atomic_load_explicit(&stats->is_counting, memory_order_relaxed);
}

void gcl_stats_attach(struct gcl_stats *stats, struct gcl_engine *engine) {
    stats->engine = engine;
}

// Kernels.

static bool append_kernel(struct gcl_stats_summary *s, const struct gcl_kernel *kernel) {
    struct gcl_stats_kernel *kernels = realloc(s->kernels, (s->kernel_count + 1) * sizeof *kernels);
    uint64_t *times = calloc(3 * (size_t)s->node_count, sizeof *times);
    if (kernels)
        s->kernels = kernels;
    if (!kernels || !times) {
        free(times);
        return false;
    }
    kernels[s->kernel_count++] =
        (struct gcl_stats_kernel){.kernel = kernel,
                                  .time_ns = times,
                                  .planning_ns = times + s->node_count,
                                  .inspection_ns = times + 2 * (size_t)s->node_count};
    return true;
}

bool gcl_stats_add_kernel(struct gcl_stats *stats, const struct gcl_kernel *kernel) {
    pthread_mutex_lock(&stats->lock);
    struct gcl_stats_summary *s = &stats->summary;
    bool ok = gcl_map_get(&stats->numbers, kernel) || append_kernel(s, kernel);
    if (ok && !gcl_map_get(&stats->numbers, kernel))
        ok = gcl_map_set(&stats->numbers, kernel, (void *)(uintptr_t)s->kernel_count);
    pthread_mutex_unlock(&stats->lock);
    return ok;
}

/// NULL if it has no number.
static struct gcl_stats_kernel *find(struct gcl_stats *stats, const struct gcl_kernel *kernel) {
    uintptr_t number = (uintptr_t)gcl_map_get(&stats->numbers, kernel);
    return number > 0 ? &stats->summary.kernels[number - 1] : NULL;
}

// Plans. Node 0 counts for all nodes.

static void count_launch(struct gcl_stats_summary *s, const struct planned *p) {
    struct gcl_stats_kernel *row = &s->kernels[p->kernel];
    row->launches++;
    gcl_moves_add(&row->moves, &p->plan->moves);
    if (p->axis)
        row->splits[p->axis - 'x']++;
    if (p->reason) {
        row->reason = p->reason;
        row->kept++;
    }
}

static void count(struct gcl_stats_summary *s, const struct planned *p) {
    uint64_t moved = gcl_plan_moved(p->plan) + gcl_plan_combined(p->plan, s->node_count);
    if (p->kind == COPY)
        s->copies.bytes[GCL_MOVE_HOST] += moved;
    else
        s->kernels[p->kernel].moved += moved;
    if (p->kind == INSPECTION)
        s->kernels[p->kernel].moves.bytes[GCL_MOVE_INSPECT] += moved;
    if (p->kind == LAUNCH)
        count_launch(s, p);
    if (s->links)
        gcl_moves_add_links(p->plan, s->node_count, s->links);
}

static void take_first(struct gcl_stats *stats) {
    struct planned *p = stats->first;
    stats->first = p->next;
    if (!stats->first)
        stats->last = NULL;
    stats->taken++;
    if (gcl_stats_is_counting(stats))
        count(&stats->summary, p);
    gcl_plan_release(p->plan);
    free(p);
}

static void count_done(struct gcl_stats *stats) {
    uint64_t taken = 0;
    bool is_reached = false;
    do {
        pthread_mutex_lock(&stats->lock);
        if (is_reached && taken == stats->taken) // else another thread was faster
            take_first(stats);
        taken = stats->taken;
        bool is_there = stats->first != NULL;
        struct gcl_fence fence =
            is_there ? stats->first->fence : (struct gcl_fence){.stream = NULL};
        pthread_mutex_unlock(&stats->lock);
        is_reached = is_there && gcl_engine_is_reached(stats->engine, fence);
    } while (is_reached);
}

static void append(struct gcl_stats *stats, const struct planned *planned) {
    struct planned *added = malloc(sizeof *added);
    if (!added) {
        gcl_log(GCL_LOG_WARN, "no memory to count a launch");
        return;
    }
    *added = *planned;
    gcl_plan_hold(added->plan);
    pthread_mutex_lock(&stats->lock);
    *(stats->last ? &stats->last->next : &stats->first) = added;
    stats->last = added;
    bool is_time = ++stats->appended % MANY == 0;
    pthread_mutex_unlock(&stats->lock);
    if (is_time)
        count_done(stats);
}

void gcl_stats_launch(struct gcl_stats *stats, const struct gcl_stats_launched *launched,
                      struct gcl_fence fence) {
    if (stats->self == 0)
        append(stats, &(struct planned){.kind = LAUNCH,
                                        .kernel = launched->kernel,
                                        .plan = launched->schedule->plan,
                                        .axis = launched->schedule->axis,
                                        .reason = launched->reason,
                                        .fence = fence});
}

void gcl_stats_plan(struct gcl_stats *stats, uint32_t kernel, bool is_inspection,
                    uint64_t time_ns) {
    if (!gcl_stats_is_counting(stats))
        return;
    pthread_mutex_lock(&stats->lock);
    struct gcl_stats_kernel *row = &stats->summary.kernels[kernel];
    row->inspections += is_inspection;
    (is_inspection ? row->inspection_ns : row->planning_ns)[stats->self] += time_ns;
    pthread_mutex_unlock(&stats->lock);
}

void gcl_stats_inspect(struct gcl_stats *stats, uint32_t kernel, struct gcl_plan *plan,
                       struct gcl_fence fence) {
    if (stats->self == 0)
        append(stats, &(struct planned){
                          .kind = INSPECTION, .kernel = kernel, .plan = plan, .fence = fence});
}

void gcl_stats_copy(struct gcl_stats *stats, struct gcl_plan *plan, struct gcl_fence fence) {
    if (stats->self == 0)
        append(stats, &(struct planned){.kind = COPY, .plan = plan, .fence = fence});
}

void gcl_stats_launch_alone(struct gcl_stats *stats, const struct gcl_kernel *kernel) {
    pthread_mutex_lock(&stats->lock);
    struct gcl_stats_kernel *row = find(stats, kernel);
    if (row)
        row->launches++;
    pthread_mutex_unlock(&stats->lock);
}

void gcl_stats_run(struct gcl_stats *stats, const struct gcl_kernel *kernel, uint64_t time_ns) {
    if (!gcl_stats_is_counting(stats))
        return;
    pthread_mutex_lock(&stats->lock);
    struct gcl_stats_kernel *row = find(stats, kernel);
    if (row)
        row->time_ns[stats->self] += time_ns;
    pthread_mutex_unlock(&stats->lock);
}

void gcl_stats_exchange(struct gcl_stats *stats, uint64_t sent, uint64_t time_ns) {
    if (!gcl_stats_is_counting(stats))
        return;
    pthread_mutex_lock(&stats->lock);
    stats->summary.nodes[stats->self].sent += sent;
    stats->summary.nodes[stats->self].exchange_ns += time_ns;
    pthread_mutex_unlock(&stats->lock);
}

void gcl_stats_start(struct gcl_stats *stats) {
    count_done(stats); // what was done before doesn't count
    pthread_mutex_lock(&stats->lock);
    if (!gcl_stats_is_counting(stats))
        stats->begin_ns = gcl_clock_ns();
    atomic_store(&stats->is_counting, true);
    pthread_mutex_unlock(&stats->lock);
}

void gcl_stats_show(struct gcl_stats *stats,
                    void (*show)(const struct gcl_stats_summary *summary, void *context),
                    void *context) {
    count_done(stats);
    pthread_mutex_lock(&stats->lock);
    stats->summary.elapsed_ns = gcl_clock_ns() - stats->begin_ns;
    show(&stats->summary, context);
    pthread_mutex_unlock(&stats->lock);
}

// Reports: what the node did, then the three times of each kernel, 8 bytes each, little-endian.

size_t gcl_stats_report_size(struct gcl_stats *stats) {
    pthread_mutex_lock(&stats->lock);
    size_t count = stats->summary.kernel_count;
    pthread_mutex_unlock(&stats->lock);
    return 8 * (2 + 3 * count);
}

void gcl_stats_write_report(struct gcl_stats *stats, unsigned char *out) {
    pthread_mutex_lock(&stats->lock);
    const struct gcl_stats_summary *s = &stats->summary;
    out = gcl_bytes_put64(out, s->nodes[stats->self].sent);
    out = gcl_bytes_put64(out, s->nodes[stats->self].exchange_ns);
    for (size_t i = 0; i < s->kernel_count; i++) {
        out = gcl_bytes_put64(out, s->kernels[i].time_ns[stats->self]);
        out = gcl_bytes_put64(out, s->kernels[i].planning_ns[stats->self]);
        out = gcl_bytes_put64(out, s->kernels[i].inspection_ns[stats->self]);
    }
    pthread_mutex_unlock(&stats->lock);
}

void gcl_stats_read_report(struct gcl_stats *stats, gcl_node node, const unsigned char *in) {
    pthread_mutex_lock(&stats->lock);
    struct gcl_stats_summary *s = &stats->summary;
    in = gcl_bytes_get64(in, &s->nodes[node].sent);
    in = gcl_bytes_get64(in, &s->nodes[node].exchange_ns);
    for (size_t i = 0; i < s->kernel_count; i++) {
        in = gcl_bytes_get64(in, &s->kernels[i].time_ns[node]);
        in = gcl_bytes_get64(in, &s->kernels[i].planning_ns[node]);
        in = gcl_bytes_get64(in, &s->kernels[i].inspection_ns[node]);
    }
    s->told_count++;
    pthread_mutex_unlock(&stats->lock);
}

// The end.

static void write_file(const struct gcl_stats_summary *summary, const char *name) {
    FILE *file = fopen(name, "w");
    if (file)
        gcl_stats_write_json(summary, file);
    if (!file || fclose(file) != 0)
        gcl_log(GCL_LOG_ERROR, "can't write %s: %s", name, strerror(errno));
}

static void write_summary(const struct gcl_stats_summary *summary, void *context) {
    const char *output = context;
    if (strcmp(output, "table") == 0)
        gcl_stats_write_table(summary, stderr);
    else if (strcmp(output, "json") == 0)
        gcl_stats_write_json(summary, stderr);
    else
        write_file(summary, output);
}

void gcl_stats_end(struct gcl_stats *stats, const char *output) {
    if (!stats || stats->self != 0 || !output)
        return;
    stats->summary.told_count++; // this one
    gcl_stats_show(stats, write_summary, (void *)(uintptr_t)output);
}
