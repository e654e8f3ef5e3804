// Orders blocks, finds postdominators (Cooper, Harvey and Kennedy, "A Simple, Fast Dominance
// Algorithm", 2001) and natural loops.
#include "device/ir/cfg.h"

#include <assert.h>
#include <string.h>

// A depth-first search from the entry.
struct walk {
    GPtrArray *postorder;
    GHashTable *seen;
    const struct gcl_cfg *known; ///< NULL in the first walk
};

// What lies behind a loop first: what is finished first comes last, so a loop stays in one piece.
static void visit(struct walk *w, LLVMBasicBlockRef block) {
    if (!g_hash_table_add(w->seen, block))
        return;
    for (int l = 0; w->known && l < w->known->loop_count; l++) {
        const struct gcl_cfg_loop *loop = &w->known->loops[l];
        if (w->known->blocks[loop->header].block == block && loop->exit != GCL_NOWHERE)
            visit(w, w->known->blocks[loop->exit].block);
    }
    LLVMValueRef end = LLVMGetBasicBlockTerminator(block);
    assert(end);
    for (unsigned s = LLVMGetNumSuccessors(end); s-- > 0;)
        visit(w, LLVMGetSuccessor(end, s));
    g_ptr_array_add(w->postorder, block);
}

static void link_blocks(struct gcl_cfg *cfg) {
    for (int b = 0; b < cfg->count; b++) {
        struct gcl_cfg_block *block = &cfg->blocks[b];
        LLVMValueRef end = LLVMGetBasicBlockTerminator(block->block);
        for (unsigned s = 0; s < 2; s++) {
            block->successors[s] = GCL_NOWHERE;
            if (s < LLVMGetNumSuccessors(end))
                block->successors[s] = gcl_cfg_index(cfg, LLVMGetSuccessor(end, s));
        }
        block->predecessors = g_new(int, 1);
        block->postdominator = block->loop = GCL_NOWHERE;
    }
    for (int b = 0; b < cfg->count; b++) {
        for (int s = 0; s < 2; s++) {
            int to = cfg->blocks[b].successors[s];
            if (to == GCL_NOWHERE || (s == 1 && to == cfg->blocks[b].successors[0]))
                continue;
            struct gcl_cfg_block *next = &cfg->blocks[to];
            next->predecessors = g_renew(int, next->predecessors, next->predecessor_count + 1);
            next->predecessors[next->predecessor_count++] = b;
        }
    }
}

static void number_blocks(struct gcl_cfg *cfg, GPtrArray *postorder) {
    cfg->count = (int)postorder->len;
    cfg->blocks = g_new0(struct gcl_cfg_block, postorder->len);
    g_hash_table_remove_all(cfg->index);
    for (int b = 0; b < cfg->count; b++) {
        cfg->blocks[b].block = postorder->pdata[cfg->count - 1 - b];
        g_hash_table_insert(cfg->index, cfg->blocks[b].block, GINT_TO_POINTER(b + 1));
    }
    link_blocks(cfg);
}

static void free_blocks(struct gcl_cfg *cfg) {
    for (int b = 0; b < cfg->count; b++)
        g_free(cfg->blocks[b].predecessors);
    g_free(cfg->blocks);
    g_free(cfg->loops);
    cfg->loops = NULL;
    cfg->loop_count = 0;
}

// Reverse postorder isn't a postorder of the reversed graph, so this numbers that one anew.
struct reverse {
    const struct gcl_cfg *cfg;
    int *order; ///< block -> its number in the reversed graph's postorder, -1 if not seen
    int *block; ///< the other way
    int count;
};

static void visit_back(struct reverse *r, int b) {
    if (r->order[b] != GCL_NOWHERE)
        return;
    r->order[b] = 0; // on the way
    for (int p = 0; p < r->cfg->blocks[b].predecessor_count; p++)
        visit_back(r, r->cfg->blocks[b].predecessors[p]);
    r->order[b] = r->count;
    r->block[r->count++] = b;
}

static int meet(const struct reverse *r, const int *idom, int a, int b) {
    assert(a >= 0 && b >= 0);
    while (a != b) {
        while (r->order[a] < r->order[b])
            a = idom[a];
        while (r->order[b] < r->order[a])
            b = idom[b];
    }
    return a;
}

