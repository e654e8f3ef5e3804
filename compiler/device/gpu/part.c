// A launch may be a part of the grid that the program asked for, on one of several devices. Its
// last parameter says which; only kernels have parameters there, so a function that asks for
// blockIdx or gridDim, or calls one that does, takes a pointer to it. Where such a function is
// inlined nothing remains of that.
#include "device/gpu/part.h"

#include <assert.h>
#include <string.h>

#include "device/gpu/known.h"
#include "device/ir/intrinsics.h"
#include "device/ir/shim.h"

static LLVMValueRef function_of(LLVMValueRef instruction) {
    return LLVMGetBasicBlockParent(LLVMGetInstructionParent(instruction));
}

static bool is_call_of(LLVMValueRef user, LLVMValueRef function) {
    return LLVMIsACallInst(user) && LLVMGetCalledValue(user) == function;
}

// Adds the functions that call `function`, and those that call them.
static void add_callers(LLVMValueRef function, GHashTable *asking) {
    for (LLVMUseRef use = LLVMGetFirstUse(function); use; use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);
        if (is_call_of(user, function) && g_hash_table_add(asking, function_of(user)))
            add_callers(function_of(user), asking);
    }
}

static bool is_grid_barrier(const struct gcl_intrinsic *intrinsic) {
    return intrinsic->kind == GCL_INTRINSIC_CUT && intrinsic->cut == GCL_CUT_GRID_BARRIER;
}

static bool is_question(LLVMValueRef call) {
    const struct gcl_intrinsic *intrinsic = gcl_intrinsic_find(call);
    return intrinsic && (intrinsic->kind == GCL_INTRINSIC_BLOCK_INDEX ||
                         intrinsic->kind == GCL_INTRINSIC_GRID_SIZE || is_grid_barrier(intrinsic));
}

static LLVMTypeRef part_type(struct gcl_gpu *g) {
    LLVMTypeRef three = LLVMArrayType2(gcl_i32(&g->m), 3);
    LLVMTypeRef fields[] = {three, three, gcl_i64(&g->m)};
    return LLVMStructTypeInContext(g->m.context, fields, G_N_ELEMENTS(fields), 0);
}

static LLVMValueRef load(struct gcl_gpu *g, LLVMBuilderRef b, LLVMValueRef part, size_t offset,
                         LLVMTypeRef type) {
    LLVMValueRef bytes = gcl_u64(&g->m, offset);
    LLVMValueRef place =
        LLVMBuildInBoundsGEP2(b, LLVMInt8TypeInContext(g->m.context), part, &bytes, 1, "");
    LLVMValueRef value = LLVMBuildLoad2(b, type, place, "");
    gcl_module_mark(&g->m, value, "invariant.load");
    return value;
}

// The library has the barrier (gpu/library).
static LLVMValueRef meet(struct gcl_gpu *g, LLVMBuilderRef b, LLVMValueRef part) {
    static const char name[] = "__gcl_meet_grid";
    LLVMTypeRef pointer = gcl_ptr(&g->m);
    LLVMTypeRef type = LLVMFunctionType(LLVMVoidTypeInContext(g->m.context), &pointer, 1, 0);
    LLVMValueRef function = LLVMGetNamedFunction(g->m.module, name);
    LLVMValueRef place = load(g, b, part, offsetof(struct gcl_gpu_part, barrier), pointer);
    if (!function) {
        function = LLVMAddFunction(g->m.module, name, type);
        gcl_module_add_attribute(&g->m, function, "convergent");
    }
    return LLVMBuildCall2(b, type, function, &place, 1, "");
}

