// One table: functions that our headers declare, and what makes instructions of their calls.
#include "device/gpu/known.h"

#include <assert.h>
#include <string.h>

#include "device/gpu/warp.h"
#include "device/ir/intrinsics.h"

LLVMValueRef gcl_gpu_call(struct gcl_gpu *g, LLVMBuilderRef builder, const char *name,
                          LLVMValueRef *arguments, unsigned count) {
    return gcl_intrinsic_call_llvm(&g->m, builder, name, NULL, 0, arguments, count);
}

LLVMValueRef gcl_gpu_assembly(struct gcl_gpu *g, LLVMBuilderRef builder, LLVMTypeRef result,
                              const char *text, const char *constraints, LLVMValueRef *arguments,
                              unsigned count) {
    LLVMTypeRef types[4];
    assert(count <= G_N_ELEMENTS(types));
    for (unsigned i = 0; i < count; i++)
        types[i] = LLVMTypeOf(arguments[i]);
    LLVMTypeRef type = LLVMFunctionType(result, types, count, 0);
    LLVMValueRef assembly = LLVMGetInlineAsm(type, (char *)text, strlen(text), (char *)constraints,
                                             strlen(constraints), 1, 0, LLVMInlineAsmDialectATT, 0);
    LLVMValueRef call = LLVMBuildCall2(builder, type, assembly, arguments, count, "");
    unsigned kind = LLVMGetEnumAttributeKindForName("convergent", strlen("convergent"));
    LLVMAddCallSiteAttribute(call, (LLVMAttributeIndex)LLVMAttributeFunctionIndex,
                             LLVMCreateEnumAttribute(g->m.context, kind, 0));
    return call;
}

void gcl_gpu_visit(struct gcl_gpu *g,
                   void (*visit)(struct gcl_gpu *, LLVMBuilderRef, LLVMValueRef)) {
    LLVMBuilderRef builder = LLVMCreateBuilderInContext(g->m.context);
    for (LLVMValueRef f = LLVMGetFirstFunction(g->m.module); f; f = LLVMGetNextFunction(f)) {
        for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b)) {
            for (LLVMValueRef i = LLVMGetFirstInstruction(b), next; i; i = next) {
                next = LLVMGetNextInstruction(i);
                visit(g, builder, i);
            }
        }
    }
    LLVMDisposeBuilder(builder);
}

static LLVMValueRef read_register(struct gcl_gpu *g, LLVMBuilderRef b, const char *name) {
    g_autofree char *full = g_strconcat("llvm.nvvm.read.ptx.sreg.", name, NULL);
    return gcl_gpu_call(g, b, full, NULL, 0);
}

// `call` of a function whose name ends in the axis, such as __gcl_tid_x.
static LLVMValueRef read_axis(struct gcl_gpu *g, LLVMBuilderRef b, LLVMValueRef call,
                              const char *name) {
    const char *callee = gcl_intrinsic_callee(call);
    g_autofree char *full = g_strdup_printf("%s.%c", name, callee[strlen(callee) - 1]);
    return read_register(g, b, full);
}

static LLVMValueRef build_thread(struct gcl_gpu *g, LLVMBuilderRef b, LLVMValueRef call) {
    return read_axis(g, b, call, "tid");
}

static LLVMValueRef build_block_size(struct gcl_gpu *g, LLVMBuilderRef b, LLVMValueRef call) {
    return read_axis(g, b, call, "ntid");
}

static bool is_lane_mask(LLVMValueRef user) {
    return LLVMIsABinaryOperator(user) && LLVMGetInstructionOpcode(user) == LLVMAnd &&
           LLVMIsAConstantInt(LLVMGetOperand(user, 1)) &&
           LLVMConstIntGetZExtValue(LLVMGetOperand(user, 1)) == 31;
}

// Where the number in the block is only asked for the lane, there is a register for that.
static void take_lane(struct gcl_gpu *g, LLVMBuilderRef b, LLVMValueRef call) {
    for (LLVMUseRef use = LLVMGetFirstUse(call), next; use; use = next) {
        LLVMValueRef user = LLVMGetUser(use);
        next = LLVMGetNextUse(use);
        if (!is_lane_mask(user))
            continue;
        LLVMPositionBuilderBefore(b, user);
        LLVMReplaceAllUsesWith(user, read_register(g, b, "laneid"));
    }
    LLVMPositionBuilderBefore(b, call);
}

