// An axis whose block and thread numbers only occur as block index * block size + thread index
// needs one variable of a piece instead of two; the walk over all nodes of an access finds these
// axes, and on the way the loops of which the number of the last iteration counts.
#include "plan/program/needs.h"

#include <assert.h>
#include <string.h>

/// The nodes that an access follows from, each visited once.
struct search {
    const struct gcl_program *program;
    bool *seen;
    struct gcl_needs *needs;
};

static void visit(struct search *s, uint16_t index);

static void need_end(struct search *s, uint16_t guard) {
    for (unsigned i = 0; i < s->needs->ended_count; i++) {
        if (s->needs->ended[i] == guard)
            return;
    }
    if (s->needs->ended_count == GCL_PIECE_LOOPS)
        return;
    visit(s, s->program->guards[guard].node);
    if (s->needs->ended_count < GCL_PIECE_LOOPS) // it may have taken the last places
        s->needs->ended[s->needs->ended_count++] = guard;
}

static void visit(struct search *s, uint16_t index) {
    if (index == GCL_NONE || s->seen[index])
        return;
    assert(index < s->program->node_count);
    const struct gcl_node *node = &s->program->nodes[index];
    s->seen[index] = true;
    if (node->kind == GCL_NODE_THREAD_INDEX || node->kind == GCL_NODE_BLOCK_INDEX)
        s->needs->fused[node->a] = false;
    if (node->kind == GCL_NODE_LAST)
        need_end(s, node->a);
    if (node->kind < GCL_NODE_ADD)
        return;
    visit(s, node->a);
    if (node->kind < GCL_NODE_ZEXT)
        visit(s, node->b);
    if (node->kind == GCL_NODE_SELECT)
        visit(s, node->c);
}

void gcl_needs_find(const struct gcl_program *program, uint16_t access, bool *seen,
                    struct gcl_needs *needs) {
    assert(access < program->access_count);
    const struct gcl_access *a = &program->accesses[access];
    struct search search = {.program = program, .seen = seen, .needs = needs};
    *needs = (struct gcl_needs){.fused = {true, true, true}};
    memset(seen, 0, program->node_count * sizeof *seen);
    visit(&search, a->offset);
    if (a->size == 0)
        visit(&search, a->length);
    for (uint16_t g = a->guard; g != GCL_NONE; g = program->guards[g].outer)
        visit(&search, program->guards[g].node);
}

static bool is_uniform_leaf(enum gcl_node_kind kind) {
    return kind == GCL_NODE_CONSTANT || kind == GCL_NODE_ARGUMENT || kind == GCL_NODE_BLOCK_SIZE ||
           kind == GCL_NODE_GRID_SIZE;
}

void gcl_needs_find_uniform(const struct gcl_program *program, bool *is_uniform) {
    for (uint16_t i = 0; i < program->node_count; i++) { // operands come first
        const struct gcl_node *node = &program->nodes[i];
        bool is_leaf = node->kind < GCL_NODE_ADD;
        is_uniform[i] = is_leaf ? is_uniform_leaf(node->kind)
                                : is_uniform[node->a] &&
                                      (node->kind >= GCL_NODE_ZEXT || is_uniform[node->b]) &&
                                      (node->kind != GCL_NODE_SELECT || is_uniform[node->c]);
    }
}
