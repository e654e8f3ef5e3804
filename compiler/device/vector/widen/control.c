// The control flow of the vector function.
//
// A branch that all lanes take the same way stays a branch. Where lanes part ways, the blocks up to
// where they meet again run one after the other, each under the mask of the lanes that come there,
// and are skipped if there is none; an exchange (twins.h) isn't, as it costs less than to look. A
// loop that lanes leave at different times runs while there are any left in it. After Moll and
// Hack, "Partial Control-Flow Linearization" (PLDI 2018), in the simple case of single-exit loops.
//
// Nodes of one level, the function's or a loop's, are its blocks and the loops right inside it. A
// node varies if its mask differs from that of the level. Nodes that vary are entered only by the
// masked edges of others: what comes next is then the same for all of them, the next node in
// order that belongs to the same region, or where the region ends.
#include "device/vector/widen/control.h"

#include <assert.h>
#include <llvm-c/DebugInfo.h>
#include <string.h>

#include "device/ir/cfg.h"
#include "device/ir/uniformity.h"
#include "device/vector/widen/assume.h"
#include "device/vector/widen/instruction.h"
#include "device/vector/widen/leave.h"
#include "device/vector/widen/mask.h"
#include "device/vector/widen/pause.h"
#include "device/vector/widen/twins.h"
#include "device/vector/widen/value.h"
#include "device/vector/widen/widen.h"

// Planning.

struct plan {
    struct gcl_vector *v;
    const struct gcl_cfg *cfg;
    int *region; ///< per node: union-find over nodes that one chain runs through
};

static int find_region(struct plan *p, int n) {
    while (p->region[n] != n)
        n = p->region[n] = p->region[p->region[n]];
    return n;
}

// The node of `level` that block b belongs to, GCL_NOWHERE if it lies outside.
static int node_of(const struct gcl_cfg *cfg, int b, int level) {
    int node = b;
    for (int l = cfg->blocks[b].loop; l != level; l = cfg->loops[l].parent) {
        if (l == GCL_NOWHERE)
            return GCL_NOWHERE;
        node = cfg->loops[l].header;
    }
    return node;
}

static bool is_loop_node(const struct gcl_cfg *cfg, int node, int level) {
    return cfg->blocks[node].loop != level;
}

static bool is_header(const struct gcl_cfg *cfg, int b) {
    int loop = cfg->blocks[b].loop;
    return loop != GCL_NOWHERE && cfg->loops[loop].header == b;
}

static bool *node_varies(struct plan *p, int node, int level) {
    struct gcl_vector_block *block = &p->v->blocks[node];
    return is_loop_node(p->cfg, node, level) ? &block->loop_varies : &block->varies;
}

static bool *node_masks(struct plan *p, int node, int level) {
    struct gcl_vector_block *block = &p->v->blocks[node];
    return is_loop_node(p->cfg, node, level) ? &block->loop_masks_edge : &block->masks_edges;
}

// A loop has one way out, so only blocks can send lanes different ways; a loop that must mask its
// edge has its one successor follow anyway.
static void mask_edges(struct plan *p, int node, int level) {
    const struct gcl_cfg *cfg = p->cfg;
    *node_masks(p, node, level) = true;
    if (is_loop_node(cfg, node, level))
        return;
    int meeting = cfg->blocks[node].postdominator;
    if (level != GCL_NOWHERE && (meeting == GCL_NOWHERE || !gcl_cfg_in_loop(cfg, meeting, level)))
        p->v->loops[level].diverges = true;
    g_autofree bool *between = g_new0(bool, cfg->count);
    gcl_cfg_between(cfg, node, meeting, level, between);
    for (int b = 0; b < cfg->count; b++) {
        int other = between[b] ? node_of(cfg, b, level) : GCL_NOWHERE;
        if (other == GCL_NOWHERE || other == node)
            continue;
        *node_varies(p, other, level) = true;
        p->region[find_region(p, other)] = find_region(p, node);
    }
}

