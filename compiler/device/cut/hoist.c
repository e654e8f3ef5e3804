// Gets a lane function into the form that the vectoriser reads: what follows from arguments, thread
// numbers and what a block reads first stands at the top, where it can be checked before anything
// has an effect (ir/uniformity.c), and the function ends in one place.
#include "device/cut/hoist.h"

#include <string.h>

#include "device/cut/cut.h"
#include "device/cut/retries.h"
#include "device/ir/lane.h"
#include "device/ir/module.h"
#include "device/ir/shim.h"

// Whether a division can't go wrong whatever it divides: by 0, or the least number by -1.
static bool is_safe_division(LLVMValueRef i) {
    LLVMOpcode opcode = LLVMGetInstructionOpcode(i);
    LLVMValueRef divisor = LLVMGetOperand(i, 1);
    bool is_signed = opcode == LLVMSDiv || opcode == LLVMSRem;
    return LLVMIsAConstantInt(divisor) && !LLVMIsNull(divisor) &&
           !(is_signed && LLVMConstIntGetSExtValue(divisor) == -1);
}

// What may be done though the thread wouldn't come there: `comes` says that it does in any case.
static bool may_move(LLVMValueRef i, bool comes) {
    switch (LLVMGetInstructionOpcode(i)) {
    case LLVMUDiv:
    case LLVMURem:
    case LLVMSDiv:
    case LLVMSRem:
        return comes || is_safe_division(i);
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

struct hoist {
    struct gcl_module *m;
    LLVMValueRef lane;
    GHashTable *moved;  ///< instructions that stand at the top
    GHashTable *common; ///< those of them that are the same for all threads of a block
};

static bool operands_stand(const struct hoist *h, LLVMValueRef i) {
    for (int n = 0; n < LLVMGetNumOperands(i); n++) {
        LLVMValueRef operand = LLVMGetOperand(i, (unsigned)n);
        if (LLVMIsAInstruction(operand) && !g_hash_table_contains(h->moved, operand))
            return false;
    }
    return true;
}

static bool is_common(const struct hoist *h, LLVMValueRef i) {
    for (int n = 0; n < LLVMGetNumOperands(i); n++) {
        LLVMValueRef operand = LLVMGetOperand(i, (unsigned)n);
        if (LLVMIsAInstruction(operand) ? !g_hash_table_contains(h->common, operand)
                                        : gcl_lane_is_of_thread(h->lane, operand))
            return false;
    }
    return true;
}

// Whether `i` reads a number that all threads of a block have in common, from memory that they may
// as well read at the top if nothing is written in between.
static bool reads_common_number(const struct hoist *h, LLVMValueRef i) {
    return LLVMIsALoadInst(i) && !LLVMGetVolatile(i) &&
           LLVMGetOrdering(i) == LLVMAtomicOrderingNotAtomic &&
           LLVMGetTypeKind(LLVMTypeOf(i)) == LLVMIntegerTypeKind && is_common(h, i);
}

// `comes`: the thread comes to `i`, and nothing has an effect before.
static bool moves(const struct hoist *h, LLVMValueRef i, bool comes) {
    bool may = may_move(i, comes) || is_invariant(h->m, i) || (comes && reads_common_number(h, i));
    return may && operands_stand(h, i);
}

static void note_moved(const struct hoist *h, LLVMValueRef i) {
    g_hash_table_add(h->moved, i);
    if (is_common(h, i))
        g_hash_table_add(h->common, i);
    gcl_module_mark(h->m, i, "gcl.entry");
}

static void hoist(struct gcl_module *m, LLVMValueRef lane) {
    LLVMBasicBlockRef entry = LLVMGetEntryBasicBlock(lane);
    LLVMBuilderRef builder = LLVMCreateBuilderInContext(m->context);
    g_autoptr(GHashTable) moved = g_hash_table_new(g_direct_hash, g_direct_equal);
    g_autoptr(GHashTable) common = g_hash_table_new(g_direct_hash, g_direct_equal);
    const struct hoist h = {m, lane, moved, common};
    LLVMValueRef top = LLVMGetFirstInstruction(entry); // moved ones stand before it
    while (LLVMIsAAllocaInst(top))
        top = LLVMGetNextInstruction(top);
    for (LLVMBasicBlockRef b = entry; b; b = LLVMGetNextBasicBlock(b)) {
        bool comes = b == entry;
        for (LLVMValueRef i = LLVMGetFirstInstruction(b), next; i; i = next) {
            next = LLVMGetNextInstruction(i);
            comes = comes && !gcl_shim_may_write(i); // nor does it end the thread
            if (!moves(&h, i, comes))
                continue;
            note_moved(&h, i);
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
