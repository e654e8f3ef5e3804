// A kernel stays the one function that it is in the source, so that debuggers see it as such. Its
// regions (gcluster/kernel.h) have no code of their own: the runtime goes back to the stacks of the
// threads that are to go on.
#include "device/vector/threads.h"

#include <assert.h>
#include <llvm-c/DebugInfo.h>
#include <string.h>

#include "device/ir/block.h"
#include "device/ir/intrinsics.h"
#include "device/ir/mirror.h"
#include "device/ir/target.h"
#include "device/ir/variant.h"

// Bytes of a stack: for what the C library's and our headers' functions take, and for what the code
// generator keeps of an instruction's result.
enum { PAGE = 4096, CALLS = 64 * 1024, RESULT = 16 };

static GPtrArray *find_cuts(LLVMValueRef function) {
    GPtrArray *cuts = g_ptr_array_new();
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b; b = LLVMGetNextBasicBlock(b)) {
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i)) {
            const struct gcl_intrinsic *intrinsic =
                LLVMIsACallInst(i) ? gcl_intrinsic_find(i) : NULL;
            if (intrinsic && intrinsic->kind == GCL_INTRINSIC_CUT)
                g_ptr_array_add(cuts, i);
        }
    }
    return cuts;
}

static void add_region(struct gcl_device_kernel *kernel, struct gcl_cut cut) {
    struct gcl_device_region region = {
        .cut = cut,
        .takes = g_array_new(FALSE, FALSE, sizeof(struct gcl_device_kept)),
        .leaves = g_array_new(FALSE, FALSE, sizeof(struct gcl_device_kept)),
    };
    g_array_append_val(kernel->regions, region);
}

static LLVMValueRef declare(struct gcl_module *m, const char *name, LLVMTypeRef type) {
    LLVMValueRef function = LLVMGetNamedFunction(m->module, name);
    return function ? function : LLVMAddFunction(m->module, name, type);
}

// What the thread waits with (gcl_thread_wait), in front of a cut.
static void find_operands(struct gcl_module *m, LLVMBuilderRef b, LLVMValueRef cut,
                          LLVMValueRef operands[3]) {
    enum gcl_cut_form form = gcl_intrinsic_find(cut)->form;
    unsigned next = 0;
    operands[0] = operands[2] = gcl_u32(m, 0);
    operands[1] = gcl_u64(m, 0);
    if (form >= GCL_FORM_MASK)
        operands[0] = LLVMGetOperand(cut, next++);
    if (form == GCL_FORM_VALUE || form >= GCL_FORM_MASK_VALUE)
        operands[1] = LLVMBuildIntCast2(b, LLVMGetOperand(cut, next++), gcl_i64(m), 0, "");
    if (form == GCL_FORM_MASK_VALUE_LANE)
        operands[2] = LLVMGetOperand(cut, next);
}

static void wait_at(struct gcl_module *m, LLVMBuilderRef b, LLVMValueRef cut, uint32_t region) {
    LLVMTypeRef types[] = {gcl_i32(m), gcl_i32(m), gcl_i64(m), gcl_i32(m)};
    LLVMTypeRef type = LLVMFunctionType(gcl_i64(m), types, G_N_ELEMENTS(types), 0);
    LLVMValueRef arguments[4] = {gcl_u32(m, region)};
    LLVMPositionBuilderBefore(b, cut);
    LLVMSetCurrentDebugLocation2(b, LLVMInstructionGetDebugLoc(cut));
    find_operands(m, b, cut, &arguments[1]);
    LLVMValueRef result = LLVMBuildCall2(b, type, declare(m, "gcl_thread_wait", type), arguments,
                                         G_N_ELEMENTS(arguments), "");
    if (LLVMGetFirstUse(cut))
        LLVMReplaceAllUsesWith(cut, LLVMBuildIntCast2(b, result, LLVMTypeOf(cut), 0, ""));
    LLVMInstructionEraseFromParent(cut);
}

static void lower_cuts(struct gcl_module *m, struct gcl_device_kernel *kernel, GPtrArray *cuts) {
    LLVMBuilderRef b = LLVMCreateBuilderInContext(m->context);
    for (guint i = 0; i < cuts->len; i++) {
        const struct gcl_intrinsic *intrinsic = gcl_intrinsic_find(cuts->pdata[i]);
        struct gcl_cut cut = {.kind = intrinsic->cut,
                              .operation = intrinsic->operation,
                              .line = LLVMGetDebugLocLine(cuts->pdata[i])};
        bool ends = cut.kind == GCL_CUT_ENTRY; // the thread, here
        wait_at(m, b, cuts->pdata[i], ends ? GCL_EXIT : kernel->regions->len);
        if (!ends)
            add_region(kernel, cut);
    }
    LLVMDisposeBuilder(b);
}

// Bytes of the stack that one function takes at most.
static uint64_t frame_size(const struct gcl_module *m, LLVMValueRef function) {
    uint64_t size = 0;
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b; b = LLVMGetNextBasicBlock(b)) {
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i)) {
            size += RESULT;
            if (LLVMIsAAllocaInst(i) && LLVMIsAConstantInt(LLVMGetOperand(i, 0)))
                size += LLVMABISizeOfType(m->layout, LLVMGetAllocatedType(i)) *
                        LLVMConstIntGetZExtValue(LLVMGetOperand(i, 0));
        }
    }
    return size;
}