// Whoever enters a node that varies has to do it by a masked edge. False if somebody had to be
// told.
static bool close_entries(struct plan *p, int level) {
    const struct gcl_cfg *cfg = p->cfg;
    bool closed = true;
    for (int b = 0; b < cfg->count; b++) {
        int node = node_of(cfg, b, level);
        if (node == GCL_NOWHERE || node != b || !*node_varies(p, node, level))
            continue;
        for (int i = 0; i < cfg->blocks[b].predecessor_count; i++) {
            int from = node_of(cfg, cfg->blocks[b].predecessors[i], level);
            if (from == GCL_NOWHERE || from >= node || *node_varies(p, from, level) ||
                *node_masks(p, from, level))
                continue;
            mask_edges(p, from, level);
            p->region[find_region(p, node)] = find_region(p, from);
            closed = false;
        }
    }
    return closed;
}

// Where the chain through `node` goes on: the next node of its region that varies, or the last of
// the places where its lanes meet again.
static int follower(struct plan *p, int node, int level) {
    const struct gcl_cfg *cfg = p->cfg;
    int end = node;
    bool leaves = false;
    for (int b = node + 1; b < cfg->count; b++) {
        if (node_of(cfg, b, level) == b && *node_varies(p, b, level) &&
            find_region(p, b) == find_region(p, node))
            return b;
    }
    for (int b = 0; b < cfg->count; b++) {
        if (node_of(cfg, b, level) != b || find_region(p, b) != find_region(p, node) ||
            !*node_masks(p, b, level) || is_loop_node(cfg, b, level))
            continue;
        int meeting = cfg->blocks[b].postdominator;
        int there = meeting == GCL_NOWHERE ? GCL_NOWHERE : node_of(cfg, meeting, level);
        // Out of a loop; out of the function only lanes go that never return.
        leaves |= there == GCL_NOWHERE && level != GCL_NOWHERE;
        end = MAX(end, there);
    }
    assert(end >= node); // a chain runs forwards
    return leaves || end == node ? GCL_NOWHERE : end;
}

static void plan_level(struct plan *p, int level) {
    const struct gcl_cfg *cfg = p->cfg;
    for (int b = 0; b < cfg->count; b++)
        p->region[b] = b;
    for (int b = 0; b < cfg->count; b++) {
        if (cfg->blocks[b].loop == level && p->v->u->branches[b] && !p->v->guards[b])
            mask_edges(p, b, level);
    }
    while (!close_entries(p, level)) {
    }
    for (int b = 0; b < cfg->count; b++) {
        if (node_of(cfg, b, level) != b || !(*node_varies(p, b, level) || *node_masks(p, b, level)))
            continue;
        bool is_loop = is_loop_node(cfg, b, level);
        *(is_loop ? &p->v->blocks[b].after_loop : &p->v->blocks[b].after) = follower(p, b, level);
    }
}

void gcl_vector_plan(struct gcl_vector *v) {
    assert(v->u->cfg == v->cfg);
    g_autofree int *region = g_new(int, v->cfg->count);
    struct plan p = {v, v->cfg, region};
    for (int l = 0; l < v->cfg->loop_count; l++)
        v->loops[l].diverges = v->u->divergent_loops[l];
    for (int level = GCL_NOWHERE; level < v->cfg->loop_count; level++)
        plan_level(&p, level);
    assert(!v->blocks[0].varies); // all lanes that run at all come to the first block
}

// Building.

static LLVMBasicBlockRef new_block(struct gcl_vector *v, const char *name) {
    return LLVMAppendBasicBlockInContext(v->m->context, v->function, name);
}

static LLVMTypeRef mask_type(struct gcl_vector *v) {
    return gcl_vector_type(v, LLVMInt1TypeInContext(v->m->context));
}

