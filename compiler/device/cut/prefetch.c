// Adds prefetches to loops around barriers: of what a loop reads in its next turn.
//
// A block's threads read together what they need before a barrier, compute, and come back. The
// processor can't look ahead over as much as a block computes, and its own prefetchers follow only
// steps within a page. So where the address of a load moves by a step of the loop that is the same
// in every turn, and long or unknown, what lies one step ahead is asked for. That never faults.
//
// The blocks that a worker runs one after the other are such a loop as well, around the kernel, in
// which it may be several steps.
//
// What all threads store behind a barrier, each at its own place, is asked for in front of the
// first one: stores to lines that come late wait for each other, and a block stores in one go.
//
// Before: loops have one header and one latch (ir/cfg.h). After: calls of llvm.prefetch, in which
// each thread means what it will load itself; vectors make one a cache line of them.
#include "device/cut/prefetch.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "device/cut/cut.h"
#include "device/ir/cfg.h"
#include "device/ir/intrinsics.h"
#include "device/ir/module.h"
#include "device/ir/shim.h"

enum { DEPTH = 24, STEPS = 64, PAGE = 4096, LINE = 64 };
// Bytes. Blocks that each read at least so much in a row, rather than a tile of many rows, are over
// before the next one's lines come, so lines are asked for further ahead. On Zen 4 a reduction of
// 2 KiB a block gains a fifth by that; 4 and 16 KiB ahead are less good.
enum { ROW = 512, FAR = 8192 };

struct search {
    struct gcl_module *m;
    const struct gcl_cfg *cfg;
    int loop; ///< GCL_NOWHERE: that over blocks along x
    LLVMBuilderRef b;
    bool failed;
};

static LLVMValueRef zero(struct search *s) {
    return gcl_u64(s->m, 0);
}

static LLVMValueRef fail(struct search *s) {
    s->failed = true;
    return zero(s);
}

static bool is_outside(struct search *s, LLVMValueRef value) {
    return !LLVMIsAInstruction(value) ||
           !gcl_cfg_in_loop(s->cfg, gcl_cfg_index(s->cfg, LLVMGetInstructionParent(value)),
                            s->loop);
}

static LLVMValueRef widened(struct search *s, LLVMValueRef value) {
    LLVMTypeRef type = LLVMTypeOf(value);
    if (LLVMGetTypeKind(type) != LLVMIntegerTypeKind || LLVMGetIntTypeWidth(type) > 64)
        return fail(s);
    return LLVMBuildIntCast2(s->b, value, gcl_i64(s->m), 1, "");
}

static LLVMValueRef step_of(struct search *s, LLVMValueRef value, unsigned depth);

static LLVMValueRef address_step(struct search *s, LLVMValueRef address, unsigned depth) {
    LLVMTypeRef type = LLVMGetGEPSourceElementType(address);
    LLVMValueRef step = step_of(s, LLVMGetOperand(address, 0), depth);
    for (int n = 1; n < LLVMGetNumOperands(address) && !s->failed; n++) {
        LLVMValueRef index = LLVMGetOperand(address, (unsigned)n);
        if (n > 1 && LLVMGetTypeKind(type) == LLVMStructTypeKind) {
            type = LLVMStructGetTypeAtIndex(type, (unsigned)LLVMConstIntGetZExtValue(index));
            continue;
        }
        if (n > 1)
            type = LLVMGetElementType(type);
        LLVMValueRef size = gcl_u64(s->m, LLVMABISizeOfType(s->m->layout, type));
        LLVMValueRef distance = LLVMBuildMul(s->b, step_of(s, index, depth), size, "");
        step = LLVMBuildAdd(s->b, step, distance, "");
    }
    return step;
}

