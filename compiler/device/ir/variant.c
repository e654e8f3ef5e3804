// What a variant of a kernel is called and for which blocks it is. Each region of a variant is a
// function of its own (gcl_region in gcluster/kernel.h), compiled for the processor of the variant.
#include "device/ir/variant.h"

#include <assert.h>

#include "device/ir/module.h"
#include "device/ir/target.h"

LLVMValueRef gcl_variant_declare(struct gcl_module *m, const struct gcl_device_kernel *kernel,
                                 const struct gcl_device_variant *variant, guint number) {
    assert(variant->target && kernel->name);
    LLVMTypeRef parameters[] = {gcl_ptr(m), gcl_i32(m), gcl_i32(m), gcl_i32(m)};
    LLVMTypeRef type = LLVMFunctionType(gcl_i32(m), parameters, G_N_ELEMENTS(parameters), 0);
    g_autofree char *name =
        g_strdup_printf("%s.region%u.%s", kernel->name, number, variant->target->cpu);
    LLVMValueRef function = LLVMAddFunction(m->module, name, type);
    LLVMSetLinkage(function, LLVMInternalLinkage);
    LLVMSetUnnamedAddress(function, LLVMGlobalUnnamedAddr); // one may serve several kernels
    gcl_target_set(m, function, variant->target);
    unsigned readable = LLVMGetEnumAttributeKindForName("dereferenceable", 15);
    LLVMAddAttributeAtIndex(
        function, 1, LLVMCreateEnumAttribute(m->context, readable, sizeof(struct gcl_block)));
    return function;
}

bool gcl_variant_is_shaped(const struct gcl_device_variant *variant) {
    // A size is known along all axes or along none.
    assert((variant->block_size[0] != 0) == (variant->block_size[1] != 0) &&
           (variant->block_size[0] != 0) == (variant->block_size[2] != 0));
    return variant->block_size[0] != 0;
}

uint32_t gcl_variant_threads(const struct gcl_device_variant *variant) {
    const uint32_t *size = variant->block_size;
    return gcl_variant_is_shaped(variant) ? size[0] * size[1] * size[2] : UINT32_MAX;
}
