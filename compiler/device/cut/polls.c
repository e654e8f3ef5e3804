// Finds loops in which a thread waits for another one by reading memory, and cuts them: threads of
// a block run one after the other here, so whoever waits must let the others go first.
//
// The same search finds loops in which a thread waits for a lock. Such loops need no cut, but a
// kernel that has one must not run in vectors: who waits keeps the other lanes from giving the lock
// back.
//
// A loop that polls reads volatile or atomically, writes nothing, holds no other cut, and leaves
// depending on what it read. Loops around a compare-and-swap are not among them: who holds a lock
// gives it back within its own turn.
#include "device/cut/polls.h"

#include <string.h>

#include "device/ir/cfg.h"
#include "device/ir/intrinsics.h"
#include "device/ir/module.h"
#include "device/lower/sanitize.h"

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

// Calls by which nothing happens: sleeping and looking at a clock is waiting, and the sanitizer
// only looks on.
static bool is_idle(const char *name) {
    static const char *const names[] = {"gcl_device_nanosleep", "gcl_device_clock",
                                        "gcl_device_globaltimer", GCL_TELL};
    for (size_t i = 0; i < G_N_ELEMENTS(names); i++) {
        if (strcmp(name, names[i]) == 0)
            return true;
    }
    return false;
}

// Anything by which a loop does more than wait.
static bool works(LLVMValueRef i) {
    if (LLVMIsAStoreInst(i) || LLVMIsAAtomicCmpXchgInst(i))
        return true;
    if (LLVMIsAAtomicRMWInst(i))
        return !reads_shared_state(i);
    if (!LLVMIsACallInst(i))
        return false;
    const struct gcl_intrinsic *intrinsic = gcl_intrinsic_find(i);
    if (intrinsic)
        return intrinsic->kind == GCL_INTRINSIC_CUT;
    return !is_idle(gcl_intrinsic_callee(i));
}

// What takes a lock: an exchange, or a compare-and-swap that expects a constant. One that expects
// what it has read before is a loop that somebody gets out of at every turn.
static bool takes_lock(LLVMValueRef i) {
    if (LLVMIsAAtomicCmpXchgInst(i))
        return LLVMIsAConstant(LLVMGetOperand(i, 1)) != NULL;
    return LLVMIsAAtomicRMWInst(i) && LLVMGetAtomicRMWBinOp(i) == LLVMAtomicRMWBinOpXchg;
}

static bool only_waits(const struct gcl_cfg *cfg, int loop) {
    for (int b = 0; b < cfg->count; b++) {
        LLVMBasicBlockRef block = cfg->blocks[b].block;
        if (!gcl_cfg_in_loop(cfg, b, loop))
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
    for (int loop = 0; loop < cfg->loop_count; loop++) {
        kernel->locks |= gcl_cfg_is_left_by(cfg, loop, takes_lock);
        if (!only_waits(cfg, loop) || !gcl_cfg_is_left_by(cfg, loop, reads_shared_state))
            continue;
        kernel->polls = true;
        add_yield(m, cfg->blocks[cfg->loops[loop].latch].block);
    }
    gcl_cfg_destroy(cfg);
}
