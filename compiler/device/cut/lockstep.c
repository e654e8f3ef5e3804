// Programs from the time when the threads of a warp ran in step exchange data without asking for
// it: all lanes read, then all lanes write. Vectors that are warps do the same. Where threads run
// one after the other, the lanes that are there wait for each other in front of an access that may
// touch what others have touched, and wherever volatile accesses change from reading to writing or
// back.
//
// What a block reads behind a barrier, or for work that warps do alike, all its warps have read
// before a later write of the same region may change it: the region is cut in front of such a
// write.
#include "device/cut/lockstep.h"

#include "device/cut/cut.h"
#include "device/cut/moment.h"
#include "device/cut/order.h"
#include "device/cut/ways.h"
#include "device/ir/cfg.h"
#include "device/ir/module.h"

static LLVMValueRef add_sync(struct gcl_module *m, LLVMValueRef before) {
    LLVMValueRef whoever_came = gcl_u32(m, 0);
    return gcl_cut_add(m, before, "__gcl_warp_sync", &whoever_came, 1);
}

// Volatile accesses.

static char access_kind(LLVMValueRef i) {
    if (LLVMIsALoadInst(i) && LLVMGetVolatile(i))
        return 'l';
    return LLVMIsAStoreInst(i) && LLVMGetVolatile(i) ? 's' : 0;
}

static bool has_access(LLVMValueRef function, char kind) {
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b; b = LLVMGetNextBasicBlock(b)) {
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i)) {
            if (access_kind(i) == kind)
                return true;
        }
    }
    return false;
}

static void order_volatile(struct gcl_module *m, struct gcl_device_kernel *kernel) {
    LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(kernel->function);
    for (; b; b = LLVMGetNextBasicBlock(b)) {
        char last = 0; // other blocks may have done either
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i)) {
            LLVMValueRef before = LLVMGetPreviousInstruction(i);
            char kind = access_kind(i);
            if (kind && kind != last && !(before && gcl_wait_is_at(before, GCL_WAIT_WARP)))
                add_sync(m, i);
            last = kind ? kind : last;
        }
    }
}

// Lanes of a warp.

// Blocks of the control flow to which not all threads of a block come together.
static bool *find_varying(const struct gcl_order *order) {
    const struct gcl_cfg *cfg = order->cfg;
    bool *varies = g_new0(bool, cfg->count);
    for (int b = 0; b < cfg->count; b++) {
        for (int l = cfg->blocks[b].loop; l != GCL_NOWHERE; l = cfg->loops[l].parent)
            varies[b] |= order->u->divergent_loops[l];
        if (order->u->branches[b])
            gcl_cfg_between(cfg, b, cfg->blocks[b].postdominator, GCL_NOWHERE, varies);
    }
    return varies;
}

static LLVMValueRef instruction_at(const struct gcl_order *order, guint access) {
    return g_array_index(order->accesses, struct gcl_order_access, access).instruction;
}

// Lanes that have less to do in an iteration must not be a whole one ahead.
static void close_loops(const struct gcl_order *order, bool *closed, int block) {
    const struct gcl_cfg *cfg = order->cfg;
    for (int l = cfg->blocks[block].loop; l != GCL_NOWHERE; l = cfg->loops[l].parent) {
        bool is_passed = cfg->blocks[block].loop == l &&
                         gcl_moments_dominates(order->moments, block, cfg->loops[l].latch);
        if (closed[l] || is_passed)
            continue;
        closed[l] = true;
        LLVMValueRef end = LLVMGetBasicBlockTerminator(cfg->blocks[cfg->loops[l].latch].block);
        gcl_ways_add(order->ways, add_sync(order->m, end));
    }
}

// The first access that `second` still has to wait for, NULL: none.
static LLVMValueRef find_first(const struct gcl_order *order, guint second) {
    for (guint p = 0; p < order->lanes->len; p++) {
        const struct gcl_order_pair *pair = &g_array_index(order->lanes, struct gcl_order_pair, p);
        LLVMValueRef first = instruction_at(order, pair->first);
        if (pair->second == second &&
            gcl_ways_lead(order->ways, first, instruction_at(order, second), GCL_WAIT_WARP))
            return first;
    }
    return NULL;
}

