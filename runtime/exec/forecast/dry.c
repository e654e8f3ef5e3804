// Counts what a dry run would have nodes do. What counting takes is left out of the times.
#include "exec/forecast/dry.h"

#include <assert.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "exec/memory/space.h"
#include "plan/schedule/schedule.h"

/// What one node would do.
struct work {
    uint64_t commands; ///< parts to run, bytes to send or get, bytes to combine
    uint64_t received; ///< bytes from other nodes
};

struct gcl_dry {
    gcl_node count;
    struct work *nodes;
    uint64_t *launch_ns; ///< how long node 0 took for each launch
    size_t launch_count, capacity;
    uint64_t begin_ns, counting_ns; ///< of what is being handled
    uint64_t told;                  ///< bytes to each node
    uint64_t operations;
    struct gcl_space *space;
    atomic_size_t allocated; ///< bytes, at most
};

struct gcl_dry *gcl_dry_create(gcl_node count) {
    struct gcl_dry *dry = calloc(1, sizeof *dry);
    if (!dry)
        return NULL;
    dry->count = count;
    dry->nodes = calloc(count, sizeof *dry->nodes);
    if (!dry->nodes) {
        free(dry);
        return NULL;
    }
    fprintf(stderr,
            "gcluster: dry run for %u nodes: kernels and copies do nothing, and device memory "
            "reads as zeros\n",
            count);
    return dry;
}

static void count_broadcast(void *context, const void *bytes, size_t size) {
    struct gcl_dry *dry = context;
    (void)bytes;
    dry->told += size;
    dry->operations++;
}

/// Other nodes answer with zeros: that all is well.
static enum gcl_status answer(void *context, struct gcl_turn turn,
                              const struct gcl_request *requests, size_t count) {
    (void)context, (void)turn;
    for (size_t i = 0; i < count; i++) {
        if (!requests[i].is_sent && !requests[i].region)
            memset(requests[i].bytes, 0, requests[i].size);
    }
    return GCL_OK;
}

/// Nobody waits: that the engine has failed is enough.
static void give_up(void *context, const char *reason) {
    (void)context, (void)reason;
}

static void answer_later(void *context, const struct gcl_request *request,
                         void (*came)(void *receiver, enum gcl_status status), void *receiver) {
    came(receiver, answer(context, (struct gcl_turn){0}, request, 1));
}

static bool is_near(void *context, gcl_node node) {
    (void)context, (void)node;
    return false;
}

/// Nobody is near, so that nobody asks.
static enum gcl_status read_none(void *context, const struct gcl_request *requests, size_t count) {
    (void)context, (void)requests, (void)count;
    return GCL_SYSTEM;
}

struct gcl_communicator gcl_dry_communicator(struct gcl_dry *dry) {
    return (struct gcl_communicator){.broadcast = count_broadcast,
                                     .exchange = answer,
                                     .attempt = answer,
                                     .is_near = is_near,
                                     .read = read_none,
                                     .expect = answer_later,
                                     .give_up = give_up,
                                     .context = dry};
}

// Times.

static void submits(void *context) {
    struct gcl_dry *dry = context;
    size_t used = 0, most = atomic_load(&dry->allocated);
    for (unsigned device = 0; device < gcl_space_device_count(dry->space); device++)
        used += gcl_space_used(dry->space, device);
    while (used > most && !atomic_compare_exchange_weak(&dry->allocated, &most, used))
        ;
}

static void begins(void *context) {
    struct gcl_dry *dry = context;
    dry->counting_ns = 0;
    dry->begin_ns = gcl_clock_ns();
}

static void ends(void *context, bool is_launch) {
    struct gcl_dry *dry = context;
    uint64_t taken = gcl_clock_ns() - dry->begin_ns - dry->counting_ns;
    if (!is_launch)
        return;
    if (dry->launch_count == dry->capacity) {
        size_t capacity = dry->capacity ? 2 * dry->capacity : 1024;
        uint64_t *times = realloc(dry->launch_ns, capacity * sizeof *times);
        if (!times)
            return;
        dry->launch_ns = times;
        dry->capacity = capacity;
    }
    dry->launch_ns[dry->launch_count++] = taken;
}

// Counts.

static void count_transfer(struct gcl_dry *dry, const struct gcl_transfer *transfer) {
    uint64_t size = (uint64_t)gcl_region_size(&transfer->bytes);
    bool is_received = transfer->from != GCL_NOWHERE;
    assert(transfer->to < transfer->to_end && transfer->to_end <= dry->count);
    for (gcl_node to = transfer->to; to < transfer->to_end; to++) {
        if (to == transfer->from)
            continue;
        dry->nodes[to].commands++;
        dry->nodes[to].received += is_received ? size : 0;
    }
    if (is_received)
        dry->nodes[transfer->from].commands += gcl_transfer_receivers(transfer);
}

