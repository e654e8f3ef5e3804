// Instruction selection looks at one block at a time: a gather whose addresses were worked out in
// another one gets a vector of pointers, where one base and indices of 32 bits would do with half
// of the instructions. So addresses move to where they are used.
#include "device/lower/addresses.h"

#include "device/ir/intrinsics.h"
#include "device/ir/module.h"

// The operand that holds the addresses of a gather or scatter, -1 for other instructions.
static int address_operand(LLVMValueRef i) {
    const char *name = gcl_intrinsic_callee(i);
    if (g_str_has_prefix(name, "llvm.masked.gather."))
        return 0;
    return g_str_has_prefix(name, "llvm.masked.scatter.") ? 1 : -1;
}

// Gives `user` a copy of its own of an operand from another block.
static LLVMValueRef sink(LLVMBuilderRef builder, LLVMValueRef user, unsigned operand) {
    LLVMValueRef value = LLVMGetOperand(user, operand);
    if (LLVMGetInstructionParent(value) == LLVMGetInstructionParent(user))
        return value;
    LLVMPositionBuilderBefore(builder, user);
    LLVMValueRef copy = LLVMInstructionClone(value);
    LLVMInsertIntoBuilder(builder, copy);
    LLVMSetOperand(user, operand, copy);
    if (!LLVMGetFirstUse(value))
        LLVMInstructionEraseFromParent(value);
    return copy;
}

static void sink_address(LLVMBuilderRef builder, LLVMValueRef i, unsigned operand) {
    LLVMValueRef address = LLVMGetOperand(i, operand);
    if (!LLVMIsAGetElementPtrInst(address) ||
        LLVMGetTypeKind(LLVMTypeOf(LLVMGetOperand(address, 0))) == LLVMVectorTypeKind)
        return;
    address = sink(builder, i, operand);
    for (unsigned n = 1; n <= LLVMGetNumIndices(address); n++) {
        LLVMValueRef index = LLVMGetOperand(address, n);
        if (LLVMIsASExtInst(index) || LLVMIsAZExtInst(index))
            sink(builder, address, n);
    }
}

void gcl_addresses_sink(struct gcl_module *m) {
    LLVMBuilderRef builder = LLVMCreateBuilderInContext(m->context);
    for (LLVMValueRef f = LLVMGetFirstFunction(m->module); f; f = LLVMGetNextFunction(f)) {
        for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b)) {
            for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i)) {
                int operand = address_operand(i);
                if (operand >= 0)
                    sink_address(builder, i, (unsigned)operand);
            }
        }
    }
    LLVMDisposeBuilder(builder);
}
