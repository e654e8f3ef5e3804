#include "stats.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"
#include "base/clock.h"
#include "base/log.h"
#include "base/map.h"
#include "plan/schedule.h"

struct gcl_stats {
    pthread_mutex_t lock;
    gcl_node self;
    uint64_t begin_ns;
    struct gcl_stats_summary summary;
    struct gcl_map numbers; ///< of kernels, from 1
};

struct gcl_stats *gcl_stats_create(gcl_node self, gcl_node count) {
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
    stats->begin_ns = gcl_clock_ns();
    stats->summary = (struct gcl_stats_summary){.node_count = count, .nodes = nodes};
    return stats;
}

// Kernels.

static bool append_kernel(struct gcl_stats_summary *s, const struct gcl_kernel *kernel) {
    struct gcl_stats_kernel *kernels = realloc(s->kernels, (s->kernel_count + 1) * sizeof *kernels);
    uint64_t *times = calloc(s->node_count, sizeof *times);
    if (kernels)
        s->kernels = kernels;
    if (!kernels || !times) {
        free(times);
        return false;
    }
    kernels[s->kernel_count++] = (struct gcl_stats_kernel){.kernel = kernel, .time_ns = times};
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

static void count_launch(struct gcl_stats_kernel *row, const struct gcl_schedule *schedule) {
    row->launches++;
    if (!schedule)
        return;
    gcl_moves_add(&row->moves, &schedule->plan->moves);
    if (schedule->axis)
        row->splits[schedule->axis - 'x']++;
    else
        row->reason = schedule->reason;
}

void gcl_stats_launch(struct gcl_stats *stats, const struct gcl_kernel *kernel,
                      const struct gcl_schedule *schedule) {
    pthread_mutex_lock(&stats->lock);
    struct gcl_stats_kernel *row = find(stats, kernel);
    if (row)
        count_launch(row, schedule);
    pthread_mutex_unlock(&stats->lock);
}

void gcl_stats_copy(struct gcl_stats *stats, uint64_t moved) {
    pthread_mutex_lock(&stats->lock);
    stats->summary.copies.bytes[GCL_MOVE_HOST] += moved;
    pthread_mutex_unlock(&stats->lock);
}

void gcl_stats_run(struct gcl_stats *stats, const struct gcl_kernel *kernel, uint64_t time_ns) {
    pthread_mutex_lock(&stats->lock);
    struct gcl_stats_kernel *row = find(stats, kernel);
    if (row)
        row->time_ns[stats->self] += time_ns;
    pthread_mutex_unlock(&stats->lock);
}

void gcl_stats_exchange(struct gcl_stats *stats, uint64_t sent, uint64_t time_ns) {
    pthread_mutex_lock(&stats->lock);
    stats->summary.nodes[stats->self].sent += sent;
    stats->summary.nodes[stats->self].exchange_ns += time_ns;
    pthread_mutex_unlock(&stats->lock);
}

// Reports: what the node did, then the time of each kernel, 8 bytes each, little-endian.

size_t gcl_stats_report_size(struct gcl_stats *stats) {
    pthread_mutex_lock(&stats->lock);
    size_t count = stats->summary.kernel_count;
    pthread_mutex_unlock(&stats->lock);
    return 8 * (2 + count);
}

void gcl_stats_write_report(struct gcl_stats *stats, unsigned char *out) {
    pthread_mutex_lock(&stats->lock);
    const struct gcl_stats_summary *s = &stats->summary;
    out = gcl_bytes_put64(out, s->nodes[stats->self].sent);
    out = gcl_bytes_put64(out, s->nodes[stats->self].exchange_ns);
    for (size_t i = 0; i < s->kernel_count; i++)
        out = gcl_bytes_put64(out, s->kernels[i].time_ns[stats->self]);
    pthread_mutex_unlock(&stats->lock);
}

void gcl_stats_read_report(struct gcl_stats *stats, gcl_node node, const unsigned char *in) {
    pthread_mutex_lock(&stats->lock);
    struct gcl_stats_summary *s = &stats->summary;
    in = gcl_bytes_get64(in, &s->nodes[node].sent);
    in = gcl_bytes_get64(in, &s->nodes[node].exchange_ns);
    for (size_t i = 0; i < s->kernel_count; i++)
        in = gcl_bytes_get64(in, &s->kernels[i].time_ns[node]);
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

void gcl_stats_end(struct gcl_stats *stats, const char *output) {
    if (!stats || stats->self != 0)
        return;
    pthread_mutex_lock(&stats->lock);
    struct gcl_stats_summary *summary = &stats->summary;
    summary->elapsed_ns = gcl_clock_ns() - stats->begin_ns;
    summary->told_count++; // this one
    if (strcmp(output, "table") == 0)
        gcl_stats_write_table(summary, stderr);
    else if (strcmp(output, "json") == 0)
        gcl_stats_write_json(summary, stderr);
    else
        write_file(summary, output);
    pthread_mutex_unlock(&stats->lock);
}
