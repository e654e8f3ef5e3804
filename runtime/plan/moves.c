#include "moves.h"

#include "plan/plan.h"

/// What `node` alone needs. False: that can't be said exactly.
static bool find_own(const struct gcl_region *needed, uint32_t count, uint32_t node,
                     struct gcl_region *own) {
    bool exact = gcl_region_copy(&needed[node], own);
    for (uint32_t i = 0; exact && i < count && !gcl_region_is_empty(own); i++) {
        if (i != node && gcl_region_overlaps(own, &needed[i]))
            exact = gcl_region_subtract(own, &needed[i], own);
    }
    return exact;
}

static bool comes_from_a_node(const struct gcl_transfer *transfer, uint32_t place) {
    return transfer->place == place && transfer->from != GCL_NOWHERE;
}

/// Bytes that a node gets: in all, and of its own part.
static void count_received(const struct gcl_plan *plan, uint32_t place, uint32_t node,
                           const struct gcl_region *own, uint64_t *all, uint64_t *of_own) {
    *all = *of_own = 0;
    for (size_t i = 0; i < plan->transfer_count; i++) {
        const struct gcl_transfer *t = &plan->transfers[i];
        struct gcl_region both = {.count = 0};
        if (!comes_from_a_node(t, place) || t->to != node)
            continue;
        *all += (uint64_t)gcl_region_size(&t->bytes);
        if (gcl_region_intersect(&t->bytes, own, &both))
            *of_own += (uint64_t)gcl_region_size(&both);
        gcl_region_finish(&both);
    }
}

static void add_node(struct gcl_moves *moves, const struct gcl_plan *plan, uint32_t place,
                     const struct gcl_region *needed, uint32_t count, uint32_t node) {
    struct gcl_region own = {.count = 0};
    uint64_t all, of_own;
    if (!find_own(needed, count, node, &own)) {
        gcl_region_finish(&own);
        own = (struct gcl_region){.count = 0};
    }
    count_received(plan, place, node, &own, &all, &of_own);
    uint64_t shared = all - of_own;
    bool is_halo = shared < (uint64_t)gcl_region_size(&own);
    moves->bytes[GCL_MOVE_REDISTRIBUTE] += of_own;
    moves->bytes[is_halo ? GCL_MOVE_HALO : GCL_MOVE_REPLICATE] += shared;
    gcl_region_finish(&own);
}

void gcl_moves_add_needed(struct gcl_moves *moves, const struct gcl_plan *plan, uint32_t place,
                          const struct gcl_region *needed, uint32_t count) {
    for (uint32_t node = 0; node < count; node++)
        add_node(moves, plan, place, needed, count, node);
}

void gcl_moves_add_combined(struct gcl_moves *moves, const struct gcl_plan *plan, uint32_t place,
                            uint32_t count) {
    for (size_t i = 0; i < plan->combination_count; i++) {
        const struct gcl_combination *c = &plan->combinations[i];
        if (c->place != place)
            continue;
        uint64_t *bytes =
            &moves->bytes[c->kind == GCL_COMBINATION_MERGE ? GCL_MOVE_MERGE : GCL_MOVE_REDUCE];
        *bytes += gcl_combination_moved(c, count);
        for (size_t t = 0; t < plan->transfer_count; t++) {
            if (comes_from_a_node(&plan->transfers[t], place))
                *bytes += (uint64_t)gcl_region_size(&plan->transfers[t].bytes);
        }
    }
}

static void add_parts(const struct gcl_combination *c, uint32_t count, uint64_t *links) {
    for (uint32_t from = 0; from < count; from++) {
        for (uint32_t home = 0; home < count; home++) {
            struct gcl_region part = {.count = 0};
            struct gcl_span limits = {c->limits[home], c->limits[home + 1]};
            if (from != home && gcl_region_clip(&c->bytes[from], limits, &part))
                links[(size_t)from * count + home] += (uint64_t)gcl_region_size(&part);
            gcl_region_finish(&part);
        }
    }
}

void gcl_moves_add_links(const struct gcl_plan *plan, uint32_t count, uint64_t *links) {
    for (size_t i = 0; i < plan->transfer_count; i++) {
        const struct gcl_transfer *t = &plan->transfers[i];
        if (t->from != GCL_NOWHERE)
            links[(size_t)t->from * count + t->to] += (uint64_t)gcl_region_size(&t->bytes);
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
