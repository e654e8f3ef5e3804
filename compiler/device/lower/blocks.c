// A kernel whose loops are unrolled, with shuffles and votes that are instructions like others,
// is one basic block of any length. A value that is used behind the end of its piece stays in its
// register; only what the code generator could have combined across the end is lost, so pieces are
// long.
#include "device/lower/blocks.h"

#include "device/ir/module.h"
#include "device/ir/shim.h"

enum { LONGEST = 1500 }; // instructions of a piece

static void split(LLVMBasicBlockRef block) {
    LLVMValueRef end = LLVMGetBasicBlockTerminator(block);
    unsigned count = 0;
    for (LLVMValueRef i = LLVMGetFirstInstruction(block), next; i != end; i = next) {
        next = LLVMGetNextInstruction(i);
        if (++count <= LONGEST || LLVMIsAPHINode(i) || LLVMIsAAllocaInst(i))
            continue;
        gcl_shim_split_block(i);
        count = 1;
    }
}

void gcl_blocks_split(struct gcl_module *m) {
    for (LLVMValueRef f = LLVMGetFirstFunction(m->module); f; f = LLVMGetNextFunction(f)) {
        for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f), next; b; b = next) {
            next = LLVMGetNextBasicBlock(b);
            split(b);
        }
    }
}