static LLVMValueRef build_thread_number(struct gcl_gpu *g, LLVMBuilderRef b, LLVMValueRef call) {
    take_lane(g, b, call);
    LLVMValueRef plane = LLVMBuildAdd(
        b, read_register(g, b, "tid.y"),
        LLVMBuildMul(b, read_register(g, b, "ntid.y"), read_register(g, b, "tid.z"), ""), "");
    return LLVMBuildAdd(b, read_register(g, b, "tid.x"),
                        LLVMBuildMul(b, read_register(g, b, "ntid.x"), plane, ""), "");
}

static LLVMValueRef build_barrier(struct gcl_gpu *g, LLVMBuilderRef b, LLVMValueRef call) {
    (void)call;
    return gcl_gpu_call(g, b, "llvm.nvvm.barrier0", NULL, 0);
}

static LLVMValueRef reduce_barrier(struct gcl_gpu *g, LLVMBuilderRef b, LLVMValueRef call,
                                   const char *name) {
    LLVMValueRef predicate = LLVMGetOperand(call, 0);
    return gcl_gpu_call(g, b, name, &predicate, 1);
}

static LLVMValueRef build_barrier_count(struct gcl_gpu *g, LLVMBuilderRef b, LLVMValueRef call) {
    return reduce_barrier(g, b, call, "llvm.nvvm.barrier0.popc");
}

static LLVMValueRef build_barrier_and(struct gcl_gpu *g, LLVMBuilderRef b, LLVMValueRef call) {
    return reduce_barrier(g, b, call, "llvm.nvvm.barrier0.and");
}

static LLVMValueRef build_barrier_or(struct gcl_gpu *g, LLVMBuilderRef b, LLVMValueRef call) {
    return reduce_barrier(g, b, call, "llvm.nvvm.barrier0.or");
}

static LLVMValueRef build_trap(struct gcl_gpu *g, LLVMBuilderRef b, LLVMValueRef call) {
    (void)call;
    return gcl_gpu_call(g, b, "llvm.trap", NULL, 0);
}

static LLVMValueRef build_exit(struct gcl_gpu *g, LLVMBuilderRef b, LLVMValueRef call) {
    (void)call;
    return gcl_gpu_assembly(g, b, LLVMVoidTypeInContext(g->m.context), "exit;", "", NULL, 0);
}

// Clocks are read where they stand, before and after what the source has there.
static LLVMValueRef build_clock(struct gcl_gpu *g, LLVMBuilderRef b, LLVMValueRef call) {
    (void)call;
    return gcl_gpu_assembly(g, b, gcl_i64(&g->m), "mov.u64 $0, %clock64;", "=l,~{memory}", NULL, 0);
}

static LLVMValueRef build_timer(struct gcl_gpu *g, LLVMBuilderRef b, LLVMValueRef call) {
    (void)call;
    return gcl_gpu_assembly(g, b, gcl_i64(&g->m), "mov.u64 $0, %globaltimer;", "=l,~{memory}", NULL,
                            0);
}

static LLVMValueRef build_sleep(struct gcl_gpu *g, LLVMBuilderRef b, LLVMValueRef call) {
    LLVMValueRef duration = LLVMGetOperand(call, 0);
    return gcl_gpu_assembly(g, b, LLVMVoidTypeInContext(g->m.context), "nanosleep.u32 $0;",
                            "r,~{memory}", &duration, 1);
}

static LLVMValueRef build_dynamic_size(struct gcl_gpu *g, LLVMBuilderRef b, LLVMValueRef call) {
    (void)call;
    return gcl_gpu_assembly(g, b, gcl_i32(&g->m), "mov.u32 $0, %dynamic_smem_size;", "=r", NULL, 0);
}

