// Levels are found from what the nodes of an access count. Nodes are sorted by level, so that each
// is computed as seldom as it changes.
#include "plan/inspect/nest.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/// Of each axis, what nodes count.
struct counts {
    bool of[3][GCL_LEVEL_GLOBAL + 1];
};

unsigned gcl_nest_level_of(const struct gcl_nest *nest, enum gcl_level_kind kind, uint16_t index) {
    for (unsigned l = 0; l < nest->count; l++) {
        if (nest->levels[l].kind == kind && nest->levels[l].index == index)
            return l;
    }
    return GCL_NEST_LEVELS;
}

static bool add_level(struct gcl_nest *nest, enum gcl_level_kind kind, uint16_t index,
                      uint64_t begin, uint64_t end) {
    if (nest->count == GCL_NEST_LEVELS)
        return false;
    nest->levels[nest->count++] =
        (struct gcl_nest_level){.kind = kind, .index = index, .begin = begin, .end = end};
    return true;
}

static bool add_loops(struct gcl_nest *nest, uint16_t guard) {
    if (guard == GCL_NONE)
        return true;
    const struct gcl_guard *g = &nest->program->guards[guard];
    if (!add_loops(nest, g->outer))
        return false;
    if (g->kind != GCL_GUARD_LOOP)
        return true;
    return g->node != GCL_NONE && add_level(nest, GCL_LEVEL_LOOP, guard, 0, UINT64_MAX);
}

static void find_counts(const struct gcl_nest *nest, struct counts *counts) {
    *counts = (struct counts){0};
    for (uint16_t i = 0; i < nest->origins->node_count; i++) {
        const struct gcl_node *node = &nest->program->nodes[nest->origins->nodes[i]];
        if (node->kind == GCL_NODE_THREAD_INDEX)
            counts->of[node->a][GCL_LEVEL_THREAD] = true;
        if (node->kind == GCL_NODE_BLOCK_INDEX)
            counts->of[node->a][GCL_LEVEL_BLOCK] = true;
        if (node->kind == GCL_NODE_GLOBAL_INDEX)
            counts->of[node->a][GCL_LEVEL_GLOBAL] = true;
    }
}

static bool add_levels(struct gcl_nest *nest) {
    const struct gcl_launch_part *l = nest->launch;
    struct counts counts;
    bool is_single[3];
    find_counts(nest, &counts);
    add_level(nest, GCL_LEVEL_ONCE, 0, 0, 1);
    for (unsigned axis = 3; axis-- > 0;) {
        const bool *of = counts.of[axis];
        is_single[axis] = of[GCL_LEVEL_BLOCK] || of[GCL_LEVEL_THREAD];
        if (of[GCL_LEVEL_GLOBAL] && !is_single[axis])
            add_level(nest, GCL_LEVEL_GLOBAL, (uint16_t)axis,
                      (uint64_t)l->begin[axis] * l->geometry.block[axis],
                      (uint64_t)l->end[axis] * l->geometry.block[axis]);
        else if (of[GCL_LEVEL_GLOBAL] || of[GCL_LEVEL_BLOCK])
            add_level(nest, GCL_LEVEL_BLOCK, (uint16_t)axis, l->begin[axis], l->end[axis]);
    }
    for (unsigned axis = 3; axis-- > 0;) {
        const bool *of = counts.of[axis];
        if (of[GCL_LEVEL_THREAD] || (of[GCL_LEVEL_GLOBAL] && is_single[axis]))
            add_level(nest, GCL_LEVEL_THREAD, (uint16_t)axis, 0, l->geometry.block[axis]);
    }
    return add_loops(nest, nest->program->accesses[nest->access].guard);
}

// Nodes.

static unsigned higher(unsigned a, unsigned b) {
    return a > b ? a : b;
}

static unsigned level_of_address(const struct gcl_nest *nest, const struct gcl_access *access,
                                 unsigned depth) {
    const struct gcl_base *base = &nest->program->bases[access->base];
    unsigned level = access->offset != GCL_NONE ? nest->level_of[access->offset] : 0;
    if (base->kind == GCL_BASE_LOADED && depth < GCL_ORIGINS_DEEPEST)
        level =
            higher(level, level_of_address(nest, &nest->program->accesses[base->index], depth + 1));
    return level;
}

/// The level of a node; GCL_NEST_LEVELS: it counts something that isn't around the access.
static unsigned level_of(const struct gcl_nest *nest, const struct gcl_node *node) {
    const uint16_t operands[] = {node->a, node->b, node->c};
    unsigned level = 0;
    switch (node->kind) {
    case GCL_NODE_THREAD_INDEX:
        return gcl_nest_level_of(nest, GCL_LEVEL_THREAD, node->a);
    case GCL_NODE_BLOCK_INDEX:
        return gcl_nest_level_of(nest, GCL_LEVEL_BLOCK, node->a);
    case GCL_NODE_GLOBAL_INDEX:
        level = gcl_nest_level_of(nest, GCL_LEVEL_GLOBAL, node->a);
        return level < GCL_NEST_LEVELS ? level : gcl_nest_level_of(nest, GCL_LEVEL_THREAD, node->a);
    case GCL_NODE_ITERATION:
        return gcl_nest_level_of(nest, GCL_LEVEL_LOOP, node->a);
    case GCL_NODE_LOAD:
        return level_of_address(nest, &nest->program->accesses[node->a], 0);
    default:
        for (unsigned i = 0; i < gcl_origins_operand_count(node); i++)
            level = higher(level, nest->level_of[operands[i]]);
        return level;
    }
}

