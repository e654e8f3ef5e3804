// What may be approximated of a call may be of what takes its place.
#include "device/lower/fast.h"

#include <string.h>

#include "device/ir/intrinsics.h"

static LLVMValueRef allow(LLVMValueRef made, LLVMValueRef call) {
    if (LLVMIsAInstruction(made) && LLVMCanValueUseFastMathFlags(made))
        LLVMSetFastMathFlags(made, LLVMGetFastMathFlags(call));
    return made;
}

static LLVMValueRef divide(LLVMBuilderRef b, LLVMValueRef x, LLVMValueRef y, LLVMValueRef call) {
    return allow(LLVMBuildFDiv(b, x, y, ""), call);
}

// llvm.sin.f32 for sinf.
static LLVMValueRef build_intrinsic(struct gcl_module *m, LLVMBuilderRef b, const char *name,
                                    LLVMValueRef call) {
    LLVMValueRef arguments[2];
    unsigned count = LLVMGetNumArgOperands(call);
    for (unsigned i = 0; i < count; i++)
        arguments[i] = LLVMGetOperand(call, i);
    g_autofree char *full = g_strdup_printf("llvm.%.*s", (int)strlen(name) - 1, name);
    LLVMTypeRef type = LLVMTypeOf(call);
    return allow(gcl_intrinsic_call_llvm(m, b, full, &type, 1, arguments, count), call);
}

LLVMValueRef gcl_fast_build(struct gcl_module *m, LLVMBuilderRef b, LLVMValueRef call) {
    const char *name = gcl_intrinsic_callee(call);
    if (!g_str_has_prefix(name, GCL_FAST))
        return NULL;
    name += strlen(GCL_FAST);
    if (strcmp(name, "fdividef") == 0)
        return divide(b, LLVMGetOperand(call, 0), LLVMGetOperand(call, 1), call);
    if (strcmp(name, "rsqrtf") == 0)
        return divide(b, LLVMConstReal(LLVMTypeOf(call), 1), build_intrinsic(m, b, "sqrtf", call),
                      call);
    return build_intrinsic(m, b, name, call);
}
