// One table: what the headers in compiler/cuda declare, and what it means to the code generator.
#include "device/ir/intrinsics.h"

#include <assert.h>
#include <string.h>

#include "device/ir/module.h"

static const struct gcl_intrinsic intrinsics[] = {
    {.name = "__gcl_tid_x", .kind = GCL_INTRINSIC_THREAD, .axis = 0},
    {.name = "__gcl_tid_y", .kind = GCL_INTRINSIC_THREAD, .axis = 1},
    {.name = "__gcl_tid_z", .kind = GCL_INTRINSIC_THREAD, .axis = 2},
    {.name = "__gcl_thread", .kind = GCL_INTRINSIC_THREAD, .axis = 3},
    {.name = "__gcl_ctaid_x", .kind = GCL_INTRINSIC_BLOCK_INDEX, .axis = 0},
    {.name = "__gcl_ctaid_y", .kind = GCL_INTRINSIC_BLOCK_INDEX, .axis = 1},
    {.name = "__gcl_ctaid_z", .kind = GCL_INTRINSIC_BLOCK_INDEX, .axis = 2},
    {.name = "__gcl_ntid_x", .kind = GCL_INTRINSIC_BLOCK_SIZE, .axis = 0},
    {.name = "__gcl_ntid_y", .kind = GCL_INTRINSIC_BLOCK_SIZE, .axis = 1},
    {.name = "__gcl_ntid_z", .kind = GCL_INTRINSIC_BLOCK_SIZE, .axis = 2},
    {.name = "__gcl_nctaid_x", .kind = GCL_INTRINSIC_GRID_SIZE, .axis = 0},
    {.name = "__gcl_nctaid_y", .kind = GCL_INTRINSIC_GRID_SIZE, .axis = 1},
    {.name = "__gcl_nctaid_z", .kind = GCL_INTRINSIC_GRID_SIZE, .axis = 2},
    {.name = "__gcl_shared", .kind = GCL_INTRINSIC_SHARED},
    {.name = "__gcl_dynamic_shared", .kind = GCL_INTRINSIC_DYNAMIC_SHARED},
    {.name = "__gcl_dynamic_shared_size", .kind = GCL_INTRINSIC_DYNAMIC_SIZE},
    {"__gcl_barrier", GCL_INTRINSIC_CUT, 0, GCL_CUT_BARRIER, GCL_REDUCE_NONE, GCL_FORM_NONE},
    {"__gcl_barrier_count", GCL_INTRINSIC_CUT, 0, GCL_CUT_BARRIER, GCL_REDUCE_COUNT,
     GCL_FORM_VALUE},
    {"__gcl_barrier_and", GCL_INTRINSIC_CUT, 0, GCL_CUT_BARRIER, GCL_REDUCE_AND, GCL_FORM_VALUE},
    {"__gcl_barrier_or", GCL_INTRINSIC_CUT, 0, GCL_CUT_BARRIER, GCL_REDUCE_OR, GCL_FORM_VALUE},
    {"__gcl_grid_barrier", GCL_INTRINSIC_CUT, 0, GCL_CUT_GRID_BARRIER, GCL_REDUCE_NONE,
     GCL_FORM_NONE},
    {"__gcl_exit", GCL_INTRINSIC_CUT, 0, GCL_CUT_ENTRY, GCL_REDUCE_NONE, GCL_FORM_NONE},
    {"__gcl_yield", GCL_INTRINSIC_CUT, 0, GCL_CUT_YIELD, GCL_REDUCE_NONE, GCL_FORM_NONE},
    {"__gcl_order", GCL_INTRINSIC_CUT, 0, GCL_CUT_ORDER, GCL_REDUCE_NONE, GCL_FORM_NONE},
    {"__gcl_warp_sync", GCL_INTRINSIC_CUT, 0, GCL_CUT_WARP_SYNC, GCL_REDUCE_NONE, GCL_FORM_MASK},
    {"__gcl_warp_ballot", GCL_INTRINSIC_CUT, 0, GCL_CUT_WARP_BALLOT, GCL_REDUCE_NONE,
     GCL_FORM_MASK_VALUE},
    {"__gcl_warp_shuffle", GCL_INTRINSIC_CUT, 0, GCL_CUT_WARP_SHUFFLE, GCL_REDUCE_NONE,
     GCL_FORM_MASK_VALUE_LANE},
    {"__gcl_warp_match", GCL_INTRINSIC_CUT, 0, GCL_CUT_WARP_MATCH, GCL_REDUCE_NONE,
     GCL_FORM_MASK_VALUE},
    {"__gcl_warp_reduce_add", GCL_INTRINSIC_CUT, 0, GCL_CUT_WARP_REDUCE, GCL_REDUCE_ADD,
     GCL_FORM_MASK_VALUE},
    {"__gcl_warp_reduce_and", GCL_INTRINSIC_CUT, 0, GCL_CUT_WARP_REDUCE, GCL_REDUCE_AND,
     GCL_FORM_MASK_VALUE},
    {"__gcl_warp_reduce_or", GCL_INTRINSIC_CUT, 0, GCL_CUT_WARP_REDUCE, GCL_REDUCE_OR,
     GCL_FORM_MASK_VALUE},
    {"__gcl_warp_reduce_xor", GCL_INTRINSIC_CUT, 0, GCL_CUT_WARP_REDUCE, GCL_REDUCE_XOR,
     GCL_FORM_MASK_VALUE},
    {"__gcl_warp_reduce_min_signed", GCL_INTRINSIC_CUT, 0, GCL_CUT_WARP_REDUCE,
     GCL_REDUCE_MIN_SIGNED, GCL_FORM_MASK_VALUE},
    {"__gcl_warp_reduce_max_signed", GCL_INTRINSIC_CUT, 0, GCL_CUT_WARP_REDUCE,
     GCL_REDUCE_MAX_SIGNED, GCL_FORM_MASK_VALUE},
    {"__gcl_warp_reduce_min_unsigned", GCL_INTRINSIC_CUT, 0, GCL_CUT_WARP_REDUCE,
     GCL_REDUCE_MIN_UNSIGNED, GCL_FORM_MASK_VALUE},
    {"__gcl_warp_reduce_max_unsigned", GCL_INTRINSIC_CUT, 0, GCL_CUT_WARP_REDUCE,
     GCL_REDUCE_MAX_UNSIGNED, GCL_FORM_MASK_VALUE},
};

