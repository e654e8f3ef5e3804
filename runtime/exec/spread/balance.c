// Nodes decide after 2 launches that are cut, then after 4, 8, ... more. What was launched before
// is waited for, since otherwise nothing may be known of it yet: programs are far ahead of nodes.
#include "exec/spread/balance.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/log.h"
#include "exec/spread/contents.h"
#include "exec/spread/launch.h"
#include "plan/schedule/balance.h"
#include "plan/schedule/schedule_memo.h"

enum { FIRST_LAUNCHES = 2, MOST_LAUNCHES = 256, HEAD = 2 };

/// Of a kernel, when nodes decided last.
struct seen {
    const struct gcl_run_cost *cost;
    uint64_t busy_ns, blocks;
};

struct gcl_spread_balance {
    struct gcl_balance parts;
    uint64_t number;   ///< of the parts: how often they have changed
    uint64_t launches; ///< that were cut, since nodes decided last
    uint64_t wanted;   ///< launches after which they decide again
    struct seen *seen; ///< by kernel
    uint32_t seen_count;
};

bool gcl_spread_create_balance(struct gcl_spread *spread) {
    const struct gcl_spread_options *options = &spread->options;
    if (!options->weights || options->has_devices || !options->device->bytes)
        return true;
    spread->balance = calloc(1, sizeof *spread->balance);
    if (!spread->balance)
        return false;
    spread->balance->wanted = FIRST_LAUNCHES;
    return gcl_balance_init(&spread->balance->parts, options->count, options->weights);
}

const uint32_t *gcl_spread_weights(const struct gcl_spread *spread) {
    return spread->balance ? spread->balance->parts.weights : NULL;
}

bool gcl_spread_note_cut(struct gcl_spread *spread) {
    if (spread->balance)
        spread->balance->launches++;
    return spread->balance != NULL;
}

// What nodes tell: what runs blocks at the same time, what bytes take between nodes, and the
// figures of each kernel.

static bool make_room(struct gcl_spread_balance *balance, uint32_t kernel_count) {
    if (kernel_count <= balance->seen_count)
        return true;
    struct seen *grown = realloc(balance->seen, kernel_count * sizeof *grown);
    if (!grown)
        return false;
    memset(grown + balance->seen_count, 0, (kernel_count - balance->seen_count) * sizeof *grown);
    balance->seen = grown;
    balance->seen_count = kernel_count;
    return true;
}

/// What is new of a kernel.
static struct gcl_balance_figures take_figures(const struct gcl_spread *spread, uint32_t number) {
    const struct gcl_run_cost *cost = gcl_spread_kernel_cost(spread, number);
    struct seen *seen = &spread->balance->seen[number];
    if (!cost)
        return (struct gcl_balance_figures){.blocks = 0};
    struct seen now = {.cost = cost,
                       .busy_ns = atomic_load_explicit(&cost->busy_ns, memory_order_relaxed),
                       .blocks = atomic_load_explicit(&cost->blocks, memory_order_relaxed)};
    struct seen before = seen->cost == cost ? *seen : (struct seen){.cost = cost};
    *seen = now;
    return (struct gcl_balance_figures){.busy_ns = (double)(now.busy_ns - before.busy_ns),
                                        .blocks = (double)(now.blocks - before.blocks)};
}

/// Takes so many numbers; bytes NULL: no memory.
static struct gcl_words list_figures(struct gcl_spread *spread) {
    const struct gcl_spread_options *options = &spread->options;
    uint32_t count = gcl_spread_kernel_count(spread);
    double known = options->cluster.bytes_per_ns;
    struct gcl_words words = {.size = (HEAD + 2 * (size_t)count) * sizeof(double)};
    double *numbers = make_room(spread->balance, count) ? malloc(words.size) : NULL;
    words.bytes = (unsigned char *)numbers;
    if (!numbers)
        return words;
    // A device that has queues takes for a block what it takes for a launch, divided.
    numbers[0] = options->device->queues ? 1 : gcl_engine_workers(options->engine);
    numbers[1] = known > 0 ? known : GCL_FORECAST_NETWORK_BYTES_PER_NS;
    for (uint32_t i = 0; i < count; i++) {
        const struct gcl_balance_figures figures = take_figures(spread, i);
        numbers[HEAD + 2 * i] = figures.busy_ns;
        numbers[HEAD + 2 * i + 1] = figures.blocks;
    }
    return words;
}

