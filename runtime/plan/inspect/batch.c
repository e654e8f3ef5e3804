// A node is computed in the batch of its level, and what levels further in need of it is copied to
// their lanes as they are put together. Nodes of the outermost level have one value for all lanes.
#include "plan/inspect/batch.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "plan/inspect/base.h"

// Addresses.

/// Adds a number to what lanes of a batch are, of `count` ascending ones.
static void add_to(const struct gcl_lanes *lanes, uint64_t number, const struct gcl_batch *batch,
                   const uint16_t *wanted, unsigned count, struct gcl_lanes *out) {
    const bool are_all = count == batch->count;
    if (!are_all)
        gcl_lanes_pick(lanes, wanted, count, out);
    else if (!lanes->all_known)
        memcpy(out->known, lanes->known, count * sizeof *out->known);
    const uint64_t *values = are_all ? lanes->values : out->values;
    for (unsigned i = 0; i < count; i++)
        out->values[i] = values[i] + number;
    out->all_known = lanes->all_known;
}

/// gcl_batches_find_addresses, of an access that is found behind `depth` pointers.
static void find_addresses(struct gcl_batches *s, const struct gcl_batch *batch, uint16_t access,
                           const uint16_t *wanted, unsigned count, unsigned depth,
                           struct gcl_lanes *addresses) {
    const struct gcl_program *program = s->nest.program;
    const struct gcl_access *a = &program->accesses[access];
    const struct gcl_base *base = &program->bases[a->base];
    const struct gcl_lanes *offset = a->offset != GCL_NONE ? batch->nodes[a->offset] : NULL;
    uint64_t start = 0;
    bool is_loaded = base->kind == GCL_BASE_LOADED;
    if (depth == GCL_ORIGINS_DEEPEST || !offset ||
        (!is_loaded && !gcl_base_address(program, s->nest.launch, a->base, &start))) {
        gcl_lanes_fill(addresses, 0, false);
        return;
    }
    if (!is_loaded) {
        add_to(offset, start, batch, wanted, count, addresses);
        return;
    }
    find_addresses(s, batch, base->index, wanted, count, depth + 1, addresses);
    gcl_contents_read_lanes(s->contents, sizeof start, count, addresses);
    for (unsigned i = 0; i < count; i++) {
        addresses->values[i] += offset->values[wanted[i]];
        addresses->known[i] =
            gcl_lanes_is_known(addresses, i) && gcl_lanes_is_known(offset, wanted[i]);
    }
    addresses->all_known = addresses->all_known && offset->all_known;
}

void gcl_batches_find_addresses(struct gcl_batches *s, const struct gcl_batch *batch,
                                uint16_t access, const uint16_t *wanted, unsigned count,
                                struct gcl_lanes *addresses) {
    find_addresses(s, batch, access, wanted, count, 0, addresses);
}

// Computing.

/// Whether an access is among those that are looked up.
static bool is_looked_up(const struct gcl_origins *origins, uint16_t access) {
    bool is_there = false;
    for (uint16_t i = 0; i < origins->load_count && !is_there; i++)
        is_there = origins->loads[i] == access;
    return is_there;
}

static void load(struct gcl_batches *s, const struct gcl_batch *batch, const struct gcl_node *node,
                 struct gcl_lanes *out) {
    unsigned size = (node->width + 7u) / 8;
    if (s->nest.program->accesses[node->a].size < size || !is_looked_up(s->nest.origins, node->a)) {
        gcl_lanes_fill(out, 0, false);
        return;
    }
    find_addresses(s, batch, node->a, s->all, batch->count, 0, out);
    gcl_contents_read_lanes(s->contents, size, batch->count, out);
}

/// What a level counts in the lane of a level further in.
static uint64_t index_of(const struct gcl_batches *s, unsigned level, unsigned at, unsigned lane) {
    for (; at > level; at--)
        lane = s->list[at].parents[lane];
    return s->list[level].index[lane];
}

static void count_global(const struct gcl_batches *s, unsigned at, unsigned axis,
                         struct gcl_lanes *out) {
    const struct gcl_batch *batch = &s->list[at];
    unsigned block = gcl_nest_level_of(&s->nest, GCL_LEVEL_BLOCK, (uint16_t)axis);
    uint64_t size = s->nest.launch->geometry.block[axis];
    assert(block < at);
    for (unsigned i = 0; i < batch->count; i++)
        out->values[i] = batch->index[i] + size * index_of(s, block, at, i);
    out->all_known = true;
}

static void cut(struct gcl_lanes *lanes, unsigned count, uint64_t mask) {
    for (unsigned i = 0; i < count && mask != UINT64_MAX; i++)
        lanes->values[i] &= mask;
}

static void compute_leaf(struct gcl_batches *s, unsigned at, const struct gcl_node *node,
                         struct gcl_lanes *out) {
    const struct gcl_batch *batch = &s->list[at];
    uint64_t value = 0, mask = gcl_scalar_truncate(UINT64_MAX, node->width);
    if (node->kind == GCL_NODE_LOAD) {
        load(s, batch, node, out);
        cut(out, batch->count, node->width % 8 ? mask : UINT64_MAX); // it is of whole bytes
    } else if (at == 0) {
        bool is_known = gcl_scalar_given(s->nest.program, s->nest.launch, node, &value);
        gcl_lanes_fill(out, value & mask, is_known);
    } else if (node->kind == GCL_NODE_GLOBAL_INDEX && s->nest.levels[at].kind == GCL_LEVEL_THREAD) {
        count_global(s, at, node->a, out);
        cut(out, batch->count, mask);
    } else {
        for (unsigned i = 0; i < batch->count; i++)
            out->values[i] = batch->index[i] & mask;
        out->all_known = true;
    }
}