// By what a turn of the loop moves its variable.
static LLVMValueRef phi_step(struct search *s, LLVMValueRef phi) {
    if (s->loop == GCL_NOWHERE)
        return fail(s);
    const struct gcl_cfg_loop *loop = &s->cfg->loops[s->loop];
    LLVMBasicBlockRef latch = s->cfg->blocks[loop->latch].block;
    if (gcl_cfg_index(s->cfg, LLVMGetInstructionParent(phi)) != loop->header)
        return fail(s);
    for (unsigned n = 0; n < LLVMCountIncoming(phi); n++) {
        LLVMValueRef next = LLVMGetIncomingValue(phi, n);
        if (LLVMGetIncomingBlock(phi, n) != latch)
            continue;
        bool adds = LLVMIsAInstruction(next) &&
                    (LLVMGetInstructionOpcode(next) == LLVMAdd ||
                     (LLVMIsAGetElementPtrInst(next) && LLVMGetNumOperands(next) == 2));
        if (!adds || LLVMGetOperand(next, 0) != phi || !is_outside(s, LLVMGetOperand(next, 1)))
            return fail(s);
        LLVMValueRef step = widened(s, LLVMGetOperand(next, 1));
        if (LLVMGetInstructionOpcode(next) == LLVMAdd)
            return step;
        LLVMTypeRef type = LLVMGetGEPSourceElementType(next);
        LLVMValueRef size = gcl_u64(s->m, LLVMABISizeOfType(s->m->layout, type));
        return LLVMBuildMul(s->b, step, size, "");
    }
    return fail(s);
}

static bool is_still(struct search *s, LLVMValueRef step) {
    return LLVMIsAConstantInt(step) && LLVMIsNull(step) && !s->failed;
}

static LLVMValueRef product_step(struct search *s, LLVMValueRef product, unsigned depth) {
    LLVMValueRef a = LLVMGetOperand(product, 0), b = LLVMGetOperand(product, 1);
    LLVMValueRef step_a = step_of(s, a, depth), step_b = step_of(s, b, depth);
    if (is_still(s, step_b))
        return LLVMBuildMul(s->b, step_a, widened(s, b), "");
    if (is_still(s, step_a))
        return LLVMBuildMul(s->b, step_b, widened(s, a), "");
    return fail(s);
}

// What doesn't change over the turns, if its operands don't.
static LLVMValueRef other_step(struct search *s, LLVMValueRef value, unsigned depth) {
    const struct gcl_intrinsic *intrinsic =
        LLVMIsACallInst(value) ? gcl_intrinsic_find(value) : NULL;
    if (intrinsic && intrinsic->kind == GCL_INTRINSIC_CUT)
        return fail(s);
    if (intrinsic)
        return s->loop == GCL_NOWHERE && intrinsic->kind == GCL_INTRINSIC_BLOCK_INDEX &&
                       intrinsic->axis == 0
                   ? gcl_u64(s->m, 1)
                   : zero(s);
    bool is_fixed = LLVMIsALoadInst(value) && gcl_module_is_marked(s->m, value, "invariant.load");
    if (!is_fixed && !gcl_cut_is_cheap(value) && !LLVMIsAFreezeInst(value))
        return fail(s);
    for (int n = 0; n < LLVMGetNumOperands(value) && !s->failed; n++) {
        if (!is_still(s, step_of(s, LLVMGetOperand(value, (unsigned)n), depth)))
            s->failed = true;
    }
    return zero(s);
}

// How far a turn of the loop moves a value, in the width of an address, if it doesn't wrap.
static LLVMValueRef step_of(struct search *s, LLVMValueRef value, unsigned depth) {
    if (s->failed || depth == 0)
        return fail(s);
    if (is_outside(s, value))
        return zero(s);
    depth--;
    switch (LLVMGetInstructionOpcode(value)) {
    case LLVMPHI:
        return phi_step(s, value);
    case LLVMGetElementPtr:
        return address_step(s, value, depth);
    case LLVMOr:
        if (!LLVMGetIsDisjoint(value))
            return other_step(s, value, depth);
        // fallthrough
    case LLVMAdd:
        return LLVMBuildAdd(s->b, step_of(s, LLVMGetOperand(value, 0), depth),
                            step_of(s, LLVMGetOperand(value, 1), depth), "");
    case LLVMSub:
        return LLVMBuildSub(s->b, step_of(s, LLVMGetOperand(value, 0), depth),
                            step_of(s, LLVMGetOperand(value, 1), depth), "");
    case LLVMMul:
        return product_step(s, value, depth);
    case LLVMShl:
        if (!LLVMIsAConstantInt(LLVMGetOperand(value, 1)))
            return other_step(s, value, depth);
        return LLVMBuildShl(s->b, step_of(s, LLVMGetOperand(value, 0), depth),
                            widened(s, LLVMGetOperand(value, 1)), "");
    case LLVMSExt:
    case LLVMZExt:
        return step_of(s, LLVMGetOperand(value, 0), depth);
    default:
        return other_step(s, value, depth);
    }
}

