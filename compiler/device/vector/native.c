#include "device/vector/native.h"

#include <assert.h>

#include "device/ir/shim.h"
#include "device/ir/target.h"

void gcl_native_forget(struct gcl_module *m, struct gcl_device_kernel *kernel) {
    gcl_shim_drop_body(kernel->function);
    LLVMSetLinkage(kernel->function, LLVMInternalLinkage); // dropping it made it external
    LLVMBuilderRef builder = LLVMCreateBuilderInContext(m->context);
    LLVMPositionBuilderAtEnd(builder,
                             LLVMAppendBasicBlockInContext(m->context, kernel->function, ""));
    LLVMBuildRetVoid(builder);
    LLVMDisposeBuilder(builder);
}

static LLVMValueRef declare(struct gcl_module *m, const char *name) {
    LLVMTypeRef parameters[] = {gcl_ptr(m), gcl_i32(m), gcl_i32(m), gcl_i32(m)};
    LLVMTypeRef type = LLVMFunctionType(gcl_i32(m), parameters, G_N_ELEMENTS(parameters), 0);
    LLVMValueRef function = LLVMGetNamedFunction(m->module, name);
    return function ? function : LLVMAddFunction(m->module, name, type);
}

void gcl_native_build(struct gcl_module *m, struct gcl_device_kernel *kernel) {
    assert(kernel->regions->len == 1);
    struct gcl_device_variant variant = {.target = gcl_target_least(m),
                                         .functions = g_new0(LLVMValueRef, 1)};
    variant.functions[0] = declare(m, kernel->native);
    g_array_append_val(kernel->variants, variant);
}