/// What others have for a node's home comes there.
static void count_combination(struct gcl_dry *dry, const struct gcl_combination *combination) {
    for (gcl_node home = 0; home < dry->count; home++) {
        if (combination->limits[home] == combination->limits[home + 1])
            continue;
        for (gcl_node node = 0; node < dry->count; node++) {
            struct gcl_region part = {.count = 0};
            bool ok = gcl_combination_part(combination, node, home, &part);
            if (ok && node != home)
                dry->nodes[home].received += (uint64_t)gcl_region_size(&part);
            dry->nodes[node].commands += !gcl_region_is_empty(&part);
            gcl_region_finish(&part);
        }
    }
}

static void carries_out(void *context, const struct gcl_plan *plan) {
    struct gcl_dry *dry = context;
    uint64_t begin = gcl_clock_ns();
    for (size_t i = 0; i < plan->transfer_count; i++)
        count_transfer(dry, &plan->transfers[i]);
    for (size_t i = 0; i < plan->combination_count; i++)
        count_combination(dry, &plan->combinations[i]);
    dry->counting_ns += gcl_clock_ns() - begin;
}

static void launches(void *context, const struct gcl_heard_launch *heard) {
    const struct gcl_launch_part *parts = heard->schedule->parts;
    struct gcl_dry *dry = context;
    uint64_t begin = gcl_clock_ns();
    for (gcl_node node = 0; node < dry->count; node++)
        dry->nodes[node].commands += !gcl_split_is_empty(&parts[node]);
    dry->counting_ns += gcl_clock_ns() - begin;
}

struct gcl_listener gcl_dry_listener(struct gcl_dry *dry, struct gcl_space *space) {
    dry->space = space;
    return (struct gcl_listener){.context = dry,
                                 .submits = submits,
                                 .begins = begins,
                                 .ends = ends,
                                 .launches = launches,
                                 .carries_out = carries_out};
}

// Report.

static int compare(const void *first, const void *second) {
    uint64_t a = *(const uint64_t *)first, b = *(const uint64_t *)second;
    return (a > b) - (a < b);
}

static void write_row(const char *what, uint64_t *values, gcl_node count, FILE *out) {
    qsort(values, count, sizeof *values, compare);
    fprintf(out, "  %-28s %14llu %14llu %14llu\n", what, (unsigned long long)values[0],
            (unsigned long long)values[count / 2], (unsigned long long)values[count - 1]);
}

static void write_nodes(const struct gcl_dry *dry, FILE *out) {
    uint64_t *values = malloc(dry->count * sizeof *values);
    if (!values)
        return;
    fprintf(out, "  %-28s %14s %14s %14s\n", "per node", "minimum", "median", "maximum");
    for (gcl_node i = 0; i < dry->count; i++)
        values[i] = dry->nodes[i].commands;
    write_row("commands", values, dry->count, out);
    for (gcl_node i = 0; i < dry->count; i++)
        values[i] = dry->nodes[i].received;
    write_row("bytes from other nodes", values, dry->count, out);
    free(values);
}

static void write_times(struct gcl_dry *dry, FILE *out) {
    size_t count = dry->launch_count;
    uint64_t first = dry->launch_ns[0], sum = 0;
    for (size_t i = 0; i < count; i++)
        sum += dry->launch_ns[i];
    qsort(dry->launch_ns, count, sizeof *dry->launch_ns, compare);
    fprintf(out, "  planning took %.3f ms in all: the first launch %.3f ms, the longest %.3f ms, ",
            (double)sum / 1e6, (double)first / 1e6, (double)dry->launch_ns[count - 1] / 1e6);
    fprintf(out, "half of them %.2f us or less\n", (double)dry->launch_ns[count / 2] / 1e3);
}

void gcl_dry_report(struct gcl_dry *dry, size_t memory, FILE *out) {
    fprintf(out, "gcluster: dry run for %u nodes: %zu launches\n", dry->count, dry->launch_count);
    write_nodes(dry, out);
    if (dry->launch_count > 0)
        write_times(dry, out);
    fprintf(out, "  each node is told %llu operations in %llu bytes\n",
            (unsigned long long)dry->operations, (unsigned long long)dry->told);
    fprintf(out, "  directory and plans take %zu bytes on each node, for %zu bytes of memory\n",
            memory, atomic_load(&dry->allocated));
}