// Whether an address leads into memory that isn't the block's own.
static bool is_global(LLVMValueRef address) {
    while (LLVMIsAGetElementPtrInst(address))
        address = LLVMGetOperand(address, 0);
    if (LLVMIsAPHINode(address)) {
        for (unsigned n = 0; n < LLVMCountIncoming(address); n++) {
            LLVMValueRef from = LLVMGetIncomingValue(address, n);
            while (LLVMIsAGetElementPtrInst(from))
                from = LLVMGetOperand(from, 0);
            if (from != address)
                return LLVMIsAArgument(from) != NULL;
        }
    }
    return LLVMIsAArgument(address) != NULL;
}

// From one block to the next, `step` times as many blocks as lead far enough ahead for a prefetch;
// `step` itself in a loop of the kernel.
static LLVMValueRef lengthened(struct search *s, LLVMValueRef step) {
    long long bytes = LLVMIsAConstantInt(step) ? LLVMConstIntGetSExtValue(step) : 0;
    if (s->loop != GCL_NOWHERE || llabs(bytes) < ROW)
        return step;
    return gcl_u64(s->m, (uint64_t)(bytes * ((FAR - 1) / llabs(bytes) + 1)));
}

// Asks for the line of an address, to be read, for the second level: rows a power of two apart
// share few lines of the first.
static void ask_for(struct search *s, LLVMValueRef address) {
    LLVMTypeRef pointer = gcl_ptr(s->m);
    LLVMValueRef arguments[] = {address, gcl_u32(s->m, 0), gcl_u32(s->m, 2), gcl_u32(s->m, 1)};
    gcl_intrinsic_call_llvm(s->m, s->b, "llvm.prefetch", &pointer, 1, arguments, 4);
}

static void prefetch(struct search *s, LLVMValueRef load) {
    assert(LLVMIsALoadInst(load));
    LLVMValueRef address = LLVMGetOperand(load, 0);
    if (!is_global(address))
        return;
    LLVMPositionBuilderBefore(s->b, load);
    s->failed = false;
    LLVMValueRef step = step_of(s, address, DEPTH);
    long long least = s->loop == GCL_NOWHERE ? LINE : PAGE / 2;
    if (s->failed ||
        (LLVMIsAConstantInt(step) && llabs((long long)LLVMConstIntGetSExtValue(step)) < least))
        return;
    LLVMTypeRef i8 = LLVMInt8TypeInContext(s->m->context);
    LLVMValueRef distance = lengthened(s, step);
    ask_for(s, LLVMBuildGEP2(s->b, i8, address, &distance, 1, ""));
}

// Stores.

static LLVMValueRef first_barrier(const struct gcl_cfg *cfg, int b) {
    LLVMValueRef i = LLVMGetFirstInstruction(cfg->blocks[b].block);
    while (i && !gcl_intrinsic_is_barrier(i))
        i = LLVMGetNextInstruction(i);
    return i;
}

// Marks blocks to whose first instruction threads come behind a barrier, if only on some ways.
static void mark_late(const struct gcl_cfg *cfg, bool *late) {
    for (bool changed = true; changed;) {
        changed = false;
        for (int b = 0; b < cfg->count; b++) {
            for (int n = 0; n < 2 && (late[b] || first_barrier(cfg, b)); n++) {
                int next = cfg->blocks[b].successors[n];
                if (next == GCL_NOWHERE || late[next])
                    continue;
                late[next] = changed = true;
            }
        }
    }
}

static LLVMValueRef base_of(LLVMValueRef address) {
    while (LLVMIsAGetElementPtrInst(address))
        address = LLVMGetOperand(address, 0);
    return address;
}

// Whether the kernel reads from where `base` leads to: its lines come anyway.
static bool is_read(const struct gcl_cfg *cfg, LLVMValueRef base) {
    for (int b = 0; b < cfg->count; b++) {
        LLVMValueRef i = LLVMGetFirstInstruction(cfg->blocks[b].block);
        for (; i; i = LLVMGetNextInstruction(i)) {
            if (LLVMIsALoadInst(i) && base_of(LLVMGetOperand(i, 0)) == base)
                return true;
        }
    }
    return false;
}

