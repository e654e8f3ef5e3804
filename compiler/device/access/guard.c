// Conditions: under which a block runs, and under which a loop goes on.
//
// A block's guard goes on from the guard of the block above it: its immediate dominator or, if that
// lies in a loop that has ended, what stands before that loop. Between the two control flow has no
// cycles once inner loops count as one step each, so the condition is a sum over the edges into the
// block, and true for whatever comes always.
//
// Which of several ways out a loop takes is not known, even if they meet at once.
#include "device/access/guard.h"

#include <assert.h>

#include "device/access/build.h"
#include "device/access/graph.h"
#include "device/access/loop.h"
#include "device/access/value.h"
#include "device/ir/cfg.h"

static int immediate_dominator(const struct gcl_cfg *cfg, const int *dominators, int b) {
    int found = GCL_NOWHERE;
    for (int p = 0; p < cfg->blocks[b].predecessor_count; p++) {
        int other = cfg->blocks[b].predecessors[p];
        if (other >= b) // a back edge
            continue;
        if (found == GCL_NOWHERE)
            found = other;
        while (found != other) {
            assert(found >= 0 && other >= 0); // the first block is above all
            if (found > other)
                found = dominators[found];
            else
                other = dominators[other];
        }
    }
    return found;
}

static int loop_of(const struct gcl_extraction *x, int b) {
    return x->cfg->blocks[b].loop;
}

// What stands before the outermost loop around `b` that isn't around `inside`; `b` itself if none.
static int leave_loops(const struct gcl_extraction *x, int b, int inside) {
    while (!gcl_cfg_in_loop(x->cfg, inside, loop_of(x, b)))
        b = x->up[x->cfg->loops[loop_of(x, b)].header];
    return b;
}

void gcl_access_find_ups(struct gcl_extraction *x) {
    g_autofree int *dominators = g_new(int, x->cfg->count);
    x->up = g_new(int, x->cfg->count);
    for (int b = 0; b < x->cfg->count; b++) {
        dominators[b] = immediate_dominator(x->cfg, dominators, b);
        x->up[b] = dominators[b];
        if (b > 0)
            x->up[b] = leave_loops(x, dominators[b], b);
        assert(b == 0 ? x->up[b] == GCL_NOWHERE : x->up[b] >= 0 && x->up[b] < b);
    }
}

static bool comes_always(const struct gcl_cfg *cfg, int from, int to) {
    while (from != GCL_NOWHERE && from != to)
        from = cfg->blocks[from].postdominator;
    return from == to;
}

static bool returns(const struct gcl_cfg *cfg, int b) {
    return cfg->blocks[b].postdominator != GCL_NOWHERE ||
           LLVMIsAReturnInst(LLVMGetBasicBlockTerminator(cfg->blocks[b].block));
}

// Whether `to` is the only block behind `loop` from which a thread returns.
static bool is_only_exit(const struct gcl_cfg *cfg, int loop, int to) {
    for (int b = 0; b < cfg->count; b++) {
        for (int s = 0; s < 2 && gcl_cfg_in_loop(cfg, b, loop); s++) {
            int next = cfg->blocks[b].successors[s];
            if (next != GCL_NOWHERE && next != to && !gcl_cfg_in_loop(cfg, next, loop) &&
                returns(cfg, next))
                return false;
        }
    }
    return true;
}

// The loop that ends on the edge, the outermost; GCL_NOWHERE if none does.
static int ends(const struct gcl_extraction *x, int from, int to) {
    int loop = loop_of(x, from);
    while (loop != GCL_NOWHERE && x->cfg->loops[loop].parent != GCL_NOWHERE &&
           !gcl_cfg_in_loop(x->cfg, to, x->cfg->loops[loop].parent))
        loop = x->cfg->loops[loop].parent;
    return loop != GCL_NOWHERE && gcl_cfg_in_loop(x->cfg, to, loop) ? GCL_NOWHERE : loop;
}

