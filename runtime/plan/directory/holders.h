// Which nodes have bytes of an allocation in their regions, nearest first.
#ifndef GCL_PLAN_HOLDERS_H
#define GCL_PLAN_HOLDERS_H

#include "plan/region/region.h"

/// From the first to the last byte of regions: of each node, and of groups of nodes.
struct gcl_holders {
    struct gcl_span
        *bounds; ///< a tree: those of node i at leaf_count + i, those of 2 k, 2 k + 1 at k
    uint32_t node_count, leaf_count;
};

/// False: no memory; it is to be finished all the same.
GCL_MUST_USE bool gcl_holders_init(struct gcl_holders *holders, const struct gcl_region *regions,
                                   uint32_t node_count);
void gcl_holders_finish(struct gcl_holders *holders);

/// Starts as {.holders = …, .around = …}.
struct gcl_holders_search {
    const struct gcl_holders *holders;
    uint32_t around;       ///< the node that searches
    uint32_t below, above; ///< nodes next to it, on either side, that have been looked at
};

/// The next node whose bounds meet `range`, which may have become smaller since the last call: the
/// nearest one, of two the one with the smaller number. UINT32_MAX: there is none.
uint32_t gcl_holders_next(struct gcl_holders_search *search, struct gcl_span range);

#endif
