// A kernel launches others if it may come to such a call: through calls that name their function,
// or by a pointer, which may lead anywhere.
#include "device/lower/launches.h"

#include <llvm-c/DebugInfo.h>
#include <string.h>

#include "device/ir/intrinsics.h"
#include "device/ir/mirror.h"
#include "device/ir/module.h"

#define FROM_HEADER "__gcl_child_launch"
#define TO_RUNTIME "gcl_device_launch"

static const struct gcl_device_entry *find_entry(const struct gcl_module *m,
                                                 LLVMValueRef function) {
    const struct gcl_device_kernel *kernel = gcl_module_kernel(m, function);
    for (guint i = 0; kernel && i < m->entries->len; i++) {
        const struct gcl_device_entry *entry = m->entries->pdata[i];
        if (entry->kernel == kernel)
            return entry;
    }
    return NULL;
}

static LLVMValueRef runtime_launch(struct gcl_module *m, LLVMTypeRef type) {
    LLVMValueRef function = LLVMGetNamedFunction(m->module, TO_RUNTIME);
    if (!function) {
        function = LLVMAddFunction(m->module, TO_RUNTIME, type);
        gcl_module_add_attribute(m, function, "nounwind");
    }
    return function;
}

// What our headers keep apart for clang's optimiser can be inlined from here on.
static void allow_inlining(LLVMValueRef function) {
    static const char name[] = "noinline";
    if (gcl_mirror_is(function))
        return;
    LLVMRemoveEnumAttributeAtIndex(function, (unsigned)LLVMAttributeFunctionIndex,
                                   LLVMGetEnumAttributeKindForName(name, sizeof name - 1));
}

static void lower_call(struct gcl_module *m, LLVMBuilderRef builder, LLVMValueRef call) {
    const struct gcl_device_entry *entry = find_entry(m, LLVMGetOperand(call, 0));
    if (!entry)
        return;
    LLVMTypeRef types[] = {gcl_ptr(m), gcl_ptr(m), gcl_ptr(m), gcl_ptr(m)};
    LLVMTypeRef type = LLVMFunctionType(LLVMVoidTypeInContext(m->context), types, 4, 0);
    LLVMPositionBuilderBefore(builder, call);
    LLVMSetCurrentDebugLocation2(builder, LLVMInstructionGetDebugLoc(call));
    LLVMValueRef operands[] = {
        LLVMBuildGlobalStringPtr(builder, m->inputs[entry->input].unit_id, ".launch.id"),
        LLVMBuildGlobalStringPtr(builder, entry->name, ".launch.kernel"),
        LLVMGetOperand(call, 1),
        LLVMGetOperand(call, 2),
    };
    LLVMBuildCall2(builder, type, runtime_launch(m, type), operands, 4, "");
    allow_inlining(LLVMGetBasicBlockParent(LLVMGetInstructionParent(call)));
    LLVMInstructionEraseFromParent(call);
}

static void lower_all(struct gcl_module *m, LLVMValueRef launch) {
    LLVMBuilderRef builder = LLVMCreateBuilderInContext(m->context);
    for (LLVMUseRef next, use = LLVMGetFirstUse(launch); use; use = next) {
        LLVMValueRef user = LLVMGetUser(use);
        next = LLVMGetNextUse(use);
        if (LLVMIsACallInst(user))
            lower_call(m, builder, user);
    }
    LLVMDisposeBuilder(builder);
}

static bool may_launch(LLVMValueRef function, GHashTable *seen) {
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b; b = LLVMGetNextBasicBlock(b)) {
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i)) {
            const char *name = gcl_intrinsic_callee(i);
            if (gcl_intrinsic_is_by_pointer(i) || !strcmp(name, FROM_HEADER) ||
                !strcmp(name, TO_RUNTIME))
                return true;
            LLVMValueRef callee = *name ? LLVMGetCalledValue(i) : NULL;
            if (callee && g_hash_table_add(seen, callee) && may_launch(callee, seen))
                return true;
        }
    }
    return false;
}

void gcl_launches_lower(struct gcl_module *m) {
    LLVMValueRef launch = LLVMGetNamedFunction(m->module, FROM_HEADER);
    if (!launch || !LLVMGetFirstUse(launch))
        return;
    lower_all(m, launch);
    for (guint i = 0; i < m->kernels->len; i++) {
        struct gcl_device_kernel *kernel = m->kernels->pdata[i];
        g_autoptr(GHashTable) seen = g_hash_table_new(g_direct_hash, g_direct_equal);
        kernel->launches = may_launch(kernel->function, seen);
    }
}