static const struct {
    const char *device;
    const char *runtime;
} renames[] = {
    {"vprintf", "gcl_device_printf"},
    {"malloc", "gcl_device_malloc"},
    {"free", "gcl_device_free"},
    {"__assert_fail", "gcl_device_assert_fail"},
    {"__assertfail", "gcl_device_assert_fail"},
    {"__gcl_trap", "gcl_device_trap"},
    {"__gcl_clock", "gcl_device_clock"},
    {"__gcl_globaltimer", "gcl_device_globaltimer"},
    {"__gcl_nanosleep", "gcl_device_nanosleep"},
    {"__gcl_child_error", "gcl_device_child_error"},
};

const struct gcl_intrinsic *gcl_intrinsic_find(LLVMValueRef value) {
    size_t length;
    if (LLVMIsACallInst(value))
        value = LLVMGetCalledValue(value);
    if (!LLVMIsAFunction(value) || !LLVMIsDeclaration(value))
        return NULL;
    const char *name = LLVMGetValueName2(value, &length);
    if (strncmp(name, "__gcl_", 6) != 0)
        return NULL;
    for (size_t i = 0; i < G_N_ELEMENTS(intrinsics); i++) {
        if (strcmp(intrinsics[i].name, name) == 0)
            return &intrinsics[i];
    }
    return NULL;
}

