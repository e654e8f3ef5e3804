// With T threads a node, blocks that take c each, and moves that take p + q for each block, B
// blocks take c B / T on one node and c B / 2T + p + q B on two: spreading pays from B = p / (c /
// 2T - q) on. p and q follow from two launches of the usual kind, of which one has four times the
// blocks.
//
// c is a sum over loops (struct gcl_explained_work). A loop whose rounds an argument gives may be
// one of its terms, if nothing is to be subtracted from c: then B follows from the argument.
#include "worth.h"

#include <assert.h>
#include <math.h>

#include "spread.h"

enum { NODES = 2, THREADS = 16, TIMES = 4 };
#define ALL_THREADS ((double)(NODES * THREADS))
// A sum's terms that are so small a part of it aren't told.
#define SMALL 0.1

static const struct gcl_forecast_cluster cluster = {
    .node_count = NODES,
    .threads = THREADS,
    .home_threads = THREADS,
    .bytes_per_ns = GCL_FORECAST_NETWORK_BYTES_PER_NS,
    .latency_ns = GCL_FORECAST_NETWORK_NS,
    .wake_ns = GCL_FORECAST_WAKE_NS,
    .message_ns = GCL_FORECAST_MESSAGE_NS,
};

/// What it costs to have two nodes share launches: so much for one, and for each of its blocks.
struct price {
    uint32_t block[3];
    double launch_ns, block_ns;
};

static bool find_launch(const struct gcl_explained_kernel *kernel, const uint32_t *grid,
                        struct gcl_spread_price *price) {
    const struct gcl_spread_launch launch = {
        .kernel = kernel,
        .known = {.block_size = kernel->block_size, .grid_size = grid},
        .node_count = NODES};
    return gcl_spread_find_price(&launch, &cluster, price) && price->axis;
}

static double blocks_of(const uint32_t grid[3]) {
    return (double)grid[0] * grid[1] * grid[2];
}

/// False: the launches to look at aren't split.
static bool find_price(const struct gcl_explained_kernel *kernel, struct price *price) {
    struct gcl_spread_price few, many;
    if (!find_launch(kernel, NULL, &few))
        return false;
    uint32_t grid[3] = {few.grid[0], few.grid[1], few.grid[2]};
    grid[few.axis - 'x'] *= TIMES;
    if (!find_launch(kernel, grid, &many))
        return false;
    *price = (struct price){.block = {few.block[0], few.block[1], few.block[2]}};
    assert(blocks_of(grid) > blocks_of(few.grid));
    price->block_ns =
        fmax(many.moves_ns - few.moves_ns, 0) / (blocks_of(grid) - blocks_of(few.grid));
    // Others have to be told of a launch, too.
    price->launch_ns = fmax(few.moves_ns - price->block_ns * blocks_of(few.grid), 0) +
                       cluster.wake_ns + cluster.message_ns;
    return true;
}

/// What a block takes: so much, and `round_ns` for each round of the loop that `term` is about
/// (NULL: there is none).
struct cost {
    double ns, round_ns;
    const struct gcl_explained_term *term;
};

/// Whether a loop is one of those in each other that `term` is about. What stands in an outer one
/// is left out: it is little where the inner one has many rounds.
static bool is_around(const struct gcl_explained_term *loop,
                      const struct gcl_explained_term *term) {
    return loop->count == 1 && term->count == 2 &&
           (loop->parameters[0] == term->parameters[0] ||
            loop->parameters[0] == term->parameters[1]);
}

/// The loops of which each other one that an argument counts is around; NULL with `is_clear` false:
/// there are several.
static const struct gcl_explained_term *find_loops(const struct gcl_explained_work *work,
                                                   bool *is_clear) {
    const struct gcl_explained_term *most = NULL;
    for (unsigned i = 0; i < work->count; i++) {
        const struct gcl_explained_term *term = &work->terms[i];
        if (term->ns > 0 && term->count > (most ? most->count : 0))
            most = term;
    }
    *is_clear = true;
    for (unsigned i = 0; i < work->count; i++) {
        const struct gcl_explained_term *term = &work->terms[i];
        *is_clear &= term == most || term->count == 0 || term->ns == 0 || is_around(term, most);
    }
    return *is_clear ? most : NULL;
}