static void find_postdominators(struct gcl_cfg *cfg) {
    struct reverse r = {.cfg = cfg};
    g_autofree int *order = r.order = g_new(int, cfg->count);
    g_autofree int *block = r.block = g_new(int, cfg->count);
    g_autofree int *idom = g_new(int, cfg->count);
    int root = GCL_NOWHERE;
    for (int b = 0; b < cfg->count; b++) {
        order[b] = idom[b] = GCL_NOWHERE;
        if (LLVMIsAReturnInst(LLVMGetBasicBlockTerminator(cfg->blocks[b].block)))
            root = b;
    }
    if (root == GCL_NOWHERE)
        return;
    visit_back(&r, root);
    idom[root] = root;
    for (bool changed = true; changed;) {
        changed = false;
        for (int i = r.count - 2; i >= 0; i--) {
            int b = block[i], found = GCL_NOWHERE;
            for (int s = 0; s < 2; s++) {
                int next = cfg->blocks[b].successors[s];
                if (next == GCL_NOWHERE || order[next] == GCL_NOWHERE || idom[next] == GCL_NOWHERE)
                    continue;
                found = found == GCL_NOWHERE ? next : meet(&r, idom, found, next);
            }
            changed |= found != idom[b];
            idom[b] = found;
        }
    }
    for (int b = 0; b < cfg->count; b++)
        cfg->blocks[b].postdominator = b == root ? GCL_NOWHERE : idom[b];
}

static void collect_body(const struct gcl_cfg *cfg, bool *body, int b) {
    if (body[b])
        return;
    body[b] = true;
    for (int p = 0; p < cfg->blocks[b].predecessor_count; p++)
        collect_body(cfg, body, cfg->blocks[b].predecessors[p]);
}

// Back edges lead to an earlier block: control flow is reducible. Outer headers come first in
// reverse postorder, so inner loops overwrite what outer ones noted.
static void find_loops(struct gcl_cfg *cfg) {
    g_autofree bool *body = g_new(bool, cfg->count);
    for (int h = 0; h < cfg->count; h++) {
        memset(body, 0, (size_t)cfg->count * sizeof *body);
        body[h] = true;
        int latch = GCL_NOWHERE;
        for (int p = 0; p < cfg->blocks[h].predecessor_count; p++) {
            if (cfg->blocks[h].predecessors[p] < h)
                continue;
            latch = cfg->blocks[h].predecessors[p];
            collect_body(cfg, body, latch);
        }
        if (latch == GCL_NOWHERE)
            continue;
        cfg->loops = g_renew(struct gcl_cfg_loop, cfg->loops, cfg->loop_count + 1);
        struct gcl_cfg_loop *loop = &cfg->loops[cfg->loop_count];
        *loop = (struct gcl_cfg_loop){h, latch, GCL_NOWHERE, cfg->blocks[h].loop};
        for (int b = 0; b < cfg->count; b++) {
            if (!body[b])
                continue;
            cfg->blocks[b].loop = cfg->loop_count;
            for (int s = 0; s < 2; s++) {
                int next = cfg->blocks[b].successors[s];
                if (next != GCL_NOWHERE && !body[next])
                    loop->exit = next;
            }
        }
        cfg->loop_count++;
    }
}

// Where threads return comes last, also behind loops without end, from which nothing leads there.
static void visit_return(struct walk *w, LLVMValueRef function) {
    LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function);
    for (; block; block = LLVMGetNextBasicBlock(block)) {
        if (LLVMIsAReturnInst(LLVMGetBasicBlockTerminator(block)))
            visit(w, block);
    }
}

static void order_blocks(struct gcl_cfg *cfg, LLVMValueRef function, const struct gcl_cfg *known) {
    struct walk w = {
        .postorder = g_ptr_array_new(),
        .seen = g_hash_table_new(g_direct_hash, g_direct_equal),
        .known = known,
    };
    visit_return(&w, function);
    visit(&w, LLVMGetEntryBasicBlock(function));
    number_blocks(cfg, w.postorder);
    find_loops(cfg);
    g_hash_table_destroy(w.seen);
    g_ptr_array_free(w.postorder, TRUE);
}

// Whether each block behind block `b` knows it as a predecessor.
static bool is_known_behind(const struct gcl_cfg *cfg, int b) {
    for (int s = 0; s < 2; s++) {
        int next = cfg->blocks[b].successors[s], p = 0;
        if (next == GCL_NOWHERE)
            continue;
        while (p < cfg->blocks[next].predecessor_count && cfg->blocks[next].predecessors[p] != b)
            p++;
        if (p == cfg->blocks[next].predecessor_count)
            return false;
    }
    return true;
}

static bool is_sound(const struct gcl_cfg *cfg, int b) {
    const struct gcl_cfg_block *block = &cfg->blocks[b];
    bool comes_later = block->predecessor_count == 0;
    for (int p = 0; p < block->predecessor_count; p++)
        comes_later |= block->predecessors[p] < b;
    return (comes_later || b == 0) && gcl_cfg_index(cfg, block->block) == b &&
           block->postdominator != b && is_known_behind(cfg, b) &&
           (block->loop == GCL_NOWHERE || cfg->loops[block->loop].header <= b);
}