// Whether threadIdx.x is seen in `value`, in no more than `*steps`.
static bool follows_thread(LLVMValueRef value, unsigned *steps) {
    const struct gcl_intrinsic *intrinsic =
        LLVMIsACallInst(value) ? gcl_intrinsic_find(value) : NULL;
    if (intrinsic)
        return intrinsic->kind == GCL_INTRINSIC_THREAD && intrinsic->axis == 0;
    for (int n = 0; LLVMIsAInstruction(value) && n < LLVMGetNumOperands(value) && *steps > 0; n++) {
        --*steps;
        if (follows_thread(LLVMGetOperand(value, (unsigned)n), steps))
            return true;
    }
    return false;
}

// Whether threads store at places of their own, in memory of which nothing is read.
static bool is_own_place(struct search *s, LLVMValueRef address) {
    unsigned steps = STEPS;
    return is_global(address) && !is_read(s->cfg, base_of(address)) &&
           follows_thread(address, &steps);
}

// Whether the line of an address is asked for already, among `bases` and `offsets`.
static bool is_asked_for(struct search *s, LLVMValueRef address, GPtrArray *bases,
                         GArray *offsets) {
    int64_t offset;
    LLVMValueRef base = gcl_shim_base(s->m->layout, address, &offset);
    for (guint n = 0; n < bases->len; n++) {
        if (bases->pdata[n] == base && llabs(g_array_index(offsets, int64_t, n) - offset) < LINE)
            return true;
    }
    g_ptr_array_add(bases, base);
    g_array_append_val(offsets, offset);
    return false;
}

// Asks in front of the first barrier for what all threads store behind it, outside of loops.
static void prefetch_stores(struct search *s) {
    const struct gcl_cfg *cfg = s->cfg;
    g_autofree bool *late = g_new0(bool, cfg->count);
    g_autoptr(GPtrArray) bases = g_ptr_array_new();
    g_autoptr(GArray) offsets = g_array_new(FALSE, FALSE, sizeof(int64_t));
    LLVMValueRef place = first_barrier(cfg, 0);
    place = place ? place : LLVMGetBasicBlockTerminator(cfg->blocks[0].block);
    mark_late(cfg, late);
    for (int b = 0; b != GCL_NOWHERE; b = cfg->blocks[b].postdominator) {
        LLVMValueRef i =
            late[b] ? LLVMGetFirstInstruction(cfg->blocks[b].block) : first_barrier(cfg, b);
        for (; i && cfg->blocks[b].loop == GCL_NOWHERE; i = LLVMGetNextInstruction(i)) {
            LLVMValueRef address = LLVMIsAStoreInst(i) ? LLVMGetOperand(i, 1) : NULL;
            if (!address || !is_own_place(s, address) || is_asked_for(s, address, bases, offsets))
                continue;
            LLVMValueRef early_address = gcl_cut_recompute(s->m, place, address);
            LLVMPositionBuilderBefore(s->b, place);
            if (early_address)
                ask_for(s, early_address);
        }
    }
}

// Marks loops with barriers; loops[-1] stands for the kernel.
static void mark_loops_with_barriers(const struct gcl_cfg *cfg, bool *loops) {
    for (int b = 0; b < cfg->count; b++) {
        LLVMValueRef i = LLVMGetFirstInstruction(cfg->blocks[b].block);
        for (; i; i = LLVMGetNextInstruction(i)) {
            if (gcl_intrinsic_is_barrier(i))
                loops[cfg->blocks[b].loop] = loops[GCL_NOWHERE] = true;
        }
    }
}

void gcl_prefetch_build(struct gcl_module *m, struct gcl_device_kernel *kernel) {
    struct gcl_cfg *cfg = gcl_cfg_create(kernel->function);
    g_autofree bool *marked = g_new0(bool, cfg->loop_count + 1);
    struct search s = {.m = m, .cfg = cfg, .b = LLVMCreateBuilderInContext(m->context)};
    mark_loops_with_barriers(cfg, marked + 1);
    for (int b = 0; b < cfg->count; b++) {
        s.loop = cfg->blocks[b].loop;
        if (!marked[s.loop + 1])
            continue;
        LLVMValueRef i = LLVMGetFirstInstruction(cfg->blocks[b].block);
        for (; i; i = LLVMGetNextInstruction(i)) {
            if (LLVMIsALoadInst(i))
                prefetch(&s, i);
        }
    }
    if (marked[0])
        prefetch_stores(&s);
    LLVMDisposeBuilder(s.b);
    gcl_cfg_destroy(cfg);
}
