// Most layouts give each node a stretch of its own, so that of a thousand nodes one or two have
// what another one lacks: a tree of bounds finds them without asking all.
#include "plan/directory/holders.h"

#include <stdlib.h>

static struct gcl_span join(struct gcl_span a, struct gcl_span b) {
    if (a.begin == a.end || b.begin == b.end)
        return a.begin == a.end ? b : a;
    return (struct gcl_span){a.begin < b.begin ? a.begin : b.begin, a.end > b.end ? a.end : b.end};
}

bool gcl_holders_init(struct gcl_holders *holders, const struct gcl_region *regions,
                      uint32_t node_count) {
    uint32_t leaves = 1;
    while (leaves < node_count)
        leaves *= 2;
    *holders = (struct gcl_holders){.node_count = node_count, .leaf_count = leaves};
    holders->bounds = calloc(2 * (size_t)leaves, sizeof *holders->bounds);
    if (!holders->bounds)
        return false;
    for (uint32_t i = 0; i < node_count; i++)
        holders->bounds[leaves + i] = gcl_region_bounds(&regions[i]);
    for (uint32_t k = leaves - 1; k > 0; k--)
        holders->bounds[k] = join(holders->bounds[2 * k], holders->bounds[2 * k + 1]);
    return true;
}

void gcl_holders_finish(struct gcl_holders *holders) {
    free(holders->bounds);
}

static bool meets(const struct gcl_holders *holders, uint32_t k, struct gcl_span range) {
    return holders->bounds[k].begin < range.end && range.begin < holders->bounds[k].end;
}

/// The first node from `node` on, upwards or downwards, that meets the range; UINT32_MAX: none.
static uint32_t find(const struct gcl_holders *holders, uint32_t node, bool up,
                     struct gcl_span range) {
    uint32_t k = holders->leaf_count + node;
    while (k < holders->leaf_count || !meets(holders, k, range)) {
        if (meets(holders, k, range)) { // perhaps between what its nodes have
            k = up ? 2 * k : 2 * k + 1;
            continue;
        }
        while (k > 1 && (k & 1) == up) // nothing is left on this side of its parent
            k /= 2;
        if (k == 1)
            return UINT32_MAX;
        k = up ? k + 1 : k - 1;
    }
    return k - holders->leaf_count;
}

uint32_t gcl_holders_next(struct gcl_holders_search *search, struct gcl_span range) {
    const struct gcl_holders *holders = search->holders;
    uint32_t around = search->around, below = UINT32_MAX, above = UINT32_MAX;
    if (search->below < around)
        below = find(holders, around - 1 - search->below, 0, range);
    if (search->above < holders->node_count - 1 - around)
        above = find(holders, around + 1 + search->above, 1, range);
    if (below != UINT32_MAX && (above == UINT32_MAX || around - below <= above - around)) {
        search->below = around - below;
        return below;
    }
    search->above = above == UINT32_MAX ? search->above : above - around;
    return above;
}
