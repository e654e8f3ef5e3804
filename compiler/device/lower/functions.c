// Functions that are not inlined into a kernel (recursive ones, those called through pointers,
// large ones) have no block among their parameters: they ask the runtime for it, once, at their
// start, and read built-in variables from what it gives them.
//
// Before: kernels are lane functions, and what is left of other functions has no cuts.
#include "device/lower/functions.h"

#include "device/ir/block.h"
#include "device/ir/intrinsics.h"
#include "device/ir/module.h"

static LLVMValueRef runtime_block(struct gcl_module *m, LLVMBuilderRef builder) {
    LLVMTypeRef type = LLVMFunctionType(gcl_ptr(m), NULL, 0, 0);
    LLVMValueRef function = gcl_intrinsic_declare(m, "gcl_block_current", gcl_ptr(m));
    return LLVMBuildCall2(builder, type, function, NULL, 0, "");
}

static struct gcl_block_thread running_thread(struct gcl_module *m, LLVMBuilderRef builder) {
    struct gcl_block_thread t = {.block = runtime_block(m, builder)};
    LLVMValueRef size[] = {gcl_block_load(m, builder, t.block, GCL_BLOCK_SIZE, 0),
                           gcl_block_load(m, builder, t.block, GCL_BLOCK_SIZE, 1)};
    t.number = gcl_block_load(m, builder, t.block, GCL_BLOCK_THREAD, 0);
    gcl_block_thread_axes(builder, t.number, size, t.axis);
    return t;
}

static void lower_function(struct gcl_module *m, LLVMBuilderRef builder, LLVMValueRef function) {
    g_autoptr(GPtrArray) calls = g_ptr_array_new();
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b; b = LLVMGetNextBasicBlock(b)) {
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i)) {
            if (LLVMIsACallInst(i) && gcl_intrinsic_find(i))
                g_ptr_array_add(calls, i);
        }
    }
    if (calls->len == 0)
        return;
    LLVMPositionBuilderBefore(builder, LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(function)));
    struct gcl_block_thread thread = running_thread(m, builder);
    for (guint i = 0; i < calls->len; i++)
        LLVMReplaceAllUsesWith(calls->pdata[i],
                               gcl_block_intrinsic(m, builder, &thread, calls->pdata[i]));
    for (guint i = 0; i < calls->len; i++) // not before: the builder stands at the first of them
        LLVMInstructionEraseFromParent(calls->pdata[i]);
}

void gcl_functions_lower(struct gcl_module *m) {
    LLVMBuilderRef builder = LLVMCreateBuilderInContext(m->context);
    for (LLVMValueRef f = LLVMGetFirstFunction(m->module); f; f = LLVMGetNextFunction(f)) {
        if (!gcl_module_kernel(m, f) && !LLVMIsDeclaration(f))
            lower_function(m, builder, f);
    }
    LLVMDisposeBuilder(builder);
}
