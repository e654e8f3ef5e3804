// Finds loops in which a thread waits for another one by reading memory, and cuts them: threads of
// a block run one after the other here, so whoever waits must let the others go first.
//
// The same search finds loops in which a thread waits for a lock. They need no cut, but a kernel
// that has one must not run in vectors: who waits keeps the other lanes from giving the lock back.
//
// A loop that polls reads volatile or atomically, writes nothing, holds no other cut, and leaves
// depending on what it read. Loops around a compare-and-swap are not among them: who holds a lock
// gives it back within its own turn.
#include <string.h>

#include "cfg.h"
#include "intrinsics.h"
#include "module.h"
#include "regions.h"

static bool reads_shared_state(LLVMValueRef i) {
    if (LLVMIsALoadInst(i))
        return LLVMGetVolatile(i) || LLVMGetOrdering(i) != LLVMAtomicOrderingNotAtomic;
    if (!LLVMIsAAtomicRMWInst(i))
        return false;
    LLVMValueRef operand = LLVMGetOperand(i, 1);
    LLVMAtomicRMWBinOp operation = LLVMGetAtomicRMWBinOp(i);
    return LLVMIsNull(operand) &&
           (operation == LLVMAtomicRMWBinOpAdd || operation == LLVMAtomicRMWBinOpOr);
}

// Anything by which a loop does more than wait. Sleeping and looking at a clock is waiting.
static bool works(LLVMValueRef i) {
    size_t length;
    if (LLVMIsAStoreInst(i) || LLVMIsAAtomicCmpXchgInst(i))
        return true;
    if (LLVMIsAAtomicRMWInst(i))
        return !reads_shared_state(i);
    if (!LLVMIsACallInst(i))
        return false;
    const struct gcl_intrinsic *intrinsic = gcl_intrinsic_find(i);
    if (intrinsic)
        return intrinsic->kind == GCL_INTRINSIC_CUT;
    LLVMValueRef callee = LLVMGetCalledValue(i);
    const char *name = LLVMIsAFunction(callee) ? LLVMGetValueName2(callee, &length) : "";
    return strcmp(name, "gcl_device_nanosleep") != 0 && strcmp(name, "gcl_device_clock") != 0 &&
           strcmp(name, "gcl_device_globaltimer") != 0;
}

// What takes a lock: an exchange, or a compare-and-swap that expects a constant. One that expects
// what it has read before is a loop that somebody gets out of at every turn.
static bool takes_lock(LLVMValueRef i) {
    if (LLVMIsAAtomicCmpXchgInst(i))
        return LLVMIsAConstant(LLVMGetOperand(i, 1)) != NULL;
    return LLVMIsAAtomicRMWInst(i) && LLVMGetAtomicRMWBinOp(i) == LLVMAtomicRMWBinOpXchg;
}

struct loop {
    const struct gcl_cfg *cfg;
    int number;
};

static bool holds(const struct loop *l, LLVMBasicBlockRef block) {
    return gcl_cfg_in_loop(l->cfg, gcl_cfg_index(l->cfg, block), l->number);
}

static bool depends(const struct loop *l, GHashTable *seen, LLVMValueRef value,
                    bool (*on)(LLVMValueRef)) {
    if (!LLVMIsAInstruction(value) || !holds(l, LLVMGetInstructionParent(value)) ||
        !g_hash_table_add(seen, value))
        return false;
    if (on(value))
        return true;
    for (int i = 0; i < LLVMGetNumOperands(value); i++) {
        if (depends(l, seen, LLVMGetOperand(value, (unsigned)i), on))
            return true;
    }
    return false;
}

// Whether the loop is left at the end of `block`, depending on such an instruction.
static bool leaves_by(const struct loop *l, LLVMBasicBlockRef block, bool (*on)(LLVMValueRef)) {
    LLVMValueRef end = LLVMGetBasicBlockTerminator(block);
    bool leaves = false;
    for (unsigned s = 0; s < LLVMGetNumSuccessors(end); s++)
        leaves |= !holds(l, LLVMGetSuccessor(end, s));
    if (!leaves || LLVMGetNumSuccessors(end) < 2)
        return false;
    g_autoptr(GHashTable) seen = g_hash_table_new(g_direct_hash, g_direct_equal);
    return depends(l, seen, LLVMGetOperand(end, 0), on);
}

static bool is_left_by(const struct loop *l, bool (*on)(LLVMValueRef)) {
    for (int b = 0; b < l->cfg->count; b++) {
        LLVMBasicBlockRef block = l->cfg->blocks[b].block;
        if (holds(l, block) && leaves_by(l, block, on))
            return true;
    }
    return false;
}

static bool only_waits(const struct loop *l) {
    for (int b = 0; b < l->cfg->count; b++) {
        LLVMBasicBlockRef block = l->cfg->blocks[b].block;
        if (!gcl_cfg_in_loop(l->cfg, b, l->number))
            continue;
        for (LLVMValueRef i = LLVMGetFirstInstruction(block); i; i = LLVMGetNextInstruction(i)) {
            if (works(i))
                return false;
        }
    }
    return true;
}

static void add_yield(struct gcl_module *m, LLVMBasicBlockRef latch) {
    LLVMTypeRef type = LLVMFunctionType(LLVMVoidTypeInContext(m->context), NULL, 0, 0);
    LLVMValueRef yield = LLVMGetNamedFunction(m->module, "__gcl_yield");
    if (!yield)
        yield = LLVMAddFunction(m->module, "__gcl_yield", type);
    LLVMBuilderRef builder = LLVMCreateBuilderInContext(m->context);
    LLVMPositionBuilderBefore(builder, LLVMGetBasicBlockTerminator(latch));
    LLVMBuildCall2(builder, type, yield, NULL, 0, "");
    LLVMDisposeBuilder(builder);
}

void gcl_polls_cut(struct gcl_module *m, struct gcl_device_kernel *kernel) {
    struct gcl_cfg *cfg = gcl_cfg_create(kernel->function);
    for (int number = 0; number < cfg->loop_count; number++) {
        struct loop l = {cfg, number};
        kernel->locks |= is_left_by(&l, takes_lock);
        if (!only_waits(&l) || !is_left_by(&l, reads_shared_state))
            continue;
        kernel->polls = true;
        add_yield(m, cfg->blocks[cfg->loops[number].latch].block);
    }
    gcl_cfg_destroy(cfg);
}
