// One piece of code a region for each kind of processor. This is the one place that decides which
// variants a kernel has, and how each runs its threads.
#include <string.h>

#include "module.h"
#include "regions.h"

LLVMValueRef gcl_variant_declare(struct gcl_module *m, const struct gcl_device_kernel *kernel,
                                 const struct gcl_device_variant *variant, guint number) {
    LLVMTypeRef parameters[] = {gcl_ptr(m), gcl_i32(m), gcl_i32(m), gcl_i32(m)};
    LLVMTypeRef type = LLVMFunctionType(gcl_i32(m), parameters, G_N_ELEMENTS(parameters), 0);
    g_autofree char *name =
        g_strdup_printf("%s.region%u.%s", kernel->name, number, variant->target->cpu);
    LLVMValueRef function = LLVMAddFunction(m->module, name, type);
    LLVMSetLinkage(function, LLVMInternalLinkage);
    gcl_target_set(m, function, variant->target);
    unsigned readable = LLVMGetEnumAttributeKindForName("dereferenceable", 15);
    LLVMAddAttributeAtIndex(
        function, 1, LLVMCreateEnumAttribute(m->context, readable, sizeof(struct gcl_block)));
    return function;
}

void gcl_variants_build(struct gcl_module *m, struct gcl_device_kernel *kernel) {
    for (size_t i = 0; i < m->target_count && !m->failed; i++) {
        struct gcl_device_variant variant = {
            .target = &m->targets[i],
            .functions = g_new0(LLVMValueRef, kernel->regions->len),
        };
        gcl_lanes_build(m, kernel, &variant);
        g_array_append_val(kernel->variants, variant);
    }
}