static void declare_blocks(struct gcl_vector *v) {
    for (int b = 0; b < v->cfg->count; b++) {
        struct gcl_vector_block *block = &v->blocks[b];
        if (is_header(v->cfg, b))
            block->loop_label = new_block(v, "loop");
        block->label = new_block(v, "");
        if (block->varies)
            block->mask = gcl_vector_slot(v, mask_type(v), "mask");
        if (block->loop_varies)
            block->loop_mask = gcl_vector_slot(v, mask_type(v), "loop.mask");
    }
    for (int l = 0; l < v->cfg->loop_count; l++) {
        struct gcl_vector_loop *loop = &v->loops[l];
        if (v->blocks[v->cfg->loops[l].header].loop_varies || loop->diverges)
            loop->live = gcl_vector_slot(v, mask_type(v), "live");
        if (loop->diverges) {
            loop->next = gcl_vector_slot(v, mask_type(v), "next");
            loop->closing = new_block(v, "closing");
        }
    }
}

// The mask that a level's blocks have unless they vary; NULL: all lanes. Read anew in each block.
static LLVMValueRef level_mask(struct gcl_vector *v, int level) {
    while (level != GCL_NOWHERE && !v->loops[level].live)
        level = v->cfg->loops[level].parent;
    if (level != GCL_NOWHERE)
        return LLVMBuildLoad2(v->b, mask_type(v), v->loops[level].live, "");
    return v->entry_mask;
}

static LLVMBasicBlockRef label_of(struct gcl_vector *v, int node, int level) {
    assert(node_of(v->cfg, node, level) == node);
    struct gcl_vector_block *block = &v->blocks[node];
    return is_loop_node(v->cfg, node, level) ? block->loop_label : block->label;
}

// At the end of a loop it is decided about the next iteration; a function that never returns has no
// end.
static LLVMBasicBlockRef label_after(struct gcl_vector *v, int node, int level) {
    if (node != GCL_NOWHERE)
        return label_of(v, node, level);
    if (level != GCL_NOWHERE)
        return v->loops[level].closing;
    LLVMBasicBlockRef here = LLVMGetInsertBlock(v->b), never = new_block(v, "never");
    LLVMPositionBuilderAtEnd(v->b, never);
    LLVMBuildUnreachable(v->b);
    LLVMPositionBuilderAtEnd(v->b, here);
    return never;
}

static void add_to_mask(struct gcl_vector *v, LLVMValueRef slot, LLVMValueRef mask) {
    assert(LLVMIsAAllocaInst(slot) && LLVMGetAllocatedType(slot) == mask_type(v));
    LLVMValueRef before = LLVMBuildLoad2(v->b, mask_type(v), slot, "");
    LLVMBuildStore(v->b, LLVMBuildOr(v->b, before, gcl_vector_mask(v, mask), ""), slot);
}

// Which lanes go from `from` to `to`: what the target has to know.
static void note_edge(struct gcl_vector *v, int from, int to, LLVMValueRef mask) {
    const struct gcl_cfg *cfg = v->cfg;
    int level = cfg->blocks[from].loop;
    int node = node_of(cfg, to, level);
    if (level != GCL_NOWHERE && to == cfg->loops[level].header) {
        if (v->loops[level].next)
            add_to_mask(v, v->loops[level].next, mask);
        return;
    }
    if (node == GCL_NOWHERE) // out of the loop: what follows counts lanes when all have left
        return;
    bool is_loop = is_loop_node(cfg, node, level);
    LLVMValueRef slot = is_loop ? v->blocks[node].loop_mask : v->blocks[node].mask;
    if (slot)
        add_to_mask(v, slot, mask);
}

// What the phis of `to` are on the edge from `from`: all are read before any is written, as they
// may swap values.
static GArray *read_phis(struct gcl_vector *v, int from, int to) {
    LLVMBasicBlockRef source = v->cfg->blocks[from].block;
    GArray *values = g_array_new(FALSE, FALSE, sizeof(struct gcl_vector_value));
    LLVMValueRef i = LLVMGetFirstInstruction(v->cfg->blocks[to].block);
    for (; LLVMIsAPHINode(i); i = LLVMGetNextInstruction(i)) {
        for (unsigned n = 0; n < LLVMCountIncoming(i); n++) {
            if (LLVMGetIncomingBlock(i, n) != source)
                continue;
            struct gcl_vector_value read = gcl_vector_read(v, LLVMGetIncomingValue(i, n), i);
            g_array_append_val(values, read);
            break;
        }
    }
    return values;
}

