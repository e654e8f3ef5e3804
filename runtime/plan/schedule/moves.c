// A byte has one cause: what a node receives is counted once in all, and once as far as it is in
// the node's own part, which no other node needs. The difference is what nodes share.
#include "plan/schedule/moves.h"

#include <stdlib.h>

#include "plan/directory/holders.h"
#include "plan/schedule/plan.h"

/// What `node` alone needs. False: that can't be said exactly.
static bool find_own(const struct gcl_region *needed, const struct gcl_holders *holders,
                     uint32_t node, struct gcl_region *own) {
    struct gcl_holders_search search = {.holders = holders, .around = node};
    bool exact = gcl_region_copy(&needed[node], own);
    while (exact && !gcl_region_is_empty(own)) {
        uint32_t other = gcl_holders_next(&search, gcl_region_bounds(own));
        if (other == UINT32_MAX)
            break;
        if (gcl_region_overlaps(own, &needed[other]))
            exact = gcl_region_subtract(own, &needed[other], own);
    }
    return exact;
}

static bool comes_from_a_node(const struct gcl_transfer *transfer, uint32_t allocation) {
    return transfer->allocation == allocation && transfer->from != GCL_NOWHERE;
}

/// Bytes of one node.
struct share {
    struct gcl_region own; ///< what it alone needs
    uint64_t all, of_own;  ///< that it gets
};

static void find_shares(const struct gcl_region *needed, uint32_t count, struct share *shares) {
    struct gcl_holders holders;
    bool ok = gcl_holders_init(&holders, needed, count);
    for (uint32_t i = 0; ok && i < count; i++) {
        if (!find_own(needed, &holders, i, &shares[i].own))
            gcl_region_finish(&shares[i].own);
    }
    gcl_holders_finish(&holders);
}

static void count_received(const struct gcl_transfer *transfer, struct share *share) {
    struct gcl_region both = {.count = 0};
    share->all += (uint64_t)gcl_region_size(&transfer->bytes);
    if (gcl_region_intersect(&transfer->bytes, &share->own, &both))
        share->of_own += (uint64_t)gcl_region_size(&both);
    gcl_region_finish(&both);
}

bool gcl_moves_add_needed(struct gcl_moves *moves, const struct gcl_plan *plan, uint32_t allocation,
                          const struct gcl_region *needed, uint32_t count) {
    struct share *shares = calloc(count, sizeof *shares);
    if (!shares)
        return false;
    find_shares(needed, count, shares);
    for (size_t i = 0; i < plan->transfer_count; i++) {
        const struct gcl_transfer *t = &plan->transfers[i];
        for (uint32_t to = t->to; to < t->to_end && comes_from_a_node(t, allocation); to++) {
            if (to != t->from)
                count_received(t, &shares[to]);
        }
    }
    for (uint32_t i = 0; i < count; i++) {
        uint64_t shared = shares[i].all - shares[i].of_own;
        bool is_halo = shared < (uint64_t)gcl_region_size(&shares[i].own);
        moves->bytes[GCL_MOVE_REDISTRIBUTE] += shares[i].of_own;
        moves->bytes[is_halo ? GCL_MOVE_HALO : GCL_MOVE_REPLICATE] += shared;
        gcl_region_finish(&shares[i].own);
    }
    free(shares);
    return true;
}

// An allocation's combinations follow each other, and its transfers are counted with the first.
void gcl_moves_add_combined(struct gcl_moves *moves, const struct gcl_plan *plan,
                            uint32_t allocation, uint32_t count) {
    for (size_t i = 0; i < plan->combination_count; i++) {
        const struct gcl_combination *c = &plan->combinations[i];
        if (c->allocation != allocation)
            continue;
        uint64_t *bytes =
            &moves->bytes[c->kind == GCL_COMBINATION_MERGE ? GCL_MOVE_MERGE : GCL_MOVE_REDUCE];
        *bytes += gcl_combination_moved(c, count);
        if (i > 0 && plan->combinations[i - 1].allocation == allocation)
            continue;
        for (size_t t = 0; t < plan->transfer_count; t++) {
            if (comes_from_a_node(&plan->transfers[t], allocation))
                *bytes += gcl_transfer_receivers(&plan->transfers[t]) *
                          (uint64_t)gcl_region_size(&plan->transfers[t].bytes);
        }
    }
}

static void add_parts(const struct gcl_combination *c, uint32_t count, uint64_t *links) {
    for (uint32_t from = 0; from < count; from++) {
        for (uint32_t home = 0; home < count; home++) {
            struct gcl_region part = {.count = 0};
            if (from != home && gcl_combination_part(c, from, home, &part))
                links[(size_t)from * count + home] += (uint64_t)gcl_region_size(&part);
            gcl_region_finish(&part);
        }
    }
}

void gcl_moves_add_links(const struct gcl_plan *plan, uint32_t count, uint64_t *links) {
    for (size_t i = 0; i < plan->transfer_count; i++) {
        const struct gcl_transfer *t = &plan->transfers[i];
        for (uint32_t to = t->to; to < t->to_end && t->from != GCL_NOWHERE; to++) {
            if (to != t->from)
                links[(size_t)t->from * count + to] += (uint64_t)gcl_region_size(&t->bytes);
        }
    }
    for (size_t i = 0; i < plan->combination_count; i++)
        add_parts(&plan->combinations[i], count, links);
}

void gcl_moves_add(struct gcl_moves *sum, const struct gcl_moves *moves) {
    for (int i = 0; i < GCL_MOVE_CAUSE_COUNT; i++)
        sum->bytes[i] += moves->bytes[i];
}

uint64_t gcl_moves_total(const struct gcl_moves *moves) {
    uint64_t total = 0;
    for (int i = 0; i < GCL_MOVE_CAUSE_COUNT; i++)
        total += moves->bytes[i];
    return total;
}

const char *gcl_moves_name(enum gcl_move_cause cause) {
    static const char *const names[] = {
#define GCL_MOVE_CAUSE(name, text) #text,
        GCL_MOVE_CAUSES(GCL_MOVE_CAUSE)
#undef GCL_MOVE_CAUSE
    };
    return names[cause];
}
