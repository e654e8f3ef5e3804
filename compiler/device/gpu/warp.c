// Operations of warps as instructions with a mask of the lanes that take part. Mask 0 means the
// lanes that happen to be together. Values are 64 bits wide, of which most use 32
// (gcluster_warp.h): those are exchanged alone.
#include "device/gpu/warp.h"

#include <assert.h>
#include <string.h>

#include "device/gpu/known.h"
#include "device/ir/intrinsics.h"

// The library's reductions (gpu/library), for GPUs that have no instructions for them.
#define GCL_GPU_REDUCE "__gcl_reduce_"

static LLVMValueRef build_mask(struct gcl_gpu *g, LLVMBuilderRef b, LLVMValueRef mask) {
    if (!LLVMIsAConstantInt(mask) || LLVMConstIntGetZExtValue(mask) != 0)
        return mask;
    return gcl_gpu_assembly(g, b, gcl_i32(&g->m), "activemask.b32 $0;", "=r", NULL, 0);
}

LLVMValueRef gcl_gpu_warp_sync(struct gcl_gpu *g, LLVMBuilderRef b, LLVMValueRef call) {
    LLVMValueRef mask = build_mask(g, b, LLVMGetOperand(call, 0));
    return gcl_gpu_call(g, b, "llvm.nvvm.bar.warp.sync", &mask, 1);
}

LLVMValueRef gcl_gpu_warp_ballot(struct gcl_gpu *g, LLVMBuilderRef b, LLVMValueRef call) {
    LLVMValueRef value = LLVMGetOperand(call, 1);
    LLVMValueRef arguments[] = {
        build_mask(g, b, LLVMGetOperand(call, 0)),
        LLVMBuildICmp(b, LLVMIntNE, value, LLVMConstNull(LLVMTypeOf(value)), "")};
    return gcl_gpu_call(g, b, "llvm.nvvm.vote.ballot.sync", arguments, 2);
}

// The low 32 bits of what only those can be set of, NULL for any other number.
static LLVMValueRef as_word(struct gcl_gpu *g, LLVMBuilderRef b, LLVMValueRef value) {
    assert(LLVMGetIntTypeWidth(LLVMTypeOf(value)) == 64);
    bool is_constant = LLVMIsAConstantInt(value) && LLVMConstIntGetZExtValue(value) <= UINT32_MAX;
    bool is_wider = LLVMIsAInstruction(value) && LLVMGetInstructionOpcode(value) == LLVMZExt &&
                    LLVMGetIntTypeWidth(LLVMTypeOf(LLVMGetOperand(value, 0))) <= 32;
    return is_constant || is_wider ? LLVMBuildTrunc(b, value, gcl_i32(&g->m), "") : NULL;
}

static LLVMValueRef shuffle_word(struct gcl_gpu *g, LLVMBuilderRef b, LLVMValueRef mask,
                                 LLVMValueRef word, LLVMValueRef lane) {
    LLVMValueRef arguments[] = {mask, word, lane, gcl_u32(&g->m, 31)};
    return gcl_gpu_call(g, b, "llvm.nvvm.shfl.sync.idx.i32", arguments, G_N_ELEMENTS(arguments));
}

LLVMValueRef gcl_gpu_warp_shuffle(struct gcl_gpu *g, LLVMBuilderRef b, LLVMValueRef call) {
    LLVMTypeRef wide = gcl_i64(&g->m), narrow = gcl_i32(&g->m);
    LLVMValueRef mask = build_mask(g, b, LLVMGetOperand(call, 0)), value = LLVMGetOperand(call, 1);
    LLVMValueRef lane = LLVMGetOperand(call, 2), word = as_word(g, b, value);
    if (word)
        return LLVMBuildZExt(b, shuffle_word(g, b, mask, word, lane), wide, "");
    LLVMValueRef bits = gcl_u64(&g->m, 32);
    LLVMValueRef low = LLVMBuildTrunc(b, value, narrow, "");
    LLVMValueRef high = LLVMBuildTrunc(b, LLVMBuildLShr(b, value, bits, ""), narrow, "");
    low = LLVMBuildZExt(b, shuffle_word(g, b, mask, low, lane), wide, "");
    high = LLVMBuildZExt(b, shuffle_word(g, b, mask, high, lane), wide, "");
    return LLVMBuildOr(b, LLVMBuildShl(b, high, bits, ""), low, "");
}

