#include "plan/schedule/balance.h"

#include <assert.h>
#include <stdlib.h>

// Gains below LEAST_GAIN of a launch's time are noise of measuring.
#define WORTH 2
#define LEAST_GAIN 0.05
#define PARTS 4096.0 // in which weights are counted

bool gcl_balance_init(struct gcl_balance *balance, uint32_t node_count, const uint32_t *weights) {
    assert(node_count > 0);
    *balance = (struct gcl_balance){.node_count = node_count,
                                    .weights = calloc(node_count, sizeof *balance->weights)};
    for (uint32_t i = 0; balance->weights && i < node_count; i++)
        balance->weights[i] = weights[i];
    return balance->weights != NULL;
}

void gcl_balance_finish(struct gcl_balance *balance) {
    free(balance->weights);
    *balance = (struct gcl_balance){.node_count = 0};
}

/// Adds to each node's time what it would take for all blocks that all nodes have run of a kernel.
/// A kernel that some node hasn't run doesn't count: nobody knows how fast it is there.
static void add_kernel(const struct gcl_balance_figures *figures, uint32_t kernel_count,
                       const double *threads, uint32_t node_count, double *times_ns) {
    double blocks = 0;
    for (uint32_t i = 0; i < node_count; i++) {
        if (figures[i * kernel_count].blocks <= 0)
            return;
        blocks += figures[i * kernel_count].blocks;
    }
    for (uint32_t i = 0; i < node_count; i++) {
        const struct gcl_balance_figures *own = &figures[i * kernel_count];
        times_ns[i] += blocks * own->busy_ns / own->blocks / threads[i];
    }
}

/// Time with which the slowest node is done, if each does its part of all blocks.
static double time_of(const struct gcl_balance *balance, const uint32_t *weights,
                      const double *times_ns) {
    double sum = 0, most = 0;
    for (uint32_t i = 0; i < balance->node_count; i++)
        sum += weights[i];
    for (uint32_t i = 0; i < balance->node_count; i++) {
        double time_ns = weights[i] / sum * times_ns[i];
        most = time_ns > most ? time_ns : most;
    }
    return most;
}

/// Weights with which all nodes are done at the same time. False: nothing is known.
static bool find_best(const double *times_ns, uint32_t node_count, uint32_t *weights) {
    double rates = 0;
    for (uint32_t i = 0; i < node_count; i++) {
        if (times_ns[i] <= 0)
            return false;
        rates += 1 / times_ns[i];
    }
    for (uint32_t i = 0; i < node_count; i++) {
        weights[i] = (uint32_t)(PARTS / times_ns[i] / rates + 0.5);
        weights[i] += weights[i] == 0; // who gets nothing isn't measured any more
    }
    return true;
}

/// The part of all blocks that other nodes have with other weights: where each cut lies in line is
/// moved by so much.
static double moved_part(const struct gcl_balance *balance, const uint32_t *weights) {
    double before = 0, after = 0, sum_before = 0, sum_after = 0, moved = 0;
    for (uint32_t i = 0; i < balance->node_count; i++) {
        sum_before += balance->weights[i];
        sum_after += weights[i];
    }
    for (uint32_t i = 0; i + 1 < balance->node_count; i++) {
        before += balance->weights[i] / sum_before;
        after += weights[i] / sum_after;
        moved += before < after ? after - before : before - after;
    }
    return moved < 1 ? moved : 1;
}

/// Bytes that nodes have shared out among them: those of which there are several copies stay.
static double bytes_shared_out(struct gcl_directory *directory) {
    size_t count;
    const struct gcl_directory_entry *entries = gcl_directory_entries(directory, &count);
    uint32_t nodes = gcl_directory_node_count(directory);
    double sum = 0;
    for (size_t i = 0; i < count; i++) {
        double size = (double)entries[i].size, held = 0;
        for (uint32_t node = 0; node < nodes; node++)
            held += (double)gcl_region_size(&entries[i].layout->held[node]);
        double shared = held < size ? held : 2 * size - held;
        sum += shared > 0 ? shared : 0;
    }
    return sum;
}

/// Whether other weights pay by now.
static bool pays(struct gcl_balance *balance, const uint32_t *weights, const double *times_ns,
                 struct gcl_directory *directory, double bytes_per_ns) {
    double now_ns = time_of(balance, balance->weights, times_ns);
    double gain_ns = now_ns - time_of(balance, weights, times_ns);
    if (gain_ns < LEAST_GAIN * now_ns) {
        balance->missed_ns = 0;
        return false;
    }
    balance->missed_ns += gain_ns;
    double bytes = moved_part(balance, weights) * bytes_shared_out(directory);
    return balance->missed_ns > WORTH * bytes / bytes_per_ns;
}

bool gcl_balance_decide(struct gcl_balance *balance, const struct gcl_balance_figures *figures,
                        uint32_t kernel_count, const double *threads,
                        struct gcl_directory *directory, double bytes_per_ns) {
    uint32_t nodes = balance->node_count;
    double *times_ns = calloc(nodes, sizeof *times_ns);
    uint32_t *weights = calloc(nodes, sizeof *weights);
    assert(bytes_per_ns > 0);
    for (uint32_t k = 0; times_ns && weights && k < kernel_count; k++)
        add_kernel(figures + k, kernel_count, threads, nodes, times_ns);
    bool changes = times_ns && weights && find_best(times_ns, nodes, weights) &&
                   pays(balance, weights, times_ns, directory, bytes_per_ns);
    free(times_ns);
    if (!changes) {
        free(weights);
        return false;
    }
    free(balance->weights);
    balance->weights = weights;
    balance->missed_ns = 0;
    return true;
}