// The condition of the edge alone.
static uint32_t branch(struct gcl_extraction *x, int from, int to) {
    const struct gcl_cfg_block *b = &x->cfg->blocks[from];
    assert(b->successors[0] == to || b->successors[1] == to);
    LLVMValueRef end = LLVMGetBasicBlockTerminator(b->block);
    int loop = ends(x, from, to);
    if (loop != GCL_NOWHERE && !is_only_exit(x->cfg, loop, to))
        return gcl_access_unknown(x, GCL_REASON_DATA_GUARD, 1, end);
    if (loop != GCL_NOWHERE || b->successors[1] == GCL_NOWHERE ||
        b->successors[0] == b->successors[1])
        return gcl_graph_constant(&x->graph, 1, 1);
    uint32_t condition = gcl_access_value(x, LLVMGetCondition(end));
    return b->successors[0] == to ? condition : gcl_graph_not(&x->graph, condition);
}

// The condition for the way from `above`, one of those above `b`, to `b`.
static uint32_t way(struct gcl_extraction *x, int above, int b) {
    uint32_t condition = gcl_graph_constant(&x->graph, 1, 1);
    for (; b != above && b != GCL_NOWHERE; b = x->up[b]) {
        if (gcl_access_loop_at(x, b) == GCL_NOWHERE)
            condition =
                gcl_graph_binary(&x->graph, GCL_NODE_AND, gcl_access_reach(x, b), condition);
    }
    return condition;
}

static uint32_t edge_from(struct gcl_extraction *x, int above, int from, int to) {
    uint32_t taken = branch(x, from, to);
    return gcl_graph_binary(&x->graph, GCL_NODE_AND, way(x, above, leave_loops(x, from, to)),
                            taken);
}

static uint32_t condition_of_edge(struct gcl_extraction *x, int from, int block) {
    return edge_from(x, x->up[block], from, block);
}

uint32_t gcl_access_choice(struct gcl_extraction *x, int from, int block) {
    const struct gcl_cfg_block *b = &x->cfg->blocks[block];
    int loop = ends(x, from, block);
    assert(b->predecessor_count > 1); // else there is nothing to choose
    for (int p = 0; p < b->predecessor_count && loop != GCL_NOWHERE; p++) {
        if (b->predecessors[p] != from && gcl_cfg_in_loop(x->cfg, b->predecessors[p], loop))
            return gcl_access_unknown(x, GCL_REASON_DATA_GUARD, 1,
                                      LLVMGetBasicBlockTerminator(x->cfg->blocks[from].block));
    }
    return condition_of_edge(x, from, block);
}

uint32_t gcl_access_reach(struct gcl_extraction *x, int block) {
    const struct gcl_cfg_block *b = &x->cfg->blocks[block];
    uint32_t condition;
    if (block == 0 || comes_always(x->cfg, x->up[block], block))
        return gcl_graph_constant(&x->graph, 1, 1);
    if (gcl_access_recall(x, b->block, &condition))
        return condition;
    condition = gcl_graph_constant(&x->graph, 1, 0);
    for (int p = 0; p < b->predecessor_count; p++) {
        if (b->predecessors[p] < block)
            condition = gcl_graph_binary(&x->graph, GCL_NODE_OR, condition,
                                         condition_of_edge(x, b->predecessors[p], block));
    }
    assert(gcl_graph_at(&x->graph, condition)->width == 1);
    return gcl_access_remember(x, b->block, condition);
}

uint32_t gcl_access_repeats(struct gcl_extraction *x, int loop) {
    const struct gcl_cfg_loop *l = &x->cfg->loops[loop];
    assert(gcl_cfg_in_loop(x->cfg, l->latch, loop));
    uint32_t condition = edge_from(x, l->header, l->latch, l->header);
    return gcl_access_repeated(x, condition, loop,
                               LLVMGetBasicBlockTerminator(x->cfg->blocks[l->latch].block));
}
