// Quotients that fast math leaves approximate: products with reciprocals.
//
// LLVM's back end would decide by what stands in one basic block of scalar or vector code, where
// not even infinity times zero is beneath its estimate of 1 / sqrt(0). Here it is decided once,
// before kernels are cut, and for float alone, as nvcc has it:
//     x / y      with several quotients by the same y in a block: x * (1 / y)
//     x / √y     x * root(y), where root is a function like those of the C library (math.h)
// No instruction may be approximated, or contracted, any more afterwards.
#include "device/lower/quotients.h"

#include <assert.h>
#include <string.h>

#include "device/ir/intrinsics.h"
#include "device/ir/module.h"
#include "device/ir/shim.h"
#include "device/ir/target.h"
#include "device/lower/math.h"
#include "device/lower/root.h"

struct quotients {
    struct gcl_module *m;
    LLVMBuilderRef builder;
    GHashTable *of; ///< of the block's divisors so far
    bool estimates; ///< all targets have GCL_RECIPROCAL_ROOT
};

static bool is_approximate(LLVMValueRef i) {
    return LLVMIsAInstruction(i) && LLVMGetInstructionOpcode(i) == LLVMFDiv &&
           LLVMGetTypeKind(LLVMTypeOf(i)) == LLVMFloatTypeKind &&
           (LLVMGetFastMathFlags(i) & LLVMFastMathAllowReciprocal) != 0;
}

// Whether several quotients of a block have this divisor.
static bool is_shared(LLVMValueRef divisor, LLVMBasicBlockRef block) {
    unsigned count = 0;
    for (LLVMUseRef use = LLVMGetFirstUse(divisor); use; use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);
        if (is_approximate(user) && LLVMGetOperand(user, 1) == divisor &&
            LLVMGetInstructionParent(user) == block)
            count++;
    }
    return count > 1;
}

// y of √y, NULL for any other value.
static LLVMValueRef under_root(LLVMValueRef value) {
    return strcmp(gcl_intrinsic_callee(value), "llvm.sqrt.f32") == 0 ? LLVMGetOperand(value, 0)
                                                                     : NULL;
}

static LLVMValueRef build_root(struct quotients *q, LLVMValueRef y) {
    assert(LLVMGetTypeKind(LLVMTypeOf(y)) == LLVMFloatTypeKind);
    LLVMTypeRef lane = LLVMTypeOf(y), type = LLVMFunctionType(lane, &lane, 1, 0);
    LLVMValueRef function = gcl_math_declare(q->m, GCL_RECIPROCAL_ROOT, type);
    return LLVMBuildCall2(q->builder, type, function, &y, 1, "");
}

static LLVMValueRef build_reciprocal(struct quotients *q, LLVMValueRef divisor) {
    LLVMValueRef y = q->estimates ? under_root(divisor) : NULL;
    if (y)
        return build_root(q, y);
    return LLVMBuildFDiv(q->builder, LLVMConstReal(LLVMTypeOf(divisor), 1), divisor, "");
}

static bool is_one(LLVMValueRef value) {
    LLVMBool loses;
    return LLVMIsAConstantFP(value) && LLVMConstRealGetDouble(value, &loses) == 1;
}

static void multiply_instead(struct quotients *q, LLVMValueRef quotient) {
    assert(is_approximate(quotient));
    LLVMValueRef x = LLVMGetOperand(quotient, 0), divisor = LLVMGetOperand(quotient, 1);
    LLVMValueRef reciprocal = g_hash_table_lookup(q->of, divisor);
    LLVMPositionBuilderBefore(q->builder, quotient);
    if (!reciprocal) {
        if (!(q->estimates && under_root(divisor)) &&
            !is_shared(divisor, LLVMGetInstructionParent(quotient)))
            return;
        reciprocal = build_reciprocal(q, divisor);
        g_hash_table_insert(q->of, divisor, reciprocal);
    }
    LLVMReplaceAllUsesWith(quotient,
                           is_one(x) ? reciprocal : LLVMBuildFMul(q->builder, x, reciprocal, ""));
    LLVMInstructionEraseFromParent(quotient);
}

static void change_block(struct quotients *q, LLVMBasicBlockRef block) {
    g_hash_table_remove_all(q->of);
    for (LLVMValueRef i = LLVMGetFirstInstruction(block), next; i; i = next) {
        next = LLVMGetNextInstruction(i);
        if (is_approximate(i))
            multiply_instead(q, i);
    }
    for (LLVMValueRef i = LLVMGetFirstInstruction(block); i; i = LLVMGetNextInstruction(i))
        gcl_shim_make_strict(i);
}

void gcl_quotients(struct gcl_module *m) {
    struct quotients q = {
        .m = m,
        .builder = LLVMCreateBuilderInContext(m->context),
        .of = g_hash_table_new(g_direct_hash, g_direct_equal),
        .estimates = gcl_math_find(GCL_RECIPROCAL_ROOT, gcl_target_least(m)->level) != NULL,
    };
    for (LLVMValueRef f = LLVMGetFirstFunction(m->module); f; f = LLVMGetNextFunction(f)) {
        for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b))
            change_block(&q, b);
    }
    g_hash_table_unref(q.of);
    LLVMDisposeBuilder(q.builder);
}
