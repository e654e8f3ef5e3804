// Steps: by how much a value grows with each turn of a loop, or from thread to thread or block to
// block along x. As long as the answer isn't needed to the last bit it may ignore that numbers
// wrap.
//
// Before: loops have one header and one latch (ir/cfg.h).
#include "device/cut/step.h"

#include <assert.h>

#include "device/cut/cut.h"
#include "device/ir/cfg.h"
#include "device/ir/intrinsics.h"
#include "device/ir/module.h"

static LLVMValueRef zero(struct gcl_step_search *s) {
    return gcl_u64(s->m, 0);
}

static LLVMValueRef fail(struct gcl_step_search *s) {
    s->failed = true;
    return zero(s);
}

static bool is_outside(struct gcl_step_search *s, LLVMValueRef value) {
    return !LLVMIsAInstruction(value) ||
           !gcl_cfg_in_loop(s->cfg, gcl_cfg_index(s->cfg, LLVMGetInstructionParent(value)),
                            s->loop);
}

static LLVMValueRef widened(struct gcl_step_search *s, LLVMValueRef value) {
    LLVMTypeRef type = LLVMTypeOf(value);
    if (LLVMGetTypeKind(type) != LLVMIntegerTypeKind || LLVMGetIntTypeWidth(type) > 64)
        return fail(s);
    return LLVMBuildIntCast2(s->b, value, gcl_i64(s->m), 1, "");
}

static LLVMValueRef address_step(struct gcl_step_search *s, LLVMValueRef address, unsigned depth) {
    LLVMTypeRef type = LLVMGetGEPSourceElementType(address);
    LLVMValueRef step = gcl_step_of(s, LLVMGetOperand(address, 0), depth);
    for (int n = 1; n < LLVMGetNumOperands(address) && !s->failed; n++) {
        LLVMValueRef index = LLVMGetOperand(address, (unsigned)n);
        if (n > 1 && LLVMGetTypeKind(type) == LLVMStructTypeKind) {
            type = LLVMStructGetTypeAtIndex(type, (unsigned)LLVMConstIntGetZExtValue(index));
            continue;
        }
        if (n > 1)
            type = LLVMGetElementType(type);
        LLVMValueRef size = gcl_u64(s->m, LLVMABISizeOfType(s->m->layout, type));
        LLVMValueRef distance = LLVMBuildMul(s->b, gcl_step_of(s, index, depth), size, "");
        step = LLVMBuildAdd(s->b, step, distance, "");
    }
    return step;
}

// By what a turn of the loop moves its variable.
static LLVMValueRef phi_step(struct gcl_step_search *s, LLVMValueRef phi) {
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

static bool is_still(struct gcl_step_search *s, LLVMValueRef step) {
    return LLVMIsAConstantInt(step) && LLVMIsNull(step) && !s->failed;
}

static LLVMValueRef product_step(struct gcl_step_search *s, LLVMValueRef product, unsigned depth) {
    LLVMValueRef a = LLVMGetOperand(product, 0), b = LLVMGetOperand(product, 1);
    LLVMValueRef step_a = gcl_step_of(s, a, depth), step_b = gcl_step_of(s, b, depth);
    if (is_still(s, step_b))
        return LLVMBuildMul(s->b, step_a, widened(s, b), "");
    if (is_still(s, step_a))
        return LLVMBuildMul(s->b, step_b, widened(s, a), "");
    return fail(s);
}

// What doesn't change over the turns, if its operands don't.
static LLVMValueRef other_step(struct gcl_step_search *s, LLVMValueRef value, unsigned depth) {
    const struct gcl_intrinsic *intrinsic =
        LLVMIsACallInst(value) ? gcl_intrinsic_find(value) : NULL;
    if (intrinsic && intrinsic->kind == GCL_INTRINSIC_CUT)
        return fail(s);
    if (intrinsic)
        return s->loop == GCL_NOWHERE && intrinsic->kind == s->counter && intrinsic->axis == 0
                   ? gcl_u64(s->m, 1)
                   : zero(s);
    bool is_fixed = LLVMIsALoadInst(value) && gcl_module_is_marked(s->m, value, "invariant.load");
    if (!is_fixed && !gcl_cut_is_cheap(value) && !LLVMIsAFreezeInst(value))
        return fail(s);
    for (int n = 0; n < LLVMGetNumOperands(value) && !s->failed; n++) {
        if (!is_still(s, gcl_step_of(s, LLVMGetOperand(value, (unsigned)n), depth)))
            s->failed = true;
    }
    return zero(s);
}

LLVMValueRef gcl_step_of(struct gcl_step_search *s, LLVMValueRef value, unsigned depth) {
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
        return LLVMBuildAdd(s->b, gcl_step_of(s, LLVMGetOperand(value, 0), depth),
                            gcl_step_of(s, LLVMGetOperand(value, 1), depth), "");
    case LLVMSub:
        return LLVMBuildSub(s->b, gcl_step_of(s, LLVMGetOperand(value, 0), depth),
                            gcl_step_of(s, LLVMGetOperand(value, 1), depth), "");
    case LLVMMul:
        return product_step(s, value, depth);
    case LLVMShl:
        if (!LLVMIsAConstantInt(LLVMGetOperand(value, 1)))
            return other_step(s, value, depth);
        return LLVMBuildShl(s->b, gcl_step_of(s, LLVMGetOperand(value, 0), depth),
                            widened(s, LLVMGetOperand(value, 1)), "");
    case LLVMSExt:
    case LLVMZExt:
        return gcl_step_of(s, LLVMGetOperand(value, 0), depth);
    default:
        return other_step(s, value, depth);
    }
}

bool gcl_step_is_global(LLVMValueRef address) {
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
