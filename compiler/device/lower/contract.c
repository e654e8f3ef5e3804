// Contracts a * b + c to one fused operation, as CUDA does unless -fmad=false was given.
//
// clang marks what may be contracted and leaves the rest to the back end, which would decide by
// what stands in one basic block, so that scalar and vector code of the same source might round
// differently. Here it is decided once, before kernels are cut: an addition takes in the product
// among its operands, of two the one with fewer uses, else the left one (the rule of LLVM's NVPTX
// back end). The next stage takes the marks away.
//
// llvm.fmuladd is fused on processors with FMA and is a multiplication and an addition on others.
#include "device/lower/contract.h"

#include <assert.h>
#include <string.h>

#include "device/ir/intrinsics.h"
#include "device/ir/mirror.h"
#include "device/ir/module.h"
#include "device/ir/shim.h"

// A product among the operands of an addition: sign * x * y.
struct product {
    LLVMValueRef x, y; ///< NULL if it isn't one
    LLVMValueRef multiplication;
    bool negative;
};

static bool may_contract(LLVMValueRef i) {
    return LLVMCanValueUseFastMathFlags(i) &&
           (LLVMGetFastMathFlags(i) & LLVMFastMathAllowContract) != 0;
}

// The one store to a mirror's local variable that is only loaded besides; NULL: there is no such
// variable or store.
static LLVMValueRef only_store(LLVMValueRef local) {
    LLVMValueRef store = NULL;
    if (!LLVMIsAAllocaInst(local) ||
        !gcl_mirror_is(LLVMGetBasicBlockParent(LLVMGetInstructionParent(local))))
        return NULL;
    for (LLVMUseRef use = LLVMGetFirstUse(local); use; use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);
        if (LLVMIsALoadInst(user))
            continue;
        if (!LLVMIsAStoreInst(user) || LLVMGetOperand(user, 0) == local || store)
            return NULL;
        store = user;
    }
    return store;
}

// In a mirror products pass through the source's variables: `value`, or what has been stored where
// it is loaded.
static LLVMValueRef behind_variable(LLVMValueRef value) {
    if (!LLVMIsALoadInst(value))
        return value;
    LLVMValueRef store = only_store(LLVMGetOperand(value, 0));
    bool is_known = store && LLVMTypeOf(LLVMGetOperand(store, 0)) == LLVMTypeOf(value) &&
                    !LLVMGetVolatile(store) && gcl_shim_dominates(store, value);
    return is_known ? LLVMGetOperand(store, 0) : value;
}

static struct product match_product(LLVMValueRef value) {
    struct product p = {0};
    value = behind_variable(value);
    if (LLVMIsAInstruction(value) && LLVMGetInstructionOpcode(value) == LLVMFNeg) {
        p.negative = true;
        value = behind_variable(LLVMGetOperand(value, 0));
    }
    if (!LLVMIsAInstruction(value) || LLVMGetInstructionOpcode(value) != LLVMFMul ||
        !may_contract(value))
        return p;
    p.multiplication = value;
    p.x = LLVMGetOperand(value, 0);
    p.y = LLVMGetOperand(value, 1);
    return p;
}

static unsigned count_uses(LLVMValueRef value) {
    unsigned count = 0;
    for (LLVMUseRef use = LLVMGetFirstUse(value); use; use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);
        bool passes = LLVMIsAStoreInst(user) && LLVMGetOperand(user, 0) == value &&
                      only_store(LLVMGetOperand(user, 1)) == user;
        count += passes ? count_uses(LLVMGetOperand(user, 1)) - 1 : 1;
    }
    return count;
}

// Returns which operand of an addition becomes part of the fused operation; -1: none.
static int choose(const struct product p[2]) {
    if (!p[0].x || !p[1].x)
        return p[0].x ? 0 : p[1].x ? 1 : -1;
    return count_uses(p[1].multiplication) < count_uses(p[0].multiplication);
}

static LLVMValueRef fuse(struct gcl_module *m, LLVMBuilderRef builder, LLVMValueRef addition,
                         struct product p, int side) {
    assert(p.x && p.y && (side == 0 || side == 1));
    bool subtract = LLVMGetInstructionOpcode(addition) == LLVMFSub;
    LLVMValueRef rest = LLVMGetOperand(addition, side == 0);
    LLVMTypeRef type = LLVMTypeOf(addition);
    LLVMPositionBuilderBefore(builder, addition);
    if (p.negative != (subtract && side == 1))
        p.x = LLVMBuildFNeg(builder, p.x, "");
    if (subtract && side == 0)
        rest = LLVMBuildFNeg(builder, rest, "");
    LLVMValueRef operands[] = {p.x, p.y, rest};
    LLVMValueRef fused = gcl_intrinsic_call_llvm(m, builder, "llvm.fmuladd", &type, 1, operands, 3);
    LLVMSetFastMathFlags(fused, LLVMGetFastMathFlags(addition));
    return fused;
}

static void erase_unused(LLVMValueRef value) {
    while (value && LLVMIsAInstruction(value) && !LLVMGetFirstUse(value)) {
        LLVMValueRef product =
            LLVMGetInstructionOpcode(value) == LLVMFNeg ? LLVMGetOperand(value, 0) : NULL;
        LLVMInstructionEraseFromParent(value);
        value = product;
    }
}

static void contract(struct gcl_module *m, LLVMBuilderRef builder, LLVMValueRef i) {
    LLVMOpcode opcode = LLVMGetInstructionOpcode(i);
    if ((opcode != LLVMFAdd && opcode != LLVMFSub) || !may_contract(i))
        return;
    LLVMValueRef operands[] = {LLVMGetOperand(i, 0), LLVMGetOperand(i, 1)};
    struct product products[] = {match_product(operands[0]), match_product(operands[1])};
    int side = choose(products);
    if (side < 0)
        return;
    LLVMReplaceAllUsesWith(i, fuse(m, builder, i, products[side], side));
    LLVMInstructionEraseFromParent(i);
    erase_unused(operands[side]);
}

static void contract_function(struct gcl_module *m, LLVMBuilderRef builder, LLVMValueRef function) {
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b; b = LLVMGetNextBasicBlock(b)) {
        for (LLVMValueRef i = LLVMGetFirstInstruction(b), next; i; i = next) {
            next = LLVMGetNextInstruction(i);
            contract(m, builder, i);
        }
    }
}

void gcl_contract(struct gcl_module *m) {
    LLVMBuilderRef builder = LLVMCreateBuilderInContext(m->context);
    for (LLVMValueRef f = LLVMGetFirstFunction(m->module); f; f = LLVMGetNextFunction(f))
        contract_function(m, builder, f);
    LLVMDisposeBuilder(builder);
}
