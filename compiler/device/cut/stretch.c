// Stretches: memory that a block reads from end to end, but not in that order.
//
// Where a thread sums two elements a block's width apart, a block's vectors take turns: lines from
// the first half of its stretch, lines from the second, the next ones from the first. A processor
// fetches ahead of what goes up (Zen 4: 31 GB/s on one core) and waits for what goes to and fro
// (11 GB/s). So the kernel is cut between the loads: all threads read from one part before any of
// them reads from the next. What they have read waits in the block's frame, in the first cache.
//
// Before: loops have one header and one latch (ir/cfg.h), and the kernel has a barrier, so that it
// keeps values for its threads anyway. After: cuts that only order.
#include "device/cut/stretch.h"

#include <assert.h>

#include "device/cut/cut.h"
#include "device/cut/step.h"
#include "device/ir/cfg.h"
#include "device/ir/intrinsics.h"
#include "device/ir/module.h"
#include "device/ir/shim.h"

// LANES: one vector of them reads what is next to each other anyway. KEPT: bytes that a thread may
// keep of all parts but the last; a Fourier transform, of 24, gained nothing.
enum { LANES = 64, KEPT = 16 };

struct stretch {
    LLVMValueRef base; ///< of the loads' addresses
    int64_t first;     ///< where the lowest load reads, in bytes from there
    int64_t part;      ///< bytes
    int64_t element;   ///< bytes from thread to thread
    int64_t parts;
};

static bool is_plain_load(LLVMValueRef i) {
    return LLVMIsALoadInst(i) && !LLVMGetVolatile(i) &&
           LLVMGetOrdering(i) == LLVMAtomicOrderingNotAtomic &&
           gcl_step_is_global(LLVMGetOperand(i, 0));
}

// Whether `i` loads from `stretch`; where, in bytes from its first one.
static bool reads(const struct gcl_module *m, const struct stretch *stretch, LLVMValueRef i,
                  int64_t *place) {
    if (!is_plain_load(i) || gcl_shim_base(m->layout, LLVMGetOperand(i, 0), place) != stretch->base)
        return false;
    *place -= stretch->first;
    return true;
}

// The bytes by which the next thread or block along x moves an address; 0: not known.
static int64_t distance(struct gcl_step_search *s, LLVMValueRef address,
                        enum gcl_intrinsic_kind counter) {
    s->counter = counter;
    s->failed = false;
    LLVMValueRef step = gcl_step_of(s, address, GCL_STEP_DEPTH);
    return !s->failed && LLVMIsAConstantInt(step) ? LLVMConstIntGetSExtValue(step) : 0;
}

// The stretch's loads among the instructions of `block`, as they stand there. False if one reads
// outside of the threads' elements, or memory may change between them.
static bool find_loads(const struct gcl_module *m, const struct stretch *stretch,
                       LLVMBasicBlockRef block, GPtrArray *loads) {
    int64_t place;
    bool may_change = false;
    for (LLVMValueRef i = LLVMGetFirstInstruction(block); i; i = LLVMGetNextInstruction(i)) {
        may_change |= loads->len > 0 && gcl_shim_may_write(i);
        if (!reads(m, stretch, i, &place))
            continue;
        if (may_change || place < 0 || place >= stretch->part * stretch->parts ||
            place % stretch->part >= stretch->element)
            return false;
        g_ptr_array_add(loads, i);
    }
    return true;
}

static int64_t part_of(const struct gcl_module *m, const struct stretch *stretch,
                       LLVMValueRef load) {
    int64_t place;
    bool reads_it = reads(m, stretch, load, &place);
    assert(reads_it);
    return reads_it ? place / stretch->part : 0;
}

// Whether all parts are read.
static bool has_all_parts(const struct gcl_module *m, const struct stretch *stretch,
                          const GPtrArray *loads) {
    unsigned seen = 0;
    for (guint i = 0; i < loads->len; i++)
        seen |= 1u << part_of(m, stretch, loads->pdata[i]);
    return seen == (1u << stretch->parts) - 1;
}

// The lowest place, from their common base, that loads beside `load` read.
static int64_t lowest_place(const struct gcl_module *m, LLVMValueRef load,
                            const struct stretch *stretch) {
    int64_t place, lowest = INT64_MAX;
    struct stretch all = {.base = stretch->base};
    LLVMValueRef i = LLVMGetFirstInstruction(LLVMGetInstructionParent(load));
    for (; i; i = LLVMGetNextInstruction(i)) {
        if (reads(m, &all, i, &place))
            lowest = MIN(lowest, place);
    }
    return lowest;
}

