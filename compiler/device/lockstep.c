// Programs from the time when the threads of a warp ran in lockstep exchange data through volatile
// memory without asking for it: all lanes read, then all lanes write. Vectors that are warps do the
// same. Where threads run one after the other, the lanes that are there wait for each other
// wherever volatile accesses change from reading to writing or back.
#include "module.h"

static char access_kind(LLVMValueRef i) {
    if (LLVMIsALoadInst(i) && LLVMGetVolatile(i))
        return 'l';
    return LLVMIsAStoreInst(i) && LLVMGetVolatile(i) ? 's' : 0;
}

static bool has_access(LLVMValueRef function, char kind) {
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b; b = LLVMGetNextBasicBlock(b)) {
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i)) {
            if (access_kind(i) == kind)
                return true;
        }
    }
    return false;
}

static void add_sync(struct gcl_module *m, LLVMBuilderRef builder, LLVMValueRef before) {
    LLVMTypeRef i32 = gcl_i32(m);
    LLVMTypeRef type = LLVMFunctionType(LLVMVoidTypeInContext(m->context), &i32, 1, 0);
    LLVMValueRef function = LLVMGetNamedFunction(m->module, "__gcl_warp_sync");
    if (!function)
        function = LLVMAddFunction(m->module, "__gcl_warp_sync", type);
    LLVMValueRef whoever_came = gcl_u32(m, 0);
    LLVMValueRef previous = LLVMGetPreviousInstruction(before);
    bool is_told = previous && gcl_sanitize_tells(previous); // which stays right before the access
    LLVMPositionBuilderBefore(builder, is_told ? previous : before);
    LLVMBuildCall2(builder, type, function, &whoever_came, 1, "");
}

void gcl_lockstep_keep(struct gcl_module *m, struct gcl_device_kernel *kernel) {
    if (!has_access(kernel->function, 'l') || !has_access(kernel->function, 's'))
        return;
    kernel->has_warps = true;
    if (kernel->vector)
        return;
    LLVMBuilderRef builder = LLVMCreateBuilderInContext(m->context);
    LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(kernel->function);
    for (; b; b = LLVMGetNextBasicBlock(b)) {
        char last = 0; // other blocks may have done either
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i)) {
            char kind = access_kind(i);
            if (kind && kind != last)
                add_sync(m, builder, i);
            last = kind ? kind : last;
        }
    }
    LLVMDisposeBuilder(builder);
}