// The index doesn't wrap: a grid has fewer than 2^31 blocks along an axis.
static LLVMValueRef answer(struct gcl_gpu *g, LLVMBuilderRef b, LLVMValueRef call,
                           LLVMValueRef part) {
    const struct gcl_intrinsic *intrinsic = gcl_intrinsic_find(call);
    unsigned axis = intrinsic->axis;
    if (is_grid_barrier(intrinsic))
        return meet(g, b, part);
    if (intrinsic->kind == GCL_INTRINSIC_GRID_SIZE)
        return load(g, b, part, offsetof(struct gcl_gpu_part, grid[axis]), gcl_i32(&g->m));
    g_autofree char *name = g_strdup_printf("llvm.nvvm.read.ptx.sreg.ctaid.%c", "xyz"[axis]);
    LLVMValueRef first =
        load(g, b, part, offsetof(struct gcl_gpu_part, first[axis]), gcl_i32(&g->m));
    LLVMValueRef sum = LLVMBuildAdd(b, gcl_gpu_call(g, b, name, NULL, 0), first, "");
    if (LLVMIsAInstruction(sum)) {
        LLVMSetNUW(sum, 1);
        LLVMSetNSW(sum, 1);
    }
    return sum;
}

static void answer_all(struct gcl_gpu *g, LLVMBuilderRef b, LLVMValueRef function) {
    LLVMValueRef part = LLVMGetLastParam(function);
    for (LLVMBasicBlockRef at = LLVMGetFirstBasicBlock(function); at;
         at = LLVMGetNextBasicBlock(at)) {
        for (LLVMValueRef i = LLVMGetFirstInstruction(at), next; i; i = next) {
            next = LLVMGetNextInstruction(i);
            if (!LLVMIsACallInst(i) || !is_question(i))
                continue;
            LLVMPositionBuilderBefore(b, i);
            LLVMValueRef made = answer(g, b, i, part);
            if (LLVMGetFirstUse(i))
                LLVMReplaceAllUsesWith(i, made);
            LLVMInstructionEraseFromParent(i);
        }
    }
}

// Calls of a function that has got the parameter hand on what their own function has.
static void pass_on(LLVMValueRef function) {
    g_autoptr(GPtrArray) calls = g_ptr_array_new();
    for (LLVMUseRef use = LLVMGetFirstUse(function); use; use = LLVMGetNextUse(use)) {
        if (is_call_of(LLVMGetUser(use), function))
            g_ptr_array_add(calls, LLVMGetUser(use));
    }
    for (guint i = 0; i < calls->len; i++)
        gcl_shim_add_argument(calls->pdata[i], function,
                              LLVMGetLastParam(function_of(calls->pdata[i])));
}

static struct gcl_gpu_kernel *kernel_of(struct gcl_gpu *g, LLVMValueRef function) {
    for (guint i = 0; i < g->kernels->len; i++) {
        struct gcl_gpu_kernel *kernel = &g_array_index(g->kernels, struct gcl_gpu_kernel, i);
        if (kernel->function == function)
            return kernel;
    }
    return NULL;
}

void gcl_gpu_part_lower(struct gcl_gpu *g) {
    g_autoptr(GHashTable) asking = g_hash_table_new(g_direct_hash, g_direct_equal);
    g_autoptr(GPtrArray) changed = g_ptr_array_new();
    LLVMBuilderRef builder = LLVMCreateBuilderInContext(g->m.context);
    for (LLVMValueRef f = LLVMGetFirstFunction(g->m.module); f; f = LLVMGetNextFunction(f)) {
        if (is_question(f))
            add_callers(f, asking);
    }
    for (LLVMValueRef f = LLVMGetFirstFunction(g->m.module), next; f; f = next) {
        next = LLVMGetNextFunction(f);
        struct gcl_gpu_kernel *kernel = kernel_of(g, f);
        if (!kernel && !g_hash_table_contains(asking, f))
            continue;
        LLVMValueRef made = gcl_shim_add_parameter(f, kernel ? part_type(g) : NULL);
        if (kernel)
            kernel->function = made;
        g_ptr_array_add(changed, made);
    }
    for (guint i = 0; i < changed->len; i++)
        pass_on(changed->pdata[i]);
    for (guint i = 0; i < changed->len; i++)
        answer_all(g, builder, changed->pdata[i]);
    LLVMDisposeBuilder(builder);
}
