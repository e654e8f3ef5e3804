#include "device/ir/mirror.h"

#include <string.h>

#include "device/ir/module.h"
#include "device/ir/shim.h"

bool gcl_mirror_is(LLVMValueRef function) {
    return LLVMGetStringAttributeAtIndex(function, (unsigned)LLVMAttributeFunctionIndex,
                                         GCL_MIRROR_MARK, sizeof GCL_MIRROR_MARK - 1) != NULL;
}

void gcl_mirror_forget(LLVMValueRef mirror) {
    LLVMReplaceAllUsesWith(mirror, LLVMGetPoison(LLVMTypeOf(mirror)));
    LLVMDeleteFunction(mirror);
}

void gcl_mirrors_drop(LLVMModuleRef module) {
    gcl_shim_forget_used_mirrors(module);
    for (LLVMValueRef f = LLVMGetFirstFunction(module), next; f; f = next) {
        next = LLVMGetNextFunction(f);
        if (gcl_mirror_is(f))
            gcl_mirror_forget(f);
    }
}

// The symbol of a function of several inputs' ends with the input's number.
void gcl_mirrors_find(struct gcl_module *m) {
    gcl_shim_forget_used_mirrors(m->module);
    for (guint k = 0; k < m->kernels->len; k++) {
        struct gcl_device_kernel *kernel = m->kernels->pdata[k];
        const char *input = g_strrstr(kernel->name, ".input");
        size_t length = input ? (size_t)(input - kernel->name) : strlen(kernel->name);
        g_autofree char *name = g_strdup_printf("%.*s" GCL_MIRROR_SUFFIX "%s", (int)length,
                                                kernel->name, input ? input : "");
        kernel->mirror = LLVMGetNamedFunction(m->module, name);
    }
}
