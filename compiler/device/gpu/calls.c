// A function's address is that of its descriptor in the image, the same for all devices
// (lower/image.c), so it says nothing of where a GPU has the code: a call compares it with the
// addresses of all functions that it may lead to. Those are few: they have the call's type, and
// their address is taken somewhere. A pointer to anything else traps, as no CUDA program may call
// it.
#include "device/gpu/calls.h"

#include "device/gpu/known.h"
#include "device/ir/intrinsics.h"
#include "device/ir/shim.h"

enum { COMPARED = 64 }; // functions that a call is compared with at most

// Functions whose address is taken, by their types.
static GHashTable *collect_functions(struct gcl_gpu *g) {
    const GPtrArray *known = g->cpu->image.functions;
    GHashTable *functions = g_hash_table_new_full(g_direct_hash, g_direct_equal, NULL,
                                                  (GDestroyNotify)g_ptr_array_unref);
    for (guint i = 0; i < known->len; i++) {
        size_t length;
        LLVMValueRef function =
            LLVMGetNamedFunction(g->m.module, LLVMGetValueName2(known->pdata[i], &length));
        if (!function || LLVMIsDeclaration(function))
            continue;
        LLVMTypeRef type = LLVMGlobalGetValueType(function);
        GPtrArray *alike = g_hash_table_lookup(functions, type);
        if (!alike) {
            alike = g_ptr_array_new();
            g_hash_table_insert(functions, type, alike);
        }
        g_ptr_array_add(alike, function);
    }
    return functions;
}

static void list_calls(LLVMValueRef function, GPtrArray *calls) {
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b; b = LLVMGetNextBasicBlock(b)) {
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i)) {
            if (gcl_intrinsic_is_by_pointer(i))
                g_ptr_array_add(calls, i);
        }
    }
}

static void lower_call(struct gcl_gpu *g, LLVMBuilderRef b, LLVMValueRef call,
                       const GPtrArray *functions) {
    guint count = functions ? functions->len : 0;
    if (count > COMPARED)
        return;
    for (guint i = 0; i < count; i++)
        gcl_shim_split_call(call, functions->pdata[i]);
    LLVMPositionBuilderBefore(b, call);
    gcl_gpu_call(g, b, "llvm.trap", NULL, 0);
    if (LLVMGetFirstUse(call))
        LLVMReplaceAllUsesWith(call, LLVMGetPoison(LLVMTypeOf(call)));
    LLVMInstructionEraseFromParent(call);
}

void gcl_gpu_calls_lower(struct gcl_gpu *g) {
    g_autoptr(GHashTable) functions = collect_functions(g);
    g_autoptr(GPtrArray) calls = g_ptr_array_new();
    LLVMBuilderRef builder = LLVMCreateBuilderInContext(g->m.context);
    for (LLVMValueRef f = LLVMGetFirstFunction(g->m.module); f; f = LLVMGetNextFunction(f))
        list_calls(f, calls);
    for (guint i = 0; i < calls->len; i++) {
        LLVMTypeRef type = LLVMGetCalledFunctionType(calls->pdata[i]);
        lower_call(g, builder, calls->pdata[i], g_hash_table_lookup(functions, type));
    }
    LLVMDisposeBuilder(builder);
}