// The low 32 bits of a number, if those tell its value, or if no others of the result are used.
static LLVMValueRef as_operand(struct gcl_gpu *g, LLVMBuilderRef b, LLVMValueRef call,
                               bool *is_signed) {
    LLVMValueRef value = LLVMGetOperand(call, 1);
    bool is_cut = LLVMGetFirstUse(call) != NULL;
    for (LLVMUseRef use = LLVMGetFirstUse(call); use; use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);
        is_cut &= LLVMIsAInstruction(user) && LLVMGetInstructionOpcode(user) == LLVMTrunc &&
                  LLVMGetIntTypeWidth(LLVMTypeOf(user)) <= 32;
    }
    *is_signed = LLVMIsAInstruction(value) && LLVMGetInstructionOpcode(value) == LLVMSExt;
    bool is_narrow = *is_signed && LLVMGetIntTypeWidth(LLVMTypeOf(LLVMGetOperand(value, 0))) <= 32;
    LLVMValueRef word = as_word(g, b, value);
    bool is_word = word || is_narrow;
    if (!is_cut || !is_word)
        return NULL;
    return word ? word : LLVMBuildTrunc(b, value, gcl_i32(&g->m), "");
}

// Minima and maxima of words are those of the wide numbers if their sign bits mean the same.
static bool fits(const char *operation, bool is_signed) {
    bool orders = g_str_has_prefix(operation, "min") || g_str_has_prefix(operation, "max");
    return !orders || g_str_has_suffix(operation, is_signed ? "_signed" : "_unsigned");
}

LLVMValueRef gcl_gpu_warp_reduce(struct gcl_gpu *g, LLVMBuilderRef b, LLVMValueRef call) {
    const char *operation = gcl_intrinsic_callee(call) + strlen("__gcl_warp_reduce_");
    bool is_signed;
    LLVMValueRef word = as_operand(g, b, call, &is_signed);
    bool is_narrow = word && fits(operation, is_signed);
    LLVMTypeRef type = is_narrow ? gcl_i32(&g->m) : gcl_i64(&g->m);
    LLVMTypeRef types[] = {gcl_i32(&g->m), type};
    g_autofree char *name = g_strdup_printf(GCL_GPU_REDUCE "%s_%d", operation, is_narrow ? 32 : 64);
    LLVMTypeRef signature = LLVMFunctionType(type, types, 2, 0);
    LLVMValueRef function = LLVMGetNamedFunction(g->m.module, name);
    if (!function) {
        function = LLVMAddFunction(g->m.module, name, signature);
        gcl_module_add_attribute(&g->m, function, "convergent");
    }
    LLVMValueRef arguments[] = {build_mask(g, b, LLVMGetOperand(call, 0)),
                                is_narrow ? word : LLVMGetOperand(call, 1)};
    LLVMValueRef result = LLVMBuildCall2(b, signature, function, arguments, 2, "");
    return LLVMBuildZExt(b, result, gcl_i64(&g->m), "");
}

static void replace_reduction(struct gcl_gpu *g, LLVMBuilderRef b, LLVMValueRef call,
                              const char *instruction) {
    LLVMValueRef arguments[] = {LLVMGetOperand(call, 1), LLVMGetOperand(call, 0)};
    LLVMPositionBuilderBefore(b, call);
    LLVMReplaceAllUsesWith(call, gcl_gpu_call(g, b, instruction, arguments, 2));
    LLVMInstructionEraseFromParent(call);
}

void gcl_gpu_warp_use_instructions(struct gcl_gpu *g) {
    static const char *const reductions[][2] = {
        {"add_32", "add"},           {"and_32", "and"},           {"or_32", "or"},
        {"xor_32", "xor"},           {"min_signed_32", "min"},    {"max_signed_32", "max"},
        {"min_unsigned_32", "umin"}, {"max_unsigned_32", "umax"},
    };
    LLVMBuilderRef builder = LLVMCreateBuilderInContext(g->m.context);
    for (size_t i = 0; i < G_N_ELEMENTS(reductions); i++) {
        g_autofree char *name = g_strconcat(GCL_GPU_REDUCE, reductions[i][0], NULL);
        g_autofree char *instruction = g_strconcat("llvm.nvvm.redux.sync.", reductions[i][1], NULL);
        LLVMValueRef function = LLVMGetNamedFunction(g->m.module, name);
        for (LLVMUseRef use = function ? LLVMGetFirstUse(function) : NULL, next; use; use = next) {
            next = LLVMGetNextUse(use);
            replace_reduction(g, builder, LLVMGetUser(use), instruction);
        }
    }
    LLVMDisposeBuilder(builder);
}

LLVMValueRef gcl_gpu_warp_match(struct gcl_gpu *g, LLVMBuilderRef b, LLVMValueRef call) {
    LLVMValueRef mask = build_mask(g, b, LLVMGetOperand(call, 0)), value = LLVMGetOperand(call, 1);
    LLVMValueRef word = as_word(g, b, value);
    LLVMValueRef arguments[] = {mask, word ? word : value};
    return gcl_gpu_call(
        g, b, word ? "llvm.nvvm.match.any.sync.i32" : "llvm.nvvm.match.any.sync.i64", arguments, 2);
}