bool gcl_intrinsic_is_barrier(LLVMValueRef instruction) {
    const struct gcl_intrinsic *intrinsic =
        LLVMIsACallInst(instruction) ? gcl_intrinsic_find(instruction) : NULL;
    return intrinsic && intrinsic->kind == GCL_INTRINSIC_CUT && intrinsic->cut == GCL_CUT_BARRIER;
}

LLVMValueRef gcl_intrinsic_declare(struct gcl_module *m, const char *name, LLVMTypeRef type) {
    LLVMValueRef function = LLVMGetNamedFunction(m->module, name);
    if (function)
        return function;
    function = LLVMAddFunction(m->module, name, LLVMFunctionType(type, NULL, 0, 0));
    gcl_module_add_attribute(m, function, "memory");
    gcl_module_add_attribute(m, function, "nounwind");
    gcl_module_add_attribute(m, function, "willreturn");
    return function;
}

void gcl_intrinsics_rename(struct gcl_module *m) {
    for (size_t i = 0; i < G_N_ELEMENTS(renames); i++) {
        LLVMValueRef function = LLVMGetNamedFunction(m->module, renames[i].device);
        if (!function || !LLVMIsDeclaration(function))
            continue;
        LLVMValueRef existing = LLVMGetNamedFunction(m->module, renames[i].runtime);
        if (existing)
            LLVMReplaceAllUsesWith(function, existing);
        else
            LLVMSetValueName2(function, renames[i].runtime, strlen(renames[i].runtime));
    }
}

bool gcl_intrinsic_is_runtime(LLVMValueRef function) {
    size_t length;
    return strncmp(LLVMGetValueName2(function, &length), "gcl_device_", 11) == 0;
}

const char *gcl_intrinsic_callee(LLVMValueRef i) {
    size_t length;
    LLVMValueRef callee = LLVMIsACallInst(i) ? LLVMGetCalledValue(i) : NULL;
    return callee && LLVMIsAFunction(callee) ? LLVMGetValueName2(callee, &length) : "";
}

bool gcl_intrinsic_is_by_pointer(LLVMValueRef i) {
    LLVMValueRef callee = LLVMIsACallInst(i) ? LLVMGetCalledValue(i) : NULL;
    return callee && !LLVMIsAFunction(callee) && !LLVMIsAInlineAsm(callee);
}

LLVMValueRef gcl_intrinsic_call_llvm(struct gcl_module *m, LLVMBuilderRef builder, const char *name,
                                     LLVMTypeRef *overload, unsigned overloads,
                                     LLVMValueRef *arguments, unsigned count) {
    unsigned id = LLVMLookupIntrinsicID(name, strlen(name));
    assert(id != 0); // LLVM has an intrinsic of that name
    LLVMValueRef function = LLVMGetIntrinsicDeclaration(m->module, id, overload, overloads);
    return LLVMBuildCall2(builder, LLVMGlobalGetValueType(function), function, arguments, count,
                          "");
}

LLVMValueRef gcl_intrinsic_to_integer(struct gcl_module *m, LLVMBuilderRef builder, LLVMValueRef x,
                                      LLVMTypeRef to, bool is_signed) {
    const char *name = is_signed ? "llvm.fptosi.sat" : "llvm.fptoui.sat";
    LLVMTypeRef types[] = {to, LLVMTypeOf(x)};
    LLVMValueRef value = gcl_intrinsic_call_llvm(m, builder, name, types, 2, &x, 1);
    unsigned width = LLVMGetIntTypeWidth(to);
    if (width < 64 && LLVMGetTypeKind(LLVMTypeOf(x)) != LLVMDoubleTypeKind)
        return value;
    LLVMValueRef is_nan = LLVMBuildFCmp(builder, LLVMRealUNO, x, x, "");
    LLVMValueRef highest = LLVMConstInt(to, UINT64_C(1) << (width - 1), false);
    return LLVMBuildSelect(builder, is_nan, highest, value, "");
}
