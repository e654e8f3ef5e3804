// The headers have volatile operations for what the whole system is to see (gcluster_atomic.h).
#include "device/gpu/scope.h"

#include "device/gpu/known.h"

/// An operation's name in PTX and the kind of its type; NULL: there is none.
static const char *operation_of(LLVMAtomicRMWBinOp operation) {
    static const char *const names[] = {
        [LLVMAtomicRMWBinOpXchg] = "exch.b", [LLVMAtomicRMWBinOpAdd] = "add.u",
        [LLVMAtomicRMWBinOpSub] = "add.u",   [LLVMAtomicRMWBinOpAnd] = "and.b",
        [LLVMAtomicRMWBinOpOr] = "or.b",     [LLVMAtomicRMWBinOpXor] = "xor.b",
        [LLVMAtomicRMWBinOpMax] = "max.s",   [LLVMAtomicRMWBinOpMin] = "min.s",
        [LLVMAtomicRMWBinOpUMax] = "max.u",  [LLVMAtomicRMWBinOpUMin] = "min.u",
        [LLVMAtomicRMWBinOpFAdd] = "add.f",
    };
    return operation < G_N_ELEMENTS(names) ? names[operation] : NULL;
}

/// The letter for registers that hold a type; 0: no instruction has it.
static char letter_of(LLVMTypeRef type) {
    switch (LLVMGetTypeKind(type)) {
    case LLVMFloatTypeKind:
        return 'f';
    case LLVMDoubleTypeKind:
        return 'd';
    case LLVMIntegerTypeKind:
        switch (LLVMGetIntTypeWidth(type)) {
        case 16:
            return 'h';
        case 32:
            return 'r';
        case 64:
            return 'l';
        }
        return 0;
    default:
        return 0;
    }
}

/// An atomic operation of the system's on `operands`: an address and values of one type.
static LLVMValueRef build(struct gcl_gpu *g, LLVMBuilderRef b, const char *operation,
                          LLVMValueRef *operands, unsigned count) {
    LLVMTypeRef type = LLVMTypeOf(operands[1]);
    char letter = letter_of(type);
    const char *space = LLVMGetPointerAddressSpace(LLVMTypeOf(operands[0])) == 1 ? ".global" : "";
    g_autofree char *text =
        g_strdup_printf("atom%s.sys.%s%u $0, [$1], $2%s;", space, operation,
                        (unsigned)LLVMSizeOfTypeInBits(g->m.layout, type), count > 2 ? ", $3" : "");
    g_autofree char *constraints =
        count > 2 ? g_strdup_printf("=%c,l,%c,%c,~{memory}", letter, letter, letter)
                  : g_strdup_printf("=%c,l,%c,~{memory}", letter, letter);
    return gcl_gpu_assembly(g, b, type, text, constraints, operands, count);
}

/// What replaces a comparison: the old value, and whether it was the expected one.
static LLVMValueRef build_comparison(struct gcl_gpu *g, LLVMBuilderRef b, LLVMValueRef i) {
    LLVMValueRef operands[] = {LLVMGetOperand(i, 0), LLVMGetOperand(i, 1), LLVMGetOperand(i, 2)};
    LLVMValueRef old = build(g, b, "cas.b", operands, 3);
    LLVMValueRef is_same = LLVMBuildICmp(b, LLVMIntEQ, old, operands[1], "");
    LLVMValueRef pair = LLVMBuildInsertValue(b, LLVMGetPoison(LLVMTypeOf(i)), old, 0, "");
    return LLVMBuildInsertValue(b, pair, is_same, 1, "");
}

static LLVMValueRef build_operation(struct gcl_gpu *g, LLVMBuilderRef b, LLVMValueRef i) {
    LLVMAtomicRMWBinOp operation = LLVMGetAtomicRMWBinOp(i);
    LLVMValueRef operands[] = {LLVMGetOperand(i, 0), LLVMGetOperand(i, 1)};
    if (operation == LLVMAtomicRMWBinOpSub)
        operands[1] = LLVMBuildNeg(b, operands[1], "");
    return build(g, b, operation_of(operation), operands, 2);
}

// Shared memory is the block's alone, and what no single instruction does is no function of CUDA's.
static bool is_for_system(LLVMValueRef i) {
    bool is_comparison = LLVMIsAAtomicCmpXchgInst(i);
    if (!(is_comparison || LLVMIsAAtomicRMWInst(i)) || !LLVMGetVolatile(i) ||
        LLVMGetPointerAddressSpace(LLVMTypeOf(LLVMGetOperand(i, 0))) > 1)
        return false;
    char letter = letter_of(LLVMTypeOf(LLVMGetOperand(i, 1)));
    return is_comparison ? letter != 0
                         : letter != 0 && letter != 'h' && operation_of(LLVMGetAtomicRMWBinOp(i));
}

static void lower_instruction(struct gcl_gpu *g, LLVMBuilderRef b, LLVMValueRef i) {
    if (!is_for_system(i))
        return;
    LLVMPositionBuilderBefore(b, i);
    LLVMReplaceAllUsesWith(i, LLVMIsAAtomicCmpXchgInst(i) ? build_comparison(g, b, i)
                                                          : build_operation(g, b, i));
    LLVMInstructionEraseFromParent(i);
}

void gcl_gpu_scope_lower(struct gcl_gpu *g) {
    gcl_gpu_visit(g, lower_instruction);
}