// Writes them for the lanes in `mask`, if `taken`. Nobody looks at the header's phis for lanes that
// don't come there, so these are written as a whole.
static void write_phis(struct gcl_vector *v, int to, GArray *values, LLVMValueRef mask,
                       LLVMValueRef taken) {
    guint next = 0;
    if (is_header(v->cfg, to))
        mask = taken = NULL;
    LLVMValueRef i = LLVMGetFirstInstruction(v->cfg->blocks[to].block);
    for (; LLVMIsAPHINode(i); i = LLVMGetNextInstruction(i))
        gcl_vector_assign(v, i, g_array_index(values, struct gcl_vector_value, next++), mask,
                          taken);
    assert(next == values->len); // what read_phis has read of the same block
    g_array_free(values, TRUE);
}

static LLVMBasicBlockRef jump_label(struct gcl_vector *v, int from, int to) {
    int level = v->cfg->blocks[from].loop;
    if (level != GCL_NOWHERE && to == v->cfg->loops[level].header && v->iterated)
        return v->iterated;
    if (level != GCL_NOWHERE && to == v->cfg->loops[level].header)
        return v->loops[level].closing ? v->loops[level].closing : v->blocks[to].label;
    return label_of(v, node_of(v->cfg, to, level), level);
}

// Jumps from the end of `loop`, where no lane is left in it, to what lies behind.
static void leave_loop(struct gcl_vector *v, int loop) {
    const struct gcl_cfg *cfg = v->cfg;
    const struct gcl_cfg_loop *l = &cfg->loops[loop];
    const struct gcl_vector_block *header = &v->blocks[l->header];
    int level = l->parent;
    if (l->exit == GCL_NOWHERE) {
        LLVMBuildUnreachable(v->b);
        return;
    }
    int node = node_of(cfg, l->exit, level);
    if (!header->loop_varies && !header->loop_masks_edge) {
        LLVMBuildBr(v->b, label_of(v, node, level));
        return;
    }
    LLVMValueRef mask = header->loop_varies
                            ? LLVMBuildLoad2(v->b, mask_type(v), header->loop_mask, "")
                            : level_mask(v, level);
    LLVMValueRef slot =
        is_loop_node(cfg, node, level) ? v->blocks[node].loop_mask : v->blocks[node].mask;
    if (slot)
        add_to_mask(v, slot, mask);
    LLVMBuildBr(v->b, label_after(v, header->after_loop, level));
}

static void clear_masks(struct gcl_vector *v, int level) {
    for (int b = 0; b < v->cfg->count; b++) {
        struct gcl_vector_block *block = &v->blocks[b];
        if (node_of(v->cfg, b, level) != b)
            continue;
        LLVMValueRef slot = is_loop_node(v->cfg, b, level) ? block->loop_mask : block->mask;
        if (slot)
            LLVMBuildStore(v->b, LLVMConstNull(mask_type(v)), slot);
    }
}

// In front of a node that varies: is there anybody to run it for?
static LLVMValueRef enter_masked(struct gcl_vector *v, LLVMValueRef slot, int after, int level) {
    assert(LLVMGetAllocatedType(slot) == mask_type(v));
    LLVMBasicBlockRef body = new_block(v, "some");
    LLVMValueRef mask = LLVMBuildLoad2(v->b, mask_type(v), slot, "");
    LLVMBuildCondBr(v->b, gcl_vector_any(v, mask), body, label_after(v, after, level));
    LLVMPositionBuilderAtEnd(v->b, body);
    return mask;
}

