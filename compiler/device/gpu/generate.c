// The stages of the GPU code generator, one call each.
#include "device/gpu/generate.h"

#include <assert.h>
#include <llvm-c/Comdat.h>
#include <string.h>

#include "device/gpu/calls.h"
#include "device/gpu/known.h"
#include "device/gpu/math.h"
#include "device/gpu/order.h"
#include "device/gpu/part.h"
#include "device/gpu/places.h"
#include "device/gpu/refuse.h"
#include "device/gpu/target.h"
#include "device/ir/shim.h"
#include "device/lower/contract.h"
#include "device/lower/inline.h"
#include "device/lower/retarget.h"

// Clang's lists of what is to stay: the runtime has variables, and the tables name kernels. Lists
// of lists would be left with what isn't there any more.
static void delete_lists(struct gcl_gpu *g) {
    static const char *const prefixes[] = {"llvm.used", "llvm.compiler.used", "llvm.global",
                                           "__clang_gpu_used_external"};
    for (LLVMValueRef v = LLVMGetFirstGlobal(g->m.module), next; v; v = next) {
        size_t length;
        const char *name = LLVMGetValueName2(v, &length);
        next = LLVMGetNextGlobal(v);
        for (size_t i = 0; i < G_N_ELEMENTS(prefixes); i++) {
            if (g_str_has_prefix(name, prefixes[i])) {
                LLVMReplaceAllUsesWith(v, LLVMGetPoison(LLVMTypeOf(v)));
                LLVMDeleteGlobal(v);
                break;
            }
        }
    }
}

static void find_kernels(struct gcl_gpu *g) {
    for (guint i = 0; i < g->cpu->entries->len; i++) {
        const struct gcl_device_entry *entry = g->cpu->entries->pdata[i];
        struct gcl_gpu_kernel kernel = {
            .entry = entry, .function = LLVMGetNamedFunction(g->m.module, entry->symbol)};
        bool is_new = true;
        for (guint k = 0; k < g->kernels->len; k++)
            is_new &=
                g_array_index(g->kernels, struct gcl_gpu_kernel, k).function != kernel.function;
        assert(kernel.function);
        if (is_new)
            g_array_append_val(g->kernels, kernel);
    }
}

// Nothing but kernels is known outside.
static void make_local(struct gcl_gpu *g) {
    for (LLVMValueRef f = LLVMGetFirstFunction(g->m.module); f; f = LLVMGetNextFunction(f)) {
        if (!LLVMIsDeclaration(f)) {
            LLVMSetComdat(f, NULL);
            LLVMSetLinkage(f, LLVMInternalLinkage);
        }
    }
    for (guint k = 0; k < g->kernels->len; k++)
        LLVMSetLinkage(g_array_index(g->kernels, struct gcl_gpu_kernel, k).function,
                       LLVMExternalLinkage);
    for (LLVMValueRef v = LLVMGetFirstGlobal(g->m.module); v; v = LLVMGetNextGlobal(v)) {
        if (!LLVMIsDeclaration(v)) {
            LLVMSetComdat(v, NULL);
            LLVMSetLinkage(v, LLVMInternalLinkage);
        }
    }
}

static void init(struct gcl_gpu *g, const struct gcl_module *cpu) {
    *g = (struct gcl_gpu){.m = *cpu, .cpu = cpu};
    g->m.context = LLVMContextCreate();
    g->m.module = NULL;
    g->m.kernels = g_ptr_array_new();
    g->m.diagnostics = gcl_diagnostics_create();
    g->m.gpu_codes = g_array_new(FALSE, TRUE, sizeof(struct gcl_device_gpu_code));
    g->kernels = g_array_new(FALSE, TRUE, sizeof(struct gcl_gpu_kernel));
}

// What all kinds of GPUs share.
static void lower(struct gcl_gpu *g) {
    delete_lists(g);
    find_kernels(g);
    make_local(g);
    gcl_gpu_calls_lower(g);
    gcl_gpu_known_lower(g);
    gcl_gpu_order_lower(g);
    gcl_gpu_part_lower(g);
    gcl_inline_mark_willing(&g->m);
    gcl_module_run_passes(&g->m, GCL_INLINE);
    gcl_contract(&g->m);
    gcl_gpu_math_lower(g);
    gcl_gpu_refuse(g);
    gcl_gpu_places_lower(g);
}

bool gcl_gpu_generate(struct gcl_gpu *g, const struct gcl_module *cpu) {
    const GArray *targets = cpu->options->gpu->targets;
    init(g, cpu);
    if (!gcl_gpu_target_init(g, &g_array_index(targets, struct gcl_gpu_target, 0)) ||
        !gcl_retarget_keep(&g->m))
        return false;
    lower(g);
    for (guint t = 0; t < targets->len && !g->m.failed; t++)
        gcl_gpu_target_emit(g, &g_array_index(targets, struct gcl_gpu_target, t));
    return !g->m.failed;
}
