// Gets a lane function into the form that the vectoriser reads: what follows from arguments and
// thread numbers alone stands at the top, where it can be checked before anything has an effect
// (ir/uniformity.c), and the function ends in one place.
#include "device/cut/hoist.h"

#include <string.h>

#include "device/cut/cut.h"
#include "device/cut/retries.h"
#include "device/ir/module.h"

// What may be done though the thread wouldn't come there: a division, if it isn't by 0.
static bool may_move(LLVMValueRef i) {
    switch (LLVMGetInstructionOpcode(i)) {
    case LLVMUDiv:
    case LLVMURem:
        return LLVMIsAConstantInt(LLVMGetOperand(i, 1)) &&
               LLVMConstIntGetZExtValue(LLVMGetOperand(i, 1)) != 0;
    case LLVMSDiv:
    case LLVMSRem:
        return false;
    case LLVMGetElementPtr:
        return true;
    default:
        return (gcl_cut_is_cheap(i) || LLVMIsAFreezeInst(i)) &&
               LLVMGetTypeKind(LLVMTypeOf(i)) == LLVMIntegerTypeKind;
    }
}

static bool is_invariant(struct gcl_module *m, LLVMValueRef i) {
    return LLVMIsALoadInst(i) &&
           (gcl_module_is_marked(m, i, "invariant.load") || gcl_module_is_marked(m, i, "gcl.kept"));
}

static bool operands_stand(LLVMValueRef i, GHashTable *moved) {
    for (int n = 0; n < LLVMGetNumOperands(i); n++) {
        LLVMValueRef operand = LLVMGetOperand(i, (unsigned)n);
        if (LLVMIsAInstruction(operand) && !g_hash_table_contains(moved, operand))
            return false;
    }
    return true;
}

static void hoist(struct gcl_module *m, LLVMValueRef lane) {
    LLVMBasicBlockRef entry = LLVMGetEntryBasicBlock(lane);
    LLVMBuilderRef builder = LLVMCreateBuilderInContext(m->context);
    g_autoptr(GHashTable) moved = g_hash_table_new(g_direct_hash, g_direct_equal);
    LLVMValueRef top = LLVMGetFirstInstruction(entry); // moved ones stand before it
    while (LLVMIsAAllocaInst(top))
        top = LLVMGetNextInstruction(top);
    for (LLVMBasicBlockRef b = entry; b; b = LLVMGetNextBasicBlock(b)) {
        for (LLVMValueRef i = LLVMGetFirstInstruction(b), next; i; i = next) {
            next = LLVMGetNextInstruction(i);
            if ((!may_move(i) && !is_invariant(m, i)) || !operands_stand(i, moved))
                continue;
            g_hash_table_add(moved, i);
            gcl_module_mark(m, i, "gcl.entry");
            if (i == top) {
                top = next;
                continue;
            }
            LLVMInstructionRemoveFromParent(i);
            LLVMPositionBuilderBefore(builder, top);
            LLVMInsertIntoBuilder(builder, i);
        }
    }
    LLVMDisposeBuilder(builder);
}

// A local that a region only passes on is where it has to be.
static void keep_in_place(struct gcl_module *m, LLVMValueRef lane) {
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(lane); b; b = LLVMGetNextBasicBlock(b)) {
        for (LLVMValueRef i = LLVMGetFirstInstruction(b), next; i; i = next) {
            next = LLVMGetNextInstruction(i);
            if (!LLVMIsAStoreInst(i))
                continue;
            LLVMValueRef value = LLVMGetOperand(i, 0);
            if (LLVMIsALoadInst(value) && gcl_module_is_marked(m, value, "gcl.frame") &&
                LLVMGetOperand(value, 0) == LLVMGetOperand(i, 1))
                LLVMInstructionEraseFromParent(i);
        }
    }
}

// A thread that comes to a place that nobody may come to has ended: what traps doesn't return.
static void end_dead_ways(struct gcl_module *m, LLVMValueRef lane) {
    LLVMBuilderRef builder = LLVMCreateBuilderInContext(m->context);
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(lane); b; b = LLVMGetNextBasicBlock(b)) {
        LLVMValueRef end = LLVMGetBasicBlockTerminator(b);
        if (!LLVMIsAUnreachableInst(end))
            continue;
        LLVMInstructionEraseFromParent(end);
        LLVMPositionBuilderAtEnd(builder, b);
        LLVMBuildRet(builder, gcl_u32(m, GCL_EXIT));
    }
    LLVMDisposeBuilder(builder);
}

static void each_lane(struct gcl_module *m,
                      void (*change)(struct gcl_module *, LLVMValueRef lane)) {
    for (guint k = 0; k < m->kernels->len; k++) {
        const struct gcl_device_kernel *kernel = m->kernels->pdata[k];
        for (guint s = 0; s < kernel->shapes->len && kernel->vector; s++) {
            for (guint r = 0; r < kernel->regions->len; r++)
                change(m, g_array_index(kernel->shapes, struct gcl_device_shape, s).lanes[r]);
        }
    }
}

void gcl_hoist(struct gcl_module *m) {
    gcl_module_run_passes(m, "function(sroa,early-cse<memssa>,simplifycfg,"
                             "instcombine<no-verify-fixpoint>,loop-mssa(licm),"
                             "loop(indvars,loop-unroll-full),sroa,early-cse<memssa>,"
                             "instcombine<no-verify-fixpoint>,simplifycfg)");
    each_lane(m, keep_in_place);
    each_lane(m, end_dead_ways);
    gcl_module_run_passes(m, GCL_ONE_WAY_OUT);
    each_lane(m, hoist);
    each_lane(m, gcl_retries_outline);
}