static void enter_loop(struct gcl_vector *v, int loop) {
    int header = v->cfg->loops[loop].header, level = v->cfg->loops[loop].parent;
    struct gcl_vector_block *block = &v->blocks[header];
    LLVMPositionBuilderAtEnd(v->b, block->loop_label);
    LLVMValueRef mask =
        block->loop_varies ? enter_masked(v, block->loop_mask, block->after_loop, level) : NULL;
    if (v->loops[loop].live) {
        mask = mask ? mask : level_mask(v, level);
        LLVMBuildStore(v->b, gcl_vector_mask(v, mask), v->loops[loop].live);
    }
    LLVMBuildBr(v->b, block->label);
}

static void begin_iteration(struct gcl_vector *v, int loop) {
    clear_masks(v, loop);
    if (v->loops[loop].next)
        LLVMBuildStore(v->b, LLVMConstNull(mask_type(v)), v->loops[loop].next);
}

static void close_loop(struct gcl_vector *v, int loop) {
    struct gcl_vector_loop *l = &v->loops[loop];
    if (!l->closing)
        return;
    assert(l->diverges && l->live && l->next); // as declare_blocks makes them together
    LLVMBasicBlockRef done = new_block(v, "done");
    LLVMPositionBuilderAtEnd(v->b, l->closing);
    LLVMValueRef next = LLVMBuildLoad2(v->b, mask_type(v), l->next, "");
    LLVMBuildStore(v->b, next, l->live);
    LLVMBuildCondBr(v->b, gcl_vector_any(v, next), v->blocks[v->cfg->loops[loop].header].label,
                    done);
    LLVMPositionBuilderAtEnd(v->b, done);
    leave_loop(v, loop);
}

// Branches.

static void edge_and_jump(struct gcl_vector *v, int from, int to) {
    const struct gcl_cfg *cfg = v->cfg;
    int level = cfg->blocks[from].loop;
    bool leaves = node_of(cfg, to, level) == GCL_NOWHERE;
    // Other lanes may have left a loop before, and keep what they took along.
    LLVMValueRef mask = leaves && v->loops[level].diverges ? v->mask : NULL;
    write_phis(v, to, read_phis(v, from, to), mask, NULL);
    if (leaves)
        leave_loop(v, level);
    else
        LLVMBuildBr(v->b, jump_label(v, from, to));
}

// A branch that all lanes take the same way.
static void common_branch(struct gcl_vector *v, int b, LLVMValueRef condition) {
    const int *to = v->cfg->blocks[b].successors;
    assert(to[0] != GCL_NOWHERE && to[1] != GCL_NOWHERE);
    LLVMBasicBlockRef ways[] = {new_block(v, ""), new_block(v, "")};
    LLVMBuildCondBr(v->b, condition, ways[0], ways[1]);
    for (int s = 0; s < 2; s++) {
        LLVMPositionBuilderAtEnd(v->b, ways[s]);
        gcl_vector_forget(v);
        edge_and_jump(v, b, to[s]);
    }
}

// A guard that holds for all lanes or for none is a branch; when it parts them, the function for
// some of the lanes starts anew: nothing has had an effect yet.
static void guard(struct gcl_vector *v, int b, LLVMValueRef condition) {
    assert(v->rest && !v->blocks[b].varies && v->cfg->blocks[b].loop == GCL_NOWHERE);
    LLVMBasicBlockRef some = new_block(v, "some"), parted = new_block(v, "parted");
    LLVMBasicBlockRef common = new_block(v, "common");
    LLVMValueRef all = gcl_vector_all(v, condition);
    LLVMBuildCondBr(v->b, all, common, some);
    LLVMPositionBuilderAtEnd(v->b, some);
    LLVMBuildCondBr(v->b, gcl_vector_any(v, condition), parted, common);
    LLVMPositionBuilderAtEnd(v->b, parted);
    gcl_vector_hand_over(v);
    LLVMPositionBuilderAtEnd(v->b, common);
    common_branch(v, b, all);
}

