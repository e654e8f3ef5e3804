// What a launch would do on several nodes: which blocks each of them runs, what those read and
// write, and what moves for it; found by the runtime's own planner.
//
// What moves is what does in the long run, when a program goes on launching the same: first all
// arrays are on node 0, where programs copy them to, and the fourth launch is looked at. Between
// launches a read array and a written one of the same kind and extent change places, as those of
// time steps do: the pairs by which most moves, without those that are said to be fixed. All others
// stay what they are.
#ifndef GCL_EXPLAIN_SPREAD_H
#define GCL_EXPLAIN_SPREAD_H

#include "explain.h"
#include "known.h"
#include "plan/schedule/forecast.h"

struct gcl_spread_launch {
    const struct gcl_explained_kernel *kernel;
    struct gcl_known_launch known; ///< the rest is chosen
    const uint32_t *fixed; ///< where arguments begin to which nothing is written between launches
    size_t fixed_count;
    uint32_t node_count;
};

/// A launch of a kernel, and what it costs to have several nodes share it.
struct gcl_spread_price {
    uint32_t grid[3], block[3];
    char axis; ///< along which it is split; 0: it isn't
    double
        moves_ns; ///< what moves for it, as the runtime forecasts that (plan/schedule/forecast.h)
};

/// What a launch costs on a cluster of `launch->node_count` nodes. False: no memory.
bool gcl_spread_find_price(const struct gcl_spread_launch *launch,
                           const struct gcl_forecast_cluster *cluster,
                           struct gcl_spread_price *price);

/// How a launch is spread over nodes, as JSON; a new reference; NULL: no memory.
///
///     {split, nodes, grid, block, arguments, parts, arrays, exchanged, bytes, moves, reasons}
///
/// `arguments` are the packed ones in base 64; `parts` [{node, begin, end}], boxes of blocks;
/// `arrays` [{name, elementBytes, elements, row, nodes: [{node, reads, writes, received}],
/// causes}], where reads and writes are [[begin, length, stride, count]] in elements from the first
/// one that somebody may touch, `row` is how many make a row, 0 if that isn't known, `causes` bytes
/// by cause (plan/schedule/moves.h), and `simplified` and `unbounded` say what there was too much
/// of, and what isn't known the size of; `exchanged` [[read, written]]; `moves` [[from, to,
/// bytes]]; `reasons` why this launch isn't cut (gcl_explained_reason).
json_t *gcl_spread(const struct gcl_spread_launch *launch);

#endif