// What stands on the line of a branch is in front of it there.
static void tell_lanes(const struct gcl_order *order, const bool *varies, LLVMValueRef first,
                       LLVMValueRef second) {
    int b = gcl_cfg_index(order->cfg, LLVMGetInstructionParent(second));
    int outer = order->moments->dominators[b];
    LLVMValueRef branch =
        b > 0 ? LLVMGetBasicBlockTerminator(order->cfg->blocks[outer].block) : NULL;
    bool is_inside = !branch || LLVMGetDebugLocLine(branch) != LLVMGetDebugLocLine(second);
    bool differs_outside = b > 0 && varies[outer];
    const struct gcl_order_telling telling = {
        .first = first,
        .second = second,
        .before = second,
        .differs = is_inside ? varies[b] : differs_outside,
        .differs_outside = differs_outside,
    };
    gcl_order_tell(order, &telling);
}

static void order_lanes(const struct gcl_order *order) {
    g_autofree bool *closed = g_new0(bool, order->cfg->loop_count + 1);
    g_autofree bool *varies = find_varying(order);
    for (guint a = 0; a < order->accesses->len; a++) {
        LLVMValueRef first = find_first(order, a), second = instruction_at(order, a);
        if (!first)
            continue;
        tell_lanes(order, varies, first, second);
        gcl_ways_add(order->ways, add_sync(order->m, second));
        close_loops(order, closed,
                    g_array_index(order->accesses, struct gcl_order_access, a).block);
    }
}

// Warps of a block.

static bool postdominates(const struct gcl_cfg *cfg, int a, int b) {
    while (b != a && b != GCL_NOWHERE)
        b = cfg->blocks[b].postdominator;
    return b == a;
}

// Behind `first` and in front of `second`, where as many threads as can be come together: a block
// then goes from region to region as one.
static LLVMValueRef find_place(const struct gcl_order *order, const bool *varies,
                               LLVMValueRef first, LLVMValueRef second) {
    const struct gcl_cfg *cfg = order->cfg;
    int behind = gcl_cfg_index(cfg, LLVMGetInstructionParent(first));
    int b = gcl_cfg_index(cfg, LLVMGetInstructionParent(second));
    int loop = gcl_ways_common_loop(cfg, behind, b);
    LLVMValueRef place = second;
    while (b > 0 && varies[b] && !postdominates(cfg, b, behind)) {
        b = order->moments->dominators[b];
        place = LLVMGetBasicBlockTerminator(cfg->blocks[b].block);
    }
    bool is_between = gcl_cfg_in_loop(cfg, b, loop) &&
                      gcl_ways_lead(order->ways, first, place, GCL_WAIT_BLOCK) &&
                      !gcl_ways_lead(order->ways, place, first, GCL_WAIT_BLOCK);
    return place == second || is_between ? place : second;
}

static void order_warps(const struct gcl_order *order) {
    g_autofree bool *varies = find_varying(order);
    for (guint p = 0; p < order->warps->len; p++) {
        const struct gcl_order_pair *pair = &g_array_index(order->warps, struct gcl_order_pair, p);
        LLVMValueRef first = instruction_at(order, pair->first);
        LLVMValueRef second = instruction_at(order, pair->second);
        if (!gcl_ways_lead(order->ways, first, second, GCL_WAIT_BLOCK))
            continue;
        LLVMValueRef place = find_place(order, varies, first, second);
        const struct gcl_order_telling telling = {first, second, place, true, false, false};
        gcl_order_tell(order, &telling);
        gcl_ways_add(order->ways, gcl_cut_add(order->m, place, "__gcl_order", NULL, 0));
    }
}

// Regions are numbered as their blocks stand, and threads in the lowest one go first.
static void sort_blocks(const struct gcl_cfg *cfg) {
    for (int b = 1; b < cfg->count; b++)
        LLVMMoveBasicBlockAfter(cfg->blocks[b].block, cfg->blocks[b - 1].block);
}

void gcl_lockstep_keep(struct gcl_module *m, struct gcl_device_kernel *kernel) {
    LLVMValueRef function = kernel->function;
    bool is_volatile = has_access(function, 'l') && has_access(function, 's');
    bool races = (m->options->sanitize & GCL_KERNEL_RACE) != 0; // are looked for, not mended
    struct gcl_order *order = kernel->locks || races ? NULL : gcl_order_find(m, kernel);
    if (order && order->lanes->len + order->warps->len > 0) {
        sort_blocks(order->cfg);
        order_warps(order);
        order_lanes(order);
        kernel->has_warps |= order->lanes->len > 0;
    }
    gcl_order_destroy(order);
    kernel->has_warps |= is_volatile;
    kernel->in_step = is_volatile;
    if (is_volatile && !kernel->vector)
        order_volatile(m, kernel);
}
