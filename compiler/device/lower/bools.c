// C++ lets a bool hold 0 or 1 alone: clang marks its loads with the range [0, 2) and looks at the
// lowest bit. Programs fill bools with cudaMemset and with other types' bytes all the same, and a
// GPU asks whether the byte is 0. Here the mark goes, and what was loaded is compared with 0.
#include "device/lower/bools.h"

#include <assert.h>
#include <llvm-c/DebugInfo.h>
#include <stdbool.h>
#include <stddef.h>

static bool is_bool(LLVMValueRef i, unsigned range_kind) {
    LLVMValueRef range = LLVMIsALoadInst(i) ? LLVMGetMetadata(i, range_kind) : NULL;
    LLVMTypeRef type = LLVMTypeOf(i);
    LLVMValueRef ends[2];
    if (!range || LLVMGetTypeKind(type) != LLVMIntegerTypeKind || LLVMGetIntTypeWidth(type) != 8 ||
        LLVMGetMDNodeNumOperands(range) != 2)
        return false;
    LLVMGetMDNodeOperands(range, ends);
    return LLVMConstIntGetZExtValue(ends[0]) == 0 && LLVMConstIntGetZExtValue(ends[1]) == 2;
}

static void widen(LLVMBuilderRef builder, LLVMValueRef load, unsigned range_kind) {
    assert(LLVMIsALoadInst(load));
    LLVMTypeRef type = LLVMTypeOf(load);
    LLVMSetMetadata(load, range_kind, NULL);
    LLVMPositionBuilderBefore(builder, LLVMGetNextInstruction(load));
    LLVMSetCurrentDebugLocation2(builder, LLVMInstructionGetDebugLoc(load));
    LLVMValueRef is_true = LLVMBuildICmp(builder, LLVMIntNE, load, LLVMConstNull(type), "");
    LLVMReplaceAllUsesWith(load, LLVMBuildZExt(builder, is_true, type, ""));
    LLVMSetOperand(is_true, 0, load);
}

void gcl_bools_widen(LLVMModuleRef module) {
    LLVMContextRef context = LLVMGetModuleContext(module);
    unsigned range_kind = LLVMGetMDKindIDInContext(context, "range", 5);
    LLVMBuilderRef builder = LLVMCreateBuilderInContext(context);
    for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f)) {
        for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b)) {
            for (LLVMValueRef i = LLVMGetFirstInstruction(b), next; i; i = next) {
                next = LLVMGetNextInstruction(i);
                if (is_bool(i, range_kind))
                    widen(builder, i, range_kind);
            }
        }
    }
    LLVMDisposeBuilder(builder);
}