// Room for the kernel, and for each function that stays one, once.
static uint32_t stack_size(const struct gcl_module *m, const struct gcl_device_kernel *kernel) {
    uint64_t size = CALLS + frame_size(m, kernel->mirror);
    for (LLVMValueRef f = LLVMGetFirstFunction(m->module); f; f = LLVMGetNextFunction(f)) {
        if (gcl_mirror_is(f) && !gcl_module_mirror_kernel(m, f))
            size += frame_size(m, f);
    }
    return (uint32_t)((size + PAGE - 1) / PAGE * PAGE);
}

static void pass_by_value(LLVMValueRef call, LLVMValueRef function) {
    unsigned byval = LLVMGetEnumAttributeKindForName("byval", 5);
    for (unsigned i = 1; i <= LLVMCountParams(function); i++) {
        LLVMAttributeRef attribute = LLVMGetEnumAttributeAtIndex(function, i, byval);
        if (attribute)
            LLVMAddCallSiteAttribute(call, i, attribute);
    }
}

// The way of one thread: the mirror, with the arguments of the launch.
static LLVMValueRef build_thread(struct gcl_module *m, const struct gcl_device_kernel *kernel,
                                 const struct gcl_device_target *target) {
    unsigned count = LLVMCountParams(kernel->mirror);
    LLVMTypeRef ptr = gcl_ptr(m);
    LLVMTypeRef type = LLVMFunctionType(LLVMVoidTypeInContext(m->context), &ptr, 1, 0);
    g_autofree char *name = g_strconcat("gcl.thread.", kernel->name, NULL);
    g_autofree LLVMValueRef *arguments = g_new(LLVMValueRef, count + 1);
    LLVMValueRef function = LLVMAddFunction(m->module, name, type);
    LLVMBuilderRef b = LLVMCreateBuilderInContext(m->context);
    LLVMSetLinkage(function, LLVMInternalLinkage);
    gcl_target_set(m, function, target);
    LLVMPositionBuilderAtEnd(b, LLVMAppendBasicBlockInContext(m->context, function, ""));
    gcl_block_load_arguments(m, b, LLVMGetParam(function, 0), kernel->function, arguments);
    LLVMValueRef call = LLVMBuildCall2(b, LLVMGlobalGetValueType(kernel->mirror), kernel->mirror,
                                       arguments, count, "");
    pass_by_value(call, kernel->mirror);
    LLVMBuildRetVoid(b);
    LLVMDisposeBuilder(b);
    return function;
}

static LLVMValueRef build_region(struct gcl_module *m, const struct gcl_device_kernel *kernel,
                                 const struct gcl_device_variant *variant, guint number,
                                 LLVMValueRef thread) {
    LLVMTypeRef types[] = {gcl_ptr(m), gcl_i32(m), gcl_i32(m), gcl_i32(m), gcl_ptr(m), gcl_i32(m)};
    LLVMTypeRef type = LLVMFunctionType(gcl_i32(m), types, G_N_ELEMENTS(types), 0);
    LLVMValueRef function = gcl_variant_declare(m, kernel, variant, number);
    LLVMBuilderRef b = LLVMCreateBuilderInContext(m->context);
    LLVMPositionBuilderAtEnd(b, LLVMAppendBasicBlockInContext(m->context, function, ""));
    LLVMValueRef arguments[] = {
        LLVMGetParam(function, 0),
        LLVMGetParam(function, 1),
        LLVMGetParam(function, 2),
        LLVMGetParam(function, 3),
        number == 0 ? thread : LLVMConstNull(gcl_ptr(m)),
        gcl_u32(m, kernel->frame_size),
    };
    LLVMBuildRet(b, LLVMBuildCall2(b, type, declare(m, "gcl_threads_run", type), arguments,
                                   G_N_ELEMENTS(arguments), ""));
    LLVMDisposeBuilder(b);
    return function;
}

void gcl_threads_build(struct gcl_module *m, struct gcl_device_kernel *kernel) {
    assert(kernel->mirror && kernel->regions->len == 0);
    g_autoptr(GPtrArray) cuts = find_cuts(kernel->mirror);
    const struct gcl_device_target *target = gcl_target_least(m);
    add_region(kernel, (struct gcl_cut){.kind = GCL_CUT_ENTRY});
    lower_cuts(m, kernel, cuts);
    kernel->frame_size = cuts->len > 0 ? stack_size(m, kernel) : 0;
    struct gcl_device_variant variant = {
        .target = target,
        .by_threads = true,
        .functions = g_new0(LLVMValueRef, kernel->regions->len),
    };
    LLVMValueRef thread = build_thread(m, kernel, target);
    for (guint r = 0; r < kernel->regions->len; r++)
        variant.functions[r] = build_region(m, kernel, &variant, r, thread);
    g_array_append_val(kernel->variants, variant);
    LLVMSetLinkage(kernel->mirror, LLVMInternalLinkage);
}