// The stretch that `load` and loads beside it read, and those.
static bool find_stretch(struct gcl_step_search *s, LLVMValueRef load, struct stretch *stretch,
                         GPtrArray *loads) {
    LLVMValueRef address = LLVMGetOperand(load, 0);
    int64_t own, bytes = distance(s, address, GCL_INTRINSIC_BLOCK_INDEX);
    stretch->element = distance(s, address, GCL_INTRINSIC_THREAD);
    stretch->base = gcl_shim_base(s->m->layout, address, &own);
    stretch->first = lowest_place(s->m, load, stretch);
    if (stretch->element <= 0)
        return false;
    for (stretch->parts = 2; (stretch->parts - 1) * stretch->element <= KEPT; stretch->parts++) {
        stretch->part = bytes / stretch->parts;
        g_ptr_array_set_size(loads, 0);
        if (bytes % stretch->parts == 0 && stretch->part > LANES * stretch->element &&
            find_loads(s->m, stretch, LLVMGetInstructionParent(load), loads) &&
            has_all_parts(s->m, stretch, loads))
            return true;
    }
    return false;
}

// Puts `load` in front of `place`; returns where what is put in front of that has to go.
static LLVMValueRef move(struct gcl_step_search *s, LLVMValueRef load, LLVMValueRef place) {
    int64_t bytes;
    if (load == place)
        return load;
    LLVMValueRef base = gcl_shim_base(s->m->layout, LLVMGetOperand(load, 0), &bytes);
    LLVMValueRef offset = gcl_u64(s->m, (uint64_t)bytes);
    LLVMTypeRef i8 = LLVMInt8TypeInContext(s->m->context);
    LLVMPositionBuilderBefore(s->b, place);
    LLVMValueRef address = LLVMBuildGEP2(s->b, i8, base, &offset, 1, "");
    LLVMInstructionRemoveFromParent(load);
    LLVMSetOperand(load, 0, address);
    LLVMInsertIntoBuilder(s->b, load);
    return address;
}

// Has the parts read where the first load stands, from the last part up, with cuts between.
static void cut(struct gcl_step_search *s, const struct stretch *stretch, const GPtrArray *loads) {
    LLVMValueRef place = loads->pdata[0];
    for (int64_t part = stretch->parts - 1; part >= 0; part--) {
        for (guint i = loads->len; i-- > 0;) {
            if (part_of(s->m, stretch, loads->pdata[i]) == part)
                place = move(s, loads->pdata[i], place);
        }
        if (part > 0)
            place = gcl_cut_add(s->m, place, "__gcl_order", NULL, 0);
    }
}

// Whether an earlier load of the basic block has the same base.
static bool is_first(const struct gcl_module *m, LLVMValueRef load) {
    int64_t place;
    struct stretch all = {.base = gcl_shim_base(m->layout, LLVMGetOperand(load, 0), &place)};
    for (LLVMValueRef i = LLVMGetPreviousInstruction(load); i; i = LLVMGetPreviousInstruction(i)) {
        if (reads(m, &all, i, &place))
            return false;
    }
    return true;
}

static void cut_block(struct gcl_step_search *s, LLVMBasicBlockRef block) {
    g_autoptr(GPtrArray) firsts = g_ptr_array_new(), loads = g_ptr_array_new();
    struct stretch stretch;
    for (LLVMValueRef i = LLVMGetFirstInstruction(block); i; i = LLVMGetNextInstruction(i)) {
        if (is_plain_load(i) && is_first(s->m, i))
            g_ptr_array_add(firsts, i);
    }
    for (guint i = 0; i < firsts->len; i++) {
        LLVMPositionBuilderBefore(s->b, firsts->pdata[i]);
        if (find_stretch(s, firsts->pdata[i], &stretch, loads))
            cut(s, &stretch, loads);
    }
}

static bool has_barrier(const struct gcl_cfg *cfg) {
    for (int b = 0; b < cfg->count; b++) {
        LLVMValueRef i = LLVMGetFirstInstruction(cfg->blocks[b].block);
        for (; i; i = LLVMGetNextInstruction(i)) {
            const struct gcl_intrinsic *intrinsic =
                LLVMIsACallInst(i) ? gcl_intrinsic_find(i) : NULL;
            if (intrinsic && intrinsic->kind == GCL_INTRINSIC_CUT &&
                intrinsic->cut == GCL_CUT_BARRIER)
                return true;
        }
    }
    return false;
}

void gcl_stretches_cut(struct gcl_module *m, struct gcl_device_kernel *kernel) {
    struct gcl_cfg *cfg = gcl_cfg_create(kernel->function);
    struct gcl_step_search s = {
        .m = m, .cfg = cfg, .loop = GCL_NOWHERE, .b = LLVMCreateBuilderInContext(m->context)};
    // Basic blocks to which all threads come, and together.
    for (int b = 0; b != GCL_NOWHERE && has_barrier(cfg); b = cfg->blocks[b].postdominator) {
        if (cfg->blocks[b].loop == GCL_NOWHERE)
            cut_block(&s, cfg->blocks[b].block);
    }
    LLVMDisposeBuilder(s.b);
    gcl_cfg_destroy(cfg);
}