/// Takes what nodes further out are, for the lanes of a level.
static void take(struct gcl_batches *s, unsigned at) {
    const struct gcl_nest_list taken = s->nest.levels[at].taken;
    const struct gcl_batch *batch = &s->list[at];
    for (uint32_t i = taken.begin; i < taken.end; i++) {
        uint16_t node = s->nest.taken[i];
        gcl_lanes_pick(batch[-1].nodes[node], batch->parents, batch->count, batch->nodes[node]);
    }
}

void gcl_batches_compute(struct gcl_batches *s, unsigned at) {
    const struct gcl_nest_level *level = &s->nest.levels[at];
    const struct gcl_batch *batch = &s->list[at];
    assert(batch->count <= GCL_LANES);
    take(s, at);
    for (uint32_t i = level->nodes.begin; i < level->nodes.end; i++) {
        const struct gcl_node *node = &s->nest.program->nodes[s->nest.nodes[i]];
        struct gcl_lanes *out = batch->nodes[s->nest.nodes[i]];
        if (node->kind < GCL_NODE_ADD) {
            compute_leaf(s, at, node, out);
        } else {
            unsigned operands = gcl_origins_operand_count(node);
            const struct gcl_lanes *of[3] = {batch->nodes[node->a],
                                             operands > 1 ? batch->nodes[node->b] : NULL,
                                             operands > 2 ? batch->nodes[node->c] : NULL};
            gcl_lanes_compute(node, s->nest.program->nodes[node->a].width, of, batch->count, out);
        }
        if (at == 0) // for all lanes further in
            gcl_lanes_fill(out, out->values[0], gcl_lanes_is_known(out, 0));
    }
    s->steps -= (int64_t)batch->count * (level->nodes.end - level->nodes.begin + 1);
}

/// Whether a guard lets all lanes of a batch through.
static bool holds_for_all(const struct gcl_batch *batch, const struct gcl_guard *guard) {
    const struct gcl_lanes *lanes = batch->nodes[guard->node];
    return lanes->all_known && batch->chosen_count == batch->count &&
           gcl_lanes_count_set(lanes->values, batch->count) ==
               (guard->kind == GCL_GUARD_HOLDS ? batch->count : 0);
}

void gcl_batches_choose(struct gcl_batches *s, unsigned at) {
    const struct gcl_nest_list guards = s->nest.levels[at].guards;
    struct gcl_batch *batch = &s->list[at];
    for (uint32_t g = guards.begin; g < guards.end; g++) {
        const struct gcl_guard *guard = &s->nest.program->guards[s->nest.guards[g]];
        const struct gcl_lanes *lanes = batch->nodes[guard->node];
        unsigned count = 0;
        if (holds_for_all(batch, guard))
            continue;
        for (unsigned i = 0; i < batch->chosen_count; i++) {
            uint16_t lane = batch->chosen[i];
            bool holds = lanes->values[lane] != 0;
            batch->chosen[count] = lane;
            count += !gcl_lanes_is_known(lanes, lane) || holds == (guard->kind == GCL_GUARD_HOLDS);
        }
        batch->chosen_count = count;
    }
    for (uint32_t g = guards.begin; g < guards.end && !s->is_doubtful; g++) {
        const struct gcl_guard *guard = &s->nest.program->guards[s->nest.guards[g]];
        const struct gcl_lanes *lanes = batch->nodes[guard->node];
        for (unsigned i = 0; i < batch->chosen_count && !lanes->all_known; i++)
            s->is_doubtful |= !lanes->known[batch->chosen[i]];
    }
}

// Life.

/// Gives each level's batch a place for its own nodes and for those that it takes.
static void place_nodes(struct gcl_batches *s) {
    const struct gcl_nest *nest = &s->nest;
    struct gcl_lanes *free_lanes = s->lanes;
    for (unsigned at = 0; at < nest->count; at++) {
        const struct gcl_nest_list own = nest->levels[at].nodes, taken = nest->levels[at].taken;
        struct gcl_batch *batch = &s->list[at];
        batch->nodes = s->nodes + (size_t)at * nest->program->node_count;
        if (at > 0)
            memcpy(batch->nodes, s->nodes, nest->program->node_count * sizeof *s->nodes);
        for (uint32_t i = own.begin; i < own.end; i++)
            batch->nodes[nest->nodes[i]] = free_lanes++;
        for (uint32_t i = taken.begin; i < taken.end; i++)
            batch->nodes[nest->taken[i]] = free_lanes++;
    }
}

bool gcl_batches_init(struct gcl_batches *s, const struct gcl_nest *nest,
                      struct gcl_contents *contents) {
    uint32_t taken = nest->levels[nest->count - 1].taken.end;
    size_t places = nest->origins->node_count + (size_t)taken + 1;
    size_t nodes = nest->count * (size_t)nest->program->node_count + 1;
    assert(nest->count > 0);
    *s = (struct gcl_batches){.nest = *nest,
                              .contents = contents,
                              .list = malloc(nest->count * sizeof *s->list),
                              .lanes = malloc(places * sizeof *s->lanes),
                              .nodes = calloc(nodes, sizeof(struct gcl_lanes *))};
    for (unsigned i = 0; i < GCL_LANES; i++)
        s->all[i] = (uint16_t)i;
    bool ok = s->list && s->lanes && s->nodes;
    if (ok)
        place_nodes(s);
    return ok;
}

void gcl_batches_finish(struct gcl_batches *s) {
    free(s->list);
    free(s->lanes);
    free(s->nodes);
    gcl_nest_finish(&s->nest);
    *s = (struct gcl_batches){.list = NULL};
}