// CUDA's PTX ABI has a failed assertion take the size of a character as well.
static LLVMValueRef build_assertion(struct gcl_gpu *g, LLVMBuilderRef b, LLVMValueRef call) {
    LLVMTypeRef text = gcl_ptr(&g->m);
    LLVMTypeRef types[] = {text, text, gcl_i32(&g->m), text, gcl_i64(&g->m)};
    LLVMTypeRef type =
        LLVMFunctionType(LLVMVoidTypeInContext(g->m.context), types, G_N_ELEMENTS(types), 0);
    LLVMValueRef arguments[5] = {[4] = gcl_u64(&g->m, 1)};
    for (unsigned i = 0; i < 4; i++)
        arguments[i] = LLVMGetOperand(call, i);
    LLVMValueRef function = LLVMGetNamedFunction(g->m.module, "__assertfail");
    if (!function)
        function = LLVMAddFunction(g->m.module, "__assertfail", type);
    return LLVMBuildCall2(b, type, function, arguments, G_N_ELEMENTS(arguments), "");
}

/// Returns what takes a call's place.
typedef LLVMValueRef build(struct gcl_gpu *g, LLVMBuilderRef builder, LLVMValueRef call);

static const struct {
    const char *name;
    build *build;
} table[] = {
    {"__gcl_tid_x", build_thread},
    {"__gcl_tid_y", build_thread},
    {"__gcl_tid_z", build_thread},
    {"__gcl_thread", build_thread_number},
    {"__gcl_ntid_x", build_block_size},
    {"__gcl_ntid_y", build_block_size},
    {"__gcl_ntid_z", build_block_size},
    {"__gcl_dynamic_shared_size", build_dynamic_size},
    {"__gcl_barrier", build_barrier},
    {"__gcl_barrier_count", build_barrier_count},
    {"__gcl_barrier_and", build_barrier_and},
    {"__gcl_barrier_or", build_barrier_or},
    {"__gcl_warp_sync", gcl_gpu_warp_sync},
    {"__gcl_warp_ballot", gcl_gpu_warp_ballot},
    {"__gcl_warp_shuffle", gcl_gpu_warp_shuffle},
    {"__gcl_warp_match", gcl_gpu_warp_match},
    {"__gcl_warp_reduce_add", gcl_gpu_warp_reduce},
    {"__gcl_warp_reduce_and", gcl_gpu_warp_reduce},
    {"__gcl_warp_reduce_or", gcl_gpu_warp_reduce},
    {"__gcl_warp_reduce_xor", gcl_gpu_warp_reduce},
    {"__gcl_warp_reduce_min_signed", gcl_gpu_warp_reduce},
    {"__gcl_warp_reduce_max_signed", gcl_gpu_warp_reduce},
    {"__gcl_warp_reduce_min_unsigned", gcl_gpu_warp_reduce},
    {"__gcl_warp_reduce_max_unsigned", gcl_gpu_warp_reduce},
    {"__gcl_exit", build_exit},
    {"__gcl_trap", build_trap},
    {"__gcl_clock", build_clock},
    {"__gcl_globaltimer", build_timer},
    {"__gcl_nanosleep", build_sleep},
    {"__assert_fail", build_assertion},
};

static void replace_calls(struct gcl_gpu *g, LLVMBuilderRef b, LLVMValueRef function,
                          build *build) {
    for (LLVMUseRef use = LLVMGetFirstUse(function), next; use; use = next) {
        LLVMValueRef call = LLVMGetUser(use);
        next = LLVMGetNextUse(use);
        if (!LLVMIsACallInst(call) || LLVMGetCalledValue(call) != function)
            continue;
        LLVMPositionBuilderBefore(b, call);
        LLVMValueRef made = build(g, b, call);
        if (LLVMGetFirstUse(call))
            LLVMReplaceAllUsesWith(call, made);
        LLVMInstructionEraseFromParent(call);
    }
}

void gcl_gpu_known_lower(struct gcl_gpu *g) {
    LLVMBuilderRef builder = LLVMCreateBuilderInContext(g->m.context);
    for (size_t i = 0; i < G_N_ELEMENTS(table); i++) {
        LLVMValueRef function = LLVMGetNamedFunction(g->m.module, table[i].name);
        if (function && LLVMIsDeclaration(function))
            replace_calls(g, builder, function, table[i].build);
    }
    LLVMDisposeBuilder(builder);
}