bool gcl_cfg_is_sound(const struct gcl_cfg *cfg) {
    for (int b = 0; b < cfg->count; b++) {
        if (!is_sound(cfg, b))
            return false;
    }
    for (int l = 0; l < cfg->loop_count; l++) {
        const struct gcl_cfg_loop *loop = &cfg->loops[l];
        if (loop->parent >= l || loop->latch < loop->header ||
            cfg->blocks[loop->header].loop != l ||
            (loop->exit != GCL_NOWHERE && gcl_cfg_in_loop(cfg, loop->exit, l)) ||
            !gcl_cfg_in_loop(cfg, loop->latch, l))
            return false;
    }
    return true;
}

struct gcl_cfg *gcl_cfg_create(LLVMValueRef function) {
    struct gcl_cfg *cfg = g_new0(struct gcl_cfg, 1);
    struct gcl_cfg rough = {.index = g_hash_table_new(g_direct_hash, g_direct_equal)};
    cfg->index = g_hash_table_new(g_direct_hash, g_direct_equal);
    order_blocks(&rough, function, NULL);
    order_blocks(cfg, function, &rough);
    free_blocks(&rough);
    g_hash_table_destroy(rough.index);
    find_postdominators(cfg);
    assert(gcl_cfg_is_sound(cfg));
    return cfg;
}

void gcl_cfg_destroy(struct gcl_cfg *cfg) {
    if (!cfg)
        return;
    free_blocks(cfg);
    g_hash_table_destroy(cfg->index);
    g_free(cfg);
}

int gcl_cfg_index(const struct gcl_cfg *cfg, LLVMBasicBlockRef block) {
    return GPOINTER_TO_INT(g_hash_table_lookup(cfg->index, block)) - 1;
}

bool gcl_cfg_in_loop(const struct gcl_cfg *cfg, int b, int loop) {
    assert(b >= 0 && b < cfg->count && loop < cfg->loop_count);
    int inner = cfg->blocks[b].loop;
    while (inner != loop && inner != GCL_NOWHERE)
        inner = cfg->loops[inner].parent;
    return inner == loop;
}

void gcl_cfg_between(const struct gcl_cfg *cfg, int from, int end, int loop, bool *seen) {
    assert(from >= 0 && from < cfg->count && end < cfg->count);
    for (int s = 0; s < 2; s++) {
        int next = cfg->blocks[from].successors[s];
        if (next == GCL_NOWHERE || next == end || seen[next] || !gcl_cfg_in_loop(cfg, next, loop) ||
            (loop != GCL_NOWHERE && next == cfg->loops[loop].header))
            continue;
        seen[next] = true;
        gcl_cfg_between(cfg, next, end, loop, seen);
    }
}

static bool holds(const struct gcl_cfg *cfg, int loop, LLVMBasicBlockRef block) {
    return gcl_cfg_in_loop(cfg, gcl_cfg_index(cfg, block), loop);
}

// What `follows` passes on unchanged.
struct search {
    const struct gcl_cfg *cfg;
    int loop;
    bool (*on)(LLVMValueRef);
    GHashTable *seen;
};

static bool follows(const struct search *s, LLVMValueRef value) {
    if (!LLVMIsAInstruction(value) || !holds(s->cfg, s->loop, LLVMGetInstructionParent(value)) ||
        !g_hash_table_add(s->seen, value))
        return false;
    if (s->on(value))
        return true;
    for (int i = 0; i < LLVMGetNumOperands(value); i++) {
        if (follows(s, LLVMGetOperand(value, (unsigned)i)))
            return true;
    }
    return false;
}

bool gcl_cfg_follows(const struct gcl_cfg *cfg, int loop, LLVMValueRef value,
                     bool (*on)(LLVMValueRef)) {
    g_autoptr(GHashTable) seen = g_hash_table_new(g_direct_hash, g_direct_equal);
    struct search search = {cfg, loop, on, seen};
    return follows(&search, value);
}

bool gcl_cfg_is_left_by(const struct gcl_cfg *cfg, int loop, bool (*on)(LLVMValueRef)) {
    for (int b = 0; b < cfg->count; b++) {
        LLVMValueRef end = LLVMGetBasicBlockTerminator(cfg->blocks[b].block);
        bool leaves = false;
        for (unsigned s = 0; s < LLVMGetNumSuccessors(end); s++)
            leaves |= !holds(cfg, loop, LLVMGetSuccessor(end, s));
        if (leaves && gcl_cfg_in_loop(cfg, b, loop) && LLVMGetNumSuccessors(end) > 1 &&
            gcl_cfg_follows(cfg, loop, LLVMGetOperand(end, 0), on))
            return true;
    }
    return false;
}