/// False: it can't be told in so few words.
static bool find_cost(const struct gcl_explained_kernel *kernel, const struct price *price,
                      struct cost *cost) {
    const struct gcl_explained_work *work = &kernel->work;
    double threads = blocks_of(price->block);
    bool is_clear;
    *cost = (struct cost){.term = find_loops(work, &is_clear)};
    for (unsigned i = 0; i < work->count; i++)
        cost->ns += work->terms[i].count == 0 ? threads * work->terms[i].ns : 0;
    cost->round_ns = cost->term ? threads * cost->term->ns : 0;
    return is_clear && (cost->ns > 0 || cost->term);
}

// Words.

/// A number as one says it who doesn't know it exactly: two digits count.
static char *about(double number) {
    double unit = pow(10, fmax(floor(log10(fmax(number, 1))) - 1, 0));
    return g_strdup_printf("%.0f", ceil(number / unit) * unit);
}

static char *shape_text(const uint32_t block[3]) {
    if (block[2] > 1)
        return g_strdup_printf("%u x %u x %u", block[0], block[1], block[2]);
    if (block[1] > 1)
        return g_strdup_printf("%u x %u", block[0], block[1]);
    return g_strdup_printf("%u", block[0]);
}

/// "n", "n * m": how many rounds there are.
static char *rounds_text(const struct gcl_explained_kernel *kernel,
                         const struct gcl_explained_term *term) {
    const char *first = kernel->parameter_names[term->parameters[0]];
    if (term->count == 1)
        return g_strdup(first);
    return g_strdup_printf("%s * %s", first, kernel->parameter_names[term->parameters[1]]);
}

/// "30000 / n", or "30000 / (n + 20)" where what is outside of the loop counts; without a loop
/// "5000".
static char *blocks_text(const struct gcl_explained_kernel *kernel, const struct price *price,
                         const struct cost *cost) {
    double worth_ns = price->launch_ns * ALL_THREADS;
    double least = THREADS + 1; // blocks: as many as threads take no less time on two nodes
    if (!cost->term)
        return about(fmax(worth_ns / (cost->ns - price->block_ns * ALL_THREADS), least));
    double most = worth_ns / cost->round_ns, besides = cost->ns / cost->round_ns;
    if (most <= least)
        return about(least);
    g_autofree char *number = about(most), *rounds = rounds_text(kernel, cost->term);
    g_autofree char *more = about(besides);
    if (besides >= 1)
        return g_strdup_printf("%s / (%s + %s)", number, rounds, more);
    return g_strdup_printf(cost->term->count > 1 ? "%s / (%s)" : "%s / %s", number, rounds);
}

char *gcl_worth(const struct gcl_explained_kernel *kernel) {
    struct price price;
    struct cost cost;
    bool is_clear;
    find_loops(&kernel->work, &is_clear); // before the planner is asked, which takes longer
    if (kernel->work.count == 0 || !is_clear || !find_price(kernel, &price) ||
        !find_cost(kernel, &price, &cost))
        return NULL;
    double moving_ns = price.block_ns * ALL_THREADS; // a block's price in a block's time
    if (cost.term && moving_ns > SMALL * cost.ns)
        return NULL;
    if (!cost.term && moving_ns >= cost.ns)
        return g_strdup_printf(
            "takes longer than it saves (2 nodes of %d threads, links of %g GB/s)", THREADS,
            cluster.bytes_per_ns);
    g_autofree char *blocks = blocks_text(kernel, &price, &cost);
    g_autofree char *shape = shape_text(price.block);
    return g_strdup_printf("pays from about %s blocks of %s threads on (2 nodes of %d threads)",
                           blocks, shape, THREADS);
}
