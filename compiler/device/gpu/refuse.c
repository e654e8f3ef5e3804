// A kernel is left out for what it, or a function that it calls, does: it is found by going through
// its calls.
#include "device/gpu/refuse.h"

#include <assert.h>
#include <string.h>

#include "device/gpu/math.h"
#include "device/ir/intrinsics.h"
#include "device/ir/shim.h"

// Functions that the driver has for all, and the question by which the toolkit's library adapts to
// options, which the back end answers.
static bool is_drivers(const char *name) {
    static const char *const names[] = {"vprintf",      "malloc",         "free",
                                        "__assertfail", "__nvvm_reflect", NULL};
    return g_strv_contains(names, name);
}

// Why a call can't be had, NULL: it can. To be freed.
static char *refuse_call(LLVMValueRef call) {
    LLVMValueRef callee = LLVMGetCalledValue(call);
    if (gcl_intrinsic_is_by_pointer(call))
        return g_strdup("it calls a function through a pointer that may lead to too many");
    if (LLVMIsAInlineAsm(callee))
        return NULL;
    const char *name = gcl_intrinsic_callee(call);
    if (!LLVMIsDeclaration(callee) || g_str_has_prefix(name, "llvm.") || is_drivers(name))
        return NULL;
    const char *missing = gcl_gpu_math_missing(call);
    if (missing)
        return g_strdup_printf("it calls %s, which takes libdevice.10.bc of the CUDA toolkit: "
                               "install nvidia-cuda-toolkit, or name its folder with --cuda-path",
                               missing);
    if (g_str_has_prefix(name, "__gcl_child_"))
        return g_strdup("it launches kernels, which the CPU device alone does");
    return g_strdup_printf("it calls %s, which GPUs don't have", name);
}

/// The first thing found that can't be had.
struct finding {
    LLVMValueRef call;
    char *why; ///< NULL: there is nothing
};

static void search(LLVMValueRef function, GHashTable *seen, struct finding *found) {
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b; b = LLVMGetNextBasicBlock(b)) {
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i && !found->why;
             i = LLVMGetNextInstruction(i)) {
            LLVMValueRef callee = LLVMIsACallInst(i) ? LLVMGetCalledValue(i) : NULL;
            if (!callee)
                continue;
            found->call = i;
            found->why = refuse_call(i);
            if (!found->why && LLVMIsAFunction(callee) && g_hash_table_add(seen, callee))
                search(callee, seen, found);
        }
    }
}

static void warn(struct gcl_gpu *g, const struct gcl_gpu_kernel *kernel,
                 const struct finding *found) {
    assert(found->why);
    if (!g->m.options->gpu->tells)
        return;
    g_autofree char *file = NULL;
    struct gcl_source_location place = gcl_module_place(&g->m, found->call, &file);
    g_autofree char *name = gcl_shim_source_name(kernel->entry->name);
    gcl_diagnostics_add(g->m.diagnostics, GCL_CODE_LEFT_OUT_OF_GPU, &place,
                        "GPUs can't run it; --device=cpu makes no GPU code",
                        "kernel %s has no GPU code: %s", name ? name : kernel->entry->name,
                        found->why);
}

void gcl_gpu_refuse(struct gcl_gpu *g) {
    for (guint i = 0; i < g->kernels->len;) {
        struct gcl_gpu_kernel *kernel = &g_array_index(g->kernels, struct gcl_gpu_kernel, i);
        g_autoptr(GHashTable) seen = g_hash_table_new(g_direct_hash, g_direct_equal);
        struct finding found = {0};
        search(kernel->function, seen, &found);
        if (found.why) {
            warn(g, kernel, &found);
            LLVMSetLinkage(kernel->function, LLVMInternalLinkage);
            g_array_remove_index(g->kernels, i);
        } else {
            i++;
        }
        g_free(found.why);
    }
    gcl_module_run_passes(&g->m, "globaldce");
}