/// What all nodes have told.
struct told {
    double *threads, bytes_per_ns;
    struct gcl_balance_figures *figures; ///< as gcl_balance_decide takes them
    uint32_t kernel_count;
};

static bool is_good(const struct gcl_words *words, size_t size) {
    const double *numbers = (const double *)(const void *)words->bytes;
    if (words->size != size)
        return false;
    for (size_t i = 0; i < size / sizeof *numbers; i++) {
        if (!isfinite(numbers[i]) || numbers[i] < 0)
            return false;
    }
    return numbers[0] > 0 && numbers[1] > 0;
}

/// False: a node has told what can't be, or no memory.
static bool read_figures(struct gcl_spread *spread, const struct gcl_words *all,
                         struct told *told) {
    uint32_t nodes = spread->options.count, count = gcl_spread_kernel_count(spread);
    *told = (struct told){.threads = calloc(nodes, sizeof *told->threads),
                          .figures = calloc((size_t)nodes * count + 1, sizeof *told->figures),
                          .kernel_count = count};
    for (uint32_t n = 0; told->threads && told->figures && n < nodes; n++) {
        char reason[96];
        const double *numbers = (const double *)(const void *)all[n].bytes;
        if (!is_good(&all[n], (HEAD + 2 * (size_t)count) * sizeof *numbers)) {
            snprintf(reason, sizeof reason, "node %u told it what can't be of its kernels' times",
                     n);
            gcl_spread_fail(spread, GCL_SYSTEM, reason);
            return false;
        }
        told->threads[n] = numbers[0];
        if (n == 0)
            told->bytes_per_ns = numbers[1];
        memcpy(told->figures + (size_t)n * count, numbers + HEAD, count * sizeof *told->figures);
    }
    if (told->threads && told->figures)
        return true;
    gcl_spread_give_up(spread); // nodes would disagree
    return false;
}

// Decisions.

static void report(const struct gcl_spread *spread) {
    const struct gcl_balance *parts = &spread->balance->parts;
    char text[160] = "";
    double sum = 0;
    if (!gcl_spread_is_home(spread) || !gcl_log_shows(GCL_LOG_INFO))
        return;
    for (uint32_t i = 0; i < parts->node_count; i++)
        sum += parts->weights[i];
    for (uint32_t i = 0; i < parts->node_count && strlen(text) + 16 < sizeof text; i++)
        snprintf(text + strlen(text), sizeof text - strlen(text), "%s%.1f %%", i > 0 ? ", " : "",
                 100 * parts->weights[i] / sum);
    gcl_log(GCL_LOG_INFO, "nodes get other parts of launches, by what kernels take on each: %s%s",
            text, parts->node_count * 8 > sizeof text ? ", ..." : "");
}

static void decide(struct gcl_spread *spread, const struct gcl_words *all) {
    struct gcl_spread_balance *balance = spread->balance;
    struct told told;
    if (read_figures(spread, all, &told) &&
        gcl_balance_decide(&balance->parts, told.figures, told.kernel_count, told.threads,
                           spread->directory, told.bytes_per_ns)) {
        balance->number++;
        report(spread);
    }
    free(told.threads);
    free(told.figures);
}

/// Tells the other nodes, and hears them.
static void confer(struct gcl_spread *spread) {
    gcl_node count = spread->options.count;
    struct gcl_words own = list_figures(spread), *all = calloc(count, sizeof *all);
    if (!all)
        free(own.bytes), own.bytes = NULL;
    if (!own.bytes)
        gcl_spread_give_up(spread);
    else if (gcl_spread_tell(spread, &own, all))
        decide(spread, all);
    for (gcl_node n = 0; all && n < count; n++)
        free(all[n].bytes);
    free(all);
    free(own.bytes);
}

void gcl_spread_rebalance(struct gcl_spread *spread, struct gcl_schedule_memo *schedules,
                          bool may_wait) {
    struct gcl_spread_balance *balance = spread->balance;
    if (!balance)
        return;
    if (may_wait && balance->launches >= balance->wanted) {
        gcl_spread_reach_before(spread);
        spread->sequence++; // of what nodes tell
        confer(spread);
        balance->launches = 0;
        balance->wanted = 2 * balance->wanted < MOST_LAUNCHES ? 2 * balance->wanted : MOST_LAUNCHES;
    }
    gcl_schedule_memo_weigh(schedules, balance->parts.weights, balance->number);
}
