// What is planned counts when node 0 is done with it, since the program may be far ahead of that.
// Nodes' own figures, times and what they have sent, are added as they come.
//
// Callers may hold locks of theirs: no other lock is taken under this module's.
#include "exec/watch/stats.h"

#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"
#include "base/clock.h"
#include "base/log.h"
#include "base/map.h"
#include "plan/schedule/schedule.h"

enum { MOST_LINKED = 64 }; ///< nodes

struct gcl_stats {
    pthread_mutex_t lock;
    gcl_node self;
    bool is_full;
    atomic_bool is_counting;
    struct gcl_stats_summary summary;
    struct gcl_map numbers;           ///< of kernels, from 1
    gcl_stats_tell_tiers *tell_tiers; ///< NULL: this node has one tier
};

struct gcl_stats *gcl_stats_create(gcl_node self, gcl_node count, bool has_devices, bool is_full) {
    assert(self < count);
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
    stats->summary.begin_ns = gcl_clock_ns();
    atomic_init(&stats->is_counting, is_full);
    return stats;
}

static bool is_counting(const struct gcl_stats *stats) {
    return atomic_load_explicit(&stats->is_counting, memory_order_relaxed);
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

/// The launches of a kernel with blocks of one size; NULL: no memory.
static struct gcl_stats_shape *find_shape(struct gcl_stats_kernel *row, const uint32_t block[3]) {
    for (size_t i = 0; i < row->shape_count; i++) {
        if (memcmp(row->shapes[i].block, block, sizeof row->shapes[i].block) == 0)
            return &row->shapes[i];
    }
    struct gcl_stats_shape *shapes = realloc(row->shapes, (row->shape_count + 1) * sizeof *shapes);
    if (!shapes)
        return NULL;
    row->shapes = shapes;
    struct gcl_stats_shape *shape = &shapes[row->shape_count++];
    *shape = (struct gcl_stats_shape){.block = {block[0], block[1], block[2]}};
    return shape;
}

static void count_blocks(struct gcl_stats_kernel *row, const struct gcl_geometry *geometry) {
    struct gcl_stats_shape *shape = find_shape(row, geometry->block);
    if (!shape)
        return;
    shape->launches++;
    shape->blocks += gcl_geometry_blocks(geometry);
}

// Plans. Node 0 counts for all nodes.

static void count_launch(struct gcl_stats_summary *s, const struct gcl_heard_plan *p) {
    assert(p->kernel < s->kernel_count);
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

static void count(struct gcl_stats_summary *s, const struct gcl_heard_plan *p) {
    uint64_t moved = gcl_plan_moved(p->plan) + gcl_plan_combined(p->plan, s->node_count);
    if (p->kind == GCL_HEARD_TRANSFER)
        s->copies.bytes[GCL_MOVE_HOST] += moved;
    else
        s->kernels[p->kernel].moved += moved;
    if (p->kind == GCL_HEARD_INSPECTION)
        s->kernels[p->kernel].moves.bytes[GCL_MOVE_INSPECT] += moved;
    if (p->kind == GCL_HEARD_LAUNCH)
        count_launch(s, p);
    if (s->links)
        gcl_moves_add_links(p->plan, s->node_count, s->links);
}

// What statistics hear as a listener.

static bool added_kernel(void *stats, const struct gcl_kernel *kernel) {
    return gcl_stats_add_kernel(stats, kernel);
}

static bool wants_times(void *stats) {
    return is_counting(stats);
}

static void carried_out(void *context, const struct gcl_heard_plan *heard) {
    struct gcl_stats *stats = context;
    pthread_mutex_lock(&stats->lock);
    if (is_counting(stats))
        count(&stats->summary, heard);
    pthread_mutex_unlock(&stats->lock);
}

static void touched(void *context, uint32_t kernel, uint64_t bytes) {
    struct gcl_stats *stats = context;
    pthread_mutex_lock(&stats->lock);
    assert(kernel < stats->summary.kernel_count);
    if (is_counting(stats)) {
        stats->summary.kernels[kernel].moves.bytes[GCL_MOVE_TOUCH] += bytes;
        stats->summary.kernels[kernel].moved += bytes;
    }
    pthread_mutex_unlock(&stats->lock);
}

static void planned(void *context, uint32_t kernel, bool has_looked, uint64_t time_ns) {
    struct gcl_stats *stats = context;
    if (!is_counting(stats))
        return;
    pthread_mutex_lock(&stats->lock);
    assert(kernel < stats->summary.kernel_count);
    struct gcl_stats_kernel *row = &stats->summary.kernels[kernel];
    row->inspections += has_looked;
    (has_looked ? row->inspection_ns : row->planning_ns)[stats->self] += time_ns;
    pthread_mutex_unlock(&stats->lock);
}

static void launches(void *context, const struct gcl_heard_launch *heard) {
    struct gcl_stats *stats = context;
    pthread_mutex_lock(&stats->lock);
    assert(heard->kernel < stats->summary.kernel_count);
    if (is_counting(stats))
        count_blocks(&stats->summary.kernels[heard->kernel], &heard->schedule->parts[0].geometry);
    pthread_mutex_unlock(&stats->lock);
}

static void ran_units(void *context, const struct gcl_heard *heard) {
    struct gcl_stats *stats = context;
    if (heard->kind != GCL_HEARD_RUN || !is_counting(stats))
        return;
    pthread_mutex_lock(&stats->lock);
    struct gcl_stats_kernel *row = find(stats, heard->kernel);
    struct gcl_stats_shape *shape = row ? find_shape(row, heard->block) : NULL;
    if (shape) {
        shape->measured += heard->amount;
        shape->busy_ns += heard->end_ns - heard->begin_ns;
    }
    pthread_mutex_unlock(&stats->lock);
}

static void add_foreseen(struct gcl_stats_kernel *row, const struct gcl_judged_kernel *kernel) {
    struct gcl_judged_kernel *sum = &row->foreseen;
    sum->kernel = row->kernel;
    sum->launches += kernel->launches;
    sum->kept += kernel->kept;
    sum->block_ns = kernel->block_ns;
    sum->alone_ns += kernel->alone_ns;
    sum->all_ns += kernel->all_ns;
    sum->moving_ns += kernel->moving_ns;
    sum->moved += kernel->moved;
    sum->planning_ns += kernel->planning_ns;
}

static void judged(void *context, const struct gcl_judgement *judgement) {
    struct gcl_stats *stats = context;
    struct gcl_stats_summary *s = &stats->summary;
    pthread_mutex_lock(&stats->lock);
    struct gcl_judgement *judgements =
        realloc(s->judgements, (s->judgement_count + 1) * sizeof *judgements);
    if (judgements) {
        s->judgements = judgements;
        judgements[s->judgement_count] = *judgement;
        judgements[s->judgement_count].kernels = NULL;
        judgements[s->judgement_count++].kernel_count = 0;
    }
    for (size_t i = 0; i < judgement->kernel_count; i++) {
        struct gcl_stats_kernel *row = find(stats, judgement->kernels[i].kernel);
        if (row)
            add_foreseen(row, &judgement->kernels[i]);
    }
    pthread_mutex_unlock(&stats->lock);
}

static void ran_command(void *context, const struct gcl_heard *heard) {
    struct gcl_stats *stats = context;
    if (heard->kind != GCL_HEARD_RUN || !is_counting(stats))
        return;
    pthread_mutex_lock(&stats->lock);
    struct gcl_stats_kernel *row = find(stats, heard->kernel);
    if (row)
        row->time_ns[stats->self] += heard->end_ns - heard->begin_ns;
    pthread_mutex_unlock(&stats->lock);
}

static void exchanged(void *context, const struct gcl_heard_exchange *heard) {
    struct gcl_stats *stats = context;
    if (!heard->name || !is_counting(stats))
        return;
    pthread_mutex_lock(&stats->lock);
    for (size_t i = 0; i < heard->count; i++) {
        const struct gcl_request *request = &heard->requests[i];
        if (request->is_sent)
            stats->summary.nodes[stats->self].sent += request->size;
        else if (heard->is_alone)
            stats->summary.nodes[request->peer].sent += request->size;
    }
    stats->summary.nodes[stats->self].mapped += heard->mapped;
    stats->summary.nodes[stats->self].exchange_ns += heard->end_ns - heard->begin_ns;
    pthread_mutex_unlock(&stats->lock);
}

double gcl_stats_lack(const struct gcl_stats_came *came) {
    uint64_t bytes = came->announced + came->touched;
    return bytes > 0 ? came->lack_sum / (double)bytes : 0;
}

static void add_came(struct gcl_stats_came *sum, const struct gcl_stats_came *came) {
    sum->announced += came->announced;
    sum->touched += came->touched;
    sum->from_files += came->from_files;
    sum->went += came->went;
    sum->lack_sum += came->lack_sum;
    sum->most_lack = came->most_lack > sum->most_lack ? came->most_lack : sum->most_lack;
}

static void came(void *context, const struct gcl_heard_came *heard) {
    struct gcl_stats *stats = context;
    if (!heard->kernel || !is_counting(stats))
        return;
    pthread_mutex_lock(&stats->lock);
    struct gcl_stats_kernel *row = find(stats, heard->kernel);
    if (row)
        add_came(&row->came,
                 &(struct gcl_stats_came){.announced = heard->is_touched ? 0 : heard->bytes,
                                          .touched = heard->is_touched ? heard->bytes : 0,
                                          .from_files = heard->from_files,
                                          .went = heard->went,
                                          .lack_sum = (double)heard->lack * (double)heard->bytes,
                                          .most_lack = heard->most_lack});
    pthread_mutex_unlock(&stats->lock);
}

void gcl_stats_set_link(struct gcl_stats *stats, double bytes_per_ns) {
    if (!stats)
        return;
    pthread_mutex_lock(&stats->lock);
    stats->summary.link_bytes_per_ns = bytes_per_ns;
    pthread_mutex_unlock(&stats->lock);
}

struct gcl_listener gcl_stats_listener(struct gcl_stats *stats) {
    return (struct gcl_listener){.context = stats,
                                 .wants_causes = stats->is_full,
                                 .wants_times = wants_times,
                                 .added_kernel = added_kernel,
                                 .planned = planned,
                                 .launches = launches,
                                 .ran_units = stats->self == 0 ? ran_units : NULL,
                                 .ran_command = ran_command,
                                 .judged = judged,
                                 .carried_out = stats->self == 0 ? carried_out : NULL,
                                 .touched = touched,
                                 .came = came,
                                 .exchanged = exchanged};
}

void gcl_stats_launch_alone(struct gcl_stats *stats, const struct gcl_kernel *kernel,
                            const struct gcl_geometry *geometry) {
    pthread_mutex_lock(&stats->lock);
    struct gcl_stats_kernel *row = find(stats, kernel);
    if (row) {
        row->launches++;
        count_blocks(row, geometry);
    }
    pthread_mutex_unlock(&stats->lock);
}

void gcl_stats_start(struct gcl_stats *stats) {
    pthread_mutex_lock(&stats->lock);
    if (!is_counting(stats))
        stats->summary.begin_ns = gcl_clock_ns();
    atomic_store(&stats->is_counting, true);
    pthread_mutex_unlock(&stats->lock);
}

void gcl_stats_show(struct gcl_stats *stats,
                    void (*show)(const struct gcl_stats_summary *summary, void *context),
                    void *context) {
    pthread_mutex_lock(&stats->lock);
    stats->summary.elapsed_ns = gcl_clock_ns() - stats->summary.begin_ns;
    show(&stats->summary, context);
    pthread_mutex_unlock(&stats->lock);
}

void gcl_stats_set_tiers(struct gcl_stats *stats, gcl_stats_tell_tiers *tell) {
    if (stats)
        stats->tell_tiers = tell;
}

static void take_tiers(struct gcl_stats *stats) {
    if (stats->tell_tiers)
        stats->tell_tiers(stats->summary.nodes[stats->self].tiers);
}

// Reports: what came and went, what else the node did, then the three times of each kernel and what
// came for it, 8 bytes each, little-endian.

enum { CAME_NUMBERS = 6 };

static unsigned char *put_came(unsigned char *out, const struct gcl_stats_came *came) {
    out = gcl_bytes_put64(out, came->announced);
    out = gcl_bytes_put64(out, came->touched);
    out = gcl_bytes_put64(out, came->from_files);
    out = gcl_bytes_put64(out, came->went);
    out = gcl_bytes_put64(out, (uint64_t)gcl_stats_lack(came));
    return gcl_bytes_put64(out, came->most_lack);
}

static const unsigned char *get_came(const unsigned char *in, struct gcl_stats_came *came) {
    uint64_t lack;
    in = gcl_bytes_get64(in, &came->announced);
    in = gcl_bytes_get64(in, &came->touched);
    in = gcl_bytes_get64(in, &came->from_files);
    in = gcl_bytes_get64(in, &came->went);
    in = gcl_bytes_get64(in, &lack);
    came->lack_sum = (double)lack * (double)(came->announced + came->touched);
    return gcl_bytes_get64(in, &came->most_lack);
}

size_t gcl_stats_report_size(struct gcl_stats *stats) {
    pthread_mutex_lock(&stats->lock);
    size_t count = stats->summary.kernel_count, nodes = stats->summary.node_count;
    pthread_mutex_unlock(&stats->lock);
    return 8 * (2 + nodes + GCL_TIER_COUNT + (3 + CAME_NUMBERS) * count);
}

void gcl_stats_write_report(struct gcl_stats *stats, unsigned char *out) {
    pthread_mutex_lock(&stats->lock);
    const struct gcl_stats_summary *s = &stats->summary;
    take_tiers(stats);
    for (int i = 0; i < GCL_TIER_COUNT; i++)
        out = gcl_bytes_put64(out, s->nodes[stats->self].tiers[i]);
    for (gcl_node n = 0; n < s->node_count; n++)
        out = gcl_bytes_put64(out, s->nodes[n].sent);
    out = gcl_bytes_put64(out, s->nodes[stats->self].mapped);
    out = gcl_bytes_put64(out, s->nodes[stats->self].exchange_ns);
    for (size_t i = 0; i < s->kernel_count; i++) {
        out = gcl_bytes_put64(out, s->kernels[i].time_ns[stats->self]);
        out = gcl_bytes_put64(out, s->kernels[i].planning_ns[stats->self]);
        out = gcl_bytes_put64(out, s->kernels[i].inspection_ns[stats->self]);
        out = put_came(out, &s->kernels[i].came);
    }
    pthread_mutex_unlock(&stats->lock);
}

void gcl_stats_read_report(struct gcl_stats *stats, gcl_node node, const unsigned char *in) {
    pthread_mutex_lock(&stats->lock);
    struct gcl_stats_summary *s = &stats->summary;
    struct gcl_stats_came came;
    uint64_t sent;
    for (int i = 0; i < GCL_TIER_COUNT; i++)
        in = gcl_bytes_get64(in, &s->nodes[node].tiers[i]);
    for (gcl_node n = 0; n < s->node_count; n++) {
        in = gcl_bytes_get64(in, &sent);
        s->nodes[n].sent +=
            sent; // what it has sent, or read of others while they knew nothing of it
    }
    in = gcl_bytes_get64(in, &s->nodes[node].mapped);
    in = gcl_bytes_get64(in, &s->nodes[node].exchange_ns);
    for (size_t i = 0; i < s->kernel_count; i++) {
        in = gcl_bytes_get64(in, &s->kernels[i].time_ns[node]);
        in = gcl_bytes_get64(in, &s->kernels[i].planning_ns[node]);
        in = gcl_bytes_get64(in, &s->kernels[i].inspection_ns[node]);
        in = get_came(in, &came);
        add_came(&s->kernels[i].came, &came);
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
    take_tiers(stats);
    gcl_stats_show(stats, write_summary, (void *)(uintptr_t)output);
}
