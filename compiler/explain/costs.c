// Blocks that take c each run on T threads of N nodes at once: B blocks take c B / (N T), and what
// moves. Both are estimates, as for the size from which on spreading pays (worth.c): c is the
// compiler's, what moves is the runtime's own plan at the speed of links that it assumes.
#include "costs.h"

#include <math.h>

#include "spread.h"

enum { THREADS = 16, LEAST_BLOCKS = 4096 };

static bool find_price(const struct gcl_explained_kernel *kernel, const uint32_t *grid,
                       uint32_t nodes, struct gcl_spread_price *price) {
    const struct gcl_forecast_cluster cluster = {
        .node_count = nodes,
        .threads = THREADS,
        .home_threads = THREADS,
        .bytes_per_ns = GCL_FORECAST_NETWORK_BYTES_PER_NS,
        .latency_ns = GCL_FORECAST_NETWORK_NS,
        .wake_ns = GCL_FORECAST_WAKE_NS,
        .message_ns = GCL_FORECAST_MESSAGE_NS,
    };
    const struct gcl_spread_launch launch = {
        .kernel = kernel,
        .known = {.block_size = kernel->block_size, .grid_size = grid},
        .node_count = nodes};
    return gcl_spread_find_price(&launch, &cluster, price);
}

static double product(const uint32_t count[3]) {
    return (double)count[0] * count[1] * count[2];
}

/// What a thread takes; negative: arguments or data decide.
static double thread_ns(const struct gcl_explained_work *work) {
    double ns = 0;
    for (unsigned i = 0; i < work->count; i++) {
        if (work->terms[i].count > 0 && work->terms[i].ns > 0)
            return -1;
        ns += work->terms[i].ns;
    }
    return work->count > 0 ? ns : -1;
}

static json_t *us_json(double ns) {
    return ns >= 0 ? json_real(round(ns / 100) / 10) : json_null();
}

static json_t *triple_json(const uint32_t count[3]) {
    return json_pack("[I, I, I]", (json_int_t)count[0], (json_int_t)count[1], (json_int_t)count[2]);
}

json_t *gcl_costs(const struct gcl_explained_kernel *kernel) {
    static const uint32_t clusters[] = {2, 8, 64};
    struct gcl_spread_price price;
    if (!find_price(kernel, NULL, clusters[0], &price) || !price.axis)
        return json_null();
    uint32_t grid[3] = {price.grid[0], price.grid[1], price.grid[2]};
    double times = ceil((double)LEAST_BLOCKS / product(grid));
    grid[price.axis - 'x'] *= (uint32_t)fmax(times, 1);
    double thread = thread_ns(&kernel->work);
    double alone =
        thread < 0 ? -1 : thread * product(price.block) * product(grid) / (double)THREADS;
    json_t *nodes = json_array();
    for (size_t i = 0; i < G_N_ELEMENTS(clusters); i++) {
        bool splits = find_price(kernel, grid, clusters[i], &price) && price.axis;
        double told = GCL_FORECAST_WAKE_NS + GCL_FORECAST_MESSAGE_NS; // that there is a launch
        double total = alone < 0 ? -1 : alone / clusters[i] + price.moves_ns + told;
        json_array_append_new(nodes, json_pack("{s:I, s:o, s:o}", "nodes", (json_int_t)clusters[i],
                                               "moves_us", us_json(splits ? price.moves_ns : -1),
                                               "total_us", us_json(splits ? total : alone)));
    }
    return json_pack("{s:o, s:o, s:o, s:o}", "grid", triple_json(grid), "block",
                     triple_json(price.block), "alone_us", us_json(alone), "nodes", nodes);
}