static bool sort_nodes(struct gcl_nest *nest) {
    const struct gcl_origins *o = nest->origins;
    uint32_t at = 0;
    for (uint16_t i = 0; i < o->node_count; i++) {
        unsigned level = level_of(nest, &nest->program->nodes[o->nodes[i]]);
        if (level == GCL_NEST_LEVELS)
            return false;
        nest->level_of[o->nodes[i]] = (uint8_t)level;
    }
    for (unsigned l = 0; l < nest->count; l++) {
        nest->levels[l].nodes.begin = at;
        for (uint16_t i = 0; i < o->node_count; i++) {
            if (nest->level_of[o->nodes[i]] == l)
                nest->nodes[at++] = o->nodes[i];
        }
        nest->levels[l].nodes.end = at;
    }
    assert(at == o->node_count);
    return true;
}

static bool sort_guards(struct gcl_nest *nest) {
    uint32_t at = 0;
    for (unsigned l = 0; l < nest->count; l++) {
        nest->levels[l].guards.begin = at;
        for (uint16_t g = nest->program->accesses[nest->access].guard; g != GCL_NONE;
             g = nest->program->guards[g].outer) {
            const struct gcl_guard *guard = &nest->program->guards[g];
            if (guard->kind == GCL_GUARD_LOOP || nest->level_of[guard->node] != l)
                continue;
            if (at == GCL_NEST_GUARDS)
                return false;
            nest->guards[at++] = g;
        }
        nest->levels[l].guards.end = at;
    }
    return true;
}

// What is taken from levels further out.

/// The search for nodes that level `level` takes; `is_taken` by node.
struct taking {
    const struct gcl_nest *nest;
    unsigned level;
    bool *is_taken;
};

static void take(const struct taking *t, uint16_t node) {
    if (node != GCL_NONE && t->nest->level_of[node] > 0 && t->nest->level_of[node] < t->level)
        t->is_taken[node] = true;
}

static void take_address(const struct taking *t, uint16_t access, unsigned depth) {
    const struct gcl_access *a = &t->nest->program->accesses[access];
    const struct gcl_base *base = &t->nest->program->bases[a->base];
    take(t, a->offset);
    if (base->kind == GCL_BASE_LOADED && depth < GCL_ORIGINS_DEEPEST)
        take_address(t, base->index, depth + 1);
}

static void take_operands(const struct taking *t, const struct gcl_node *node) {
    const uint16_t operands[] = {node->a, node->b, node->c};
    for (unsigned i = 0; i < gcl_origins_operand_count(node); i++)
        take(t, operands[i]);
    if (node->kind == GCL_NODE_LOAD)
        take_address(t, node->a, 0);
}

/// Finds what is taken by a level, for itself and for those further in.
static void take_all(const struct taking *t) {
    const struct gcl_nest *nest = t->nest;
    for (uint32_t i = nest->levels[t->level].nodes.begin; i < nest->origins->node_count; i++)
        take_operands(t, &nest->program->nodes[nest->nodes[i]]);
    for (unsigned l = t->level; l < nest->count; l++) {
        if (nest->levels[l].kind == GCL_LEVEL_LOOP)
            take(t, nest->program->guards[nest->levels[l].index].node);
    }
    take_address(t, nest->access, 0);
    if (nest->program->accesses[nest->access].size == 0)
        take(t, nest->program->accesses[nest->access].length);
}

static bool find_taken(struct gcl_nest *nest) {
    uint16_t room = nest->program->node_count;
    bool *is_taken = calloc(room + 1u, sizeof *is_taken);
    uint32_t at = 0;
    bool ok = is_taken != NULL;
    for (unsigned l = 0; ok && l < nest->count; l++) {
        memset(is_taken, 0, room * sizeof *is_taken);
        take_all(&(struct taking){nest, l, is_taken});
        nest->levels[l].taken.begin = at;
        for (uint16_t i = 0; i < room; i++) {
            if (is_taken[i])
                nest->taken[at++] = i;
        }
        nest->levels[l].taken.end = at;
    }
    free(is_taken);
    return ok;
}

// Life.

bool gcl_nest_find(struct gcl_nest *nest, const struct gcl_program *program, uint16_t access,
                   const struct gcl_launch_part *launch, const struct gcl_origins *origins) {
    size_t room = program->node_count + 1u;
    assert(access < program->access_count);
    *nest = (struct gcl_nest){.program = program,
                              .launch = launch,
                              .access = access,
                              .origins = origins,
                              .nodes = malloc(room * sizeof *nest->nodes),
                              .taken = malloc(GCL_NEST_LEVELS * room * sizeof *nest->taken),
                              .level_of = calloc(room, sizeof *nest->level_of)};
    if (nest->nodes && nest->taken && nest->level_of && add_levels(nest) && sort_nodes(nest) &&
        sort_guards(nest) && find_taken(nest))
        return true;
    gcl_nest_finish(nest);
    return false;
}

void gcl_nest_finish(struct gcl_nest *nest) {
    free(nest->nodes);
    free(nest->taken);
    free(nest->level_of);
    *nest = (struct gcl_nest){.count = 0};
}