static void masked_branch(struct gcl_vector *v, int b, LLVMValueRef end) {
    const int *to = v->cfg->blocks[b].successors;
    assert(to[0] != to[1] && to[1] != GCL_NOWHERE);
    LLVMValueRef condition = LLVMGetCondition(end);
    bool is_common = gcl_vector_info(v, condition).variance == GCL_VARIANCE_UNIFORM;
    LLVMValueRef built =
        is_common ? gcl_vector_scalar(v, condition) : gcl_vector_lanes(v, condition);
    GArray *values[] = {read_phis(v, b, to[0]), read_phis(v, b, to[1])};
    for (int s = 0; s < 2; s++) {
        LLVMValueRef mask = gcl_vector_narrow(v, v->mask, built, s == 0);
        note_edge(v, b, to[s], mask);
        write_phis(v, to[s], values[s], mask, gcl_vector_any(v, mask));
    }
}

static void masked_jump(struct gcl_vector *v, int b, int to) {
    note_edge(v, b, to, v->mask);
    write_phis(v, to, read_phis(v, b, to), v->mask, NULL);
}

static bool is_single(const struct gcl_vector *v, int b) {
    const int *to = v->cfg->blocks[b].successors;
    return to[1] == GCL_NOWHERE || to[1] == to[0];
}

static void branch(struct gcl_vector *v, int b) {
    const struct gcl_vector_block *block = &v->blocks[b];
    const struct gcl_cfg_block *source = &v->cfg->blocks[b];
    LLVMValueRef end = LLVMGetBasicBlockTerminator(source->block);
    if (LLVMIsAReturnInst(end)) {
        gcl_vector_return(v, LLVMGetOperand(end, 0));
    } else if (block->varies || block->masks_edges) {
        if (is_single(v, b))
            masked_jump(v, b, source->successors[0]);
        else
            masked_branch(v, b, end);
        LLVMBuildBr(v->b, label_after(v, block->after, source->loop));
    } else if (is_single(v, b)) {
        note_edge(v, b, source->successors[0], v->mask);
        edge_and_jump(v, b, source->successors[0]);
    } else if (v->guards[b]) {
        guard(v, b, gcl_vector_lanes(v, LLVMGetCondition(end)));
    } else {
        common_branch(v, b, gcl_vector_scalar(v, LLVMGetCondition(end)));
    }
}

static void build_block(struct gcl_vector *v, int b) {
    const struct gcl_vector_block *block = &v->blocks[b];
    const struct gcl_cfg_block *source = &v->cfg->blocks[b];
    gcl_vector_forget(v);
    LLVMPositionBuilderAtEnd(v->b, block->label);
    if (is_header(v->cfg, b))
        begin_iteration(v, source->loop);
    if (!block->varies)
        v->mask = level_mask(v, source->loop);
    else if (gcl_twins_are_all(v, source->block))
        v->mask = LLVMBuildLoad2(v->b, mask_type(v), block->mask, "");
    else
        v->mask = enter_masked(v, block->mask, block->after, source->loop);
    LLVMValueRef end = LLVMGetBasicBlockTerminator(source->block);
    for (LLVMValueRef i = LLVMGetFirstInstruction(source->block); i != end;
         i = LLVMGetNextInstruction(i)) {
        if (v->m->options->lines)
            LLVMSetCurrentDebugLocation2(v->b, LLVMInstructionGetDebugLoc(i));
        gcl_vector_instruction(v, i);
        gcl_vector_check(v, i);
    }
    assert(v->waiting->len == 0); // whatever waits is followed by something in its block
    branch(v, b);
}

void gcl_vector_body(struct gcl_vector *v) {
    declare_blocks(v);
    if (v->state)
        gcl_vector_begin_steps(v);
    clear_masks(v, GCL_NOWHERE);
    LLVMBuildBr(v->b, label_of(v, 0, GCL_NOWHERE));
    for (int b = 0; b < v->cfg->count; b++) {
        if (is_header(v->cfg, b))
            enter_loop(v, v->cfg->blocks[b].loop);
        build_block(v, b);
    }
    for (int l = 0; l < v->cfg->loop_count; l++)
        close_loop(v, l);
    if (v->state)
        gcl_vector_end_steps(v);
}
