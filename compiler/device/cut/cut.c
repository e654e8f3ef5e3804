// Prepares a kernel for falling apart: each cut ends a basic block, the block behind it starts a
// region, and what a region can work out from arguments and thread numbers is worked out anew in
// every block that needs it, so that it need not be kept across cuts.
#include "device/cut/cut.h"

#include <assert.h>
#include <string.h>

#include "device/ir/intrinsics.h"
#include "device/ir/module.h"
#include "device/ir/parameter.h"
#include "device/lower/sanitize.h"

enum { DEPTH = 16, STEPS = 48 };

// A parameter passed by value is the kernel's own copy. Where the kernel only reads it, the packed
// arguments serve; else each thread gets a copy.
static void copy_written_parameters(struct gcl_module *m, LLVMValueRef kernel) {
    unsigned readonly = LLVMGetEnumAttributeKindForName("readonly", 8);
    unsigned readnone = LLVMGetEnumAttributeKindForName("readnone", 8);
    LLVMBuilderRef builder = LLVMCreateBuilderInContext(m->context);
    for (unsigned i = 0; i < LLVMCountParams(kernel); i++) {
        LLVMTypeRef type = gcl_parameter_type(kernel, i);
        LLVMValueRef parameter = LLVMGetParam(kernel, i);
        if (type == LLVMTypeOf(parameter) || LLVMGetEnumAttributeAtIndex(kernel, i + 1, readonly) ||
            LLVMGetEnumAttributeAtIndex(kernel, i + 1, readnone))
            continue;
        LLVMPositionBuilderBefore(builder, LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(kernel)));
        LLVMValueRef copy = LLVMBuildAlloca(builder, type, "");
        LLVMSetAlignment(copy, 16);
        LLVMReplaceAllUsesWith(parameter, copy);
        LLVMBuildMemCpy(builder, copy, 8, parameter, 8,
                        gcl_u64(m, LLVMABISizeOfType(m->layout, type)));
    }
    LLVMDisposeBuilder(builder);
}

// Marks a warp operation of a kernel whose vectors are warps: there it is an instruction like
// others.
static const char warp_mark[] = "gcl-warp";

static bool is_marked_warp_operation(LLVMValueRef call) {
    return LLVMGetCallSiteStringAttribute(call, (unsigned)LLVMAttributeFunctionIndex, warp_mark,
                                          sizeof warp_mark - 1) != NULL;
}

static void mark_warp_operation(struct gcl_module *m, LLVMValueRef call) {
    LLVMAddCallSiteAttribute(
        call, (unsigned)LLVMAttributeFunctionIndex,
        LLVMCreateStringAttribute(m->context, warp_mark, sizeof warp_mark - 1, "", 0));
}

bool gcl_cut_is_warp_operation(LLVMValueRef i) {
    const struct gcl_intrinsic *intrinsic = LLVMIsACallInst(i) ? gcl_intrinsic_find(i) : NULL;
    return intrinsic && intrinsic->kind == GCL_INTRINSIC_CUT && intrinsic->cut >= GCL_CUT_WARP_SYNC;
}

static bool is_cut(LLVMValueRef instruction) {
    const struct gcl_intrinsic *intrinsic =
        LLVMIsACallInst(instruction) ? gcl_intrinsic_find(instruction) : NULL;
    return intrinsic && intrinsic->kind == GCL_INTRINSIC_CUT &&
           !is_marked_warp_operation(instruction);
}

LLVMValueRef gcl_cut_add(struct gcl_module *m, LLVMValueRef before, const char *name,
                         LLVMValueRef *arguments, unsigned count) {
    LLVMTypeRef i32 = gcl_i32(m);
    LLVMTypeRef type = LLVMFunctionType(LLVMVoidTypeInContext(m->context), &i32, count, 0);
    LLVMValueRef function = LLVMGetNamedFunction(m->module, name);
    if (!function)
        function = LLVMAddFunction(m->module, name, type);
    LLVMBuilderRef builder = LLVMCreateBuilderInContext(m->context);
    LLVMValueRef previous = LLVMGetPreviousInstruction(before);
    bool is_told = previous && gcl_sanitize_tells(previous); // which stays right before the access
    LLVMPositionBuilderBefore(builder, is_told ? previous : before);
    LLVMValueRef call = LLVMBuildCall2(builder, type, function, arguments, count, "");
    LLVMDisposeBuilder(builder);
    return call;
}

LLVMValueRef gcl_cut_before(LLVMBasicBlockRef block) {
    LLVMValueRef terminator = LLVMGetBasicBlockTerminator(block);
    LLVMValueRef last = terminator ? LLVMGetPreviousInstruction(terminator) : NULL;
    return last && is_cut(last) ? last : NULL;
}

static void redirect(LLVMValueRef function, LLVMBasicBlockRef from, LLVMBasicBlockRef to) {
    assert(from != to);
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b; b = LLVMGetNextBasicBlock(b)) {
        LLVMValueRef terminator = LLVMGetBasicBlockTerminator(b);
        for (unsigned i = 0; b != to && i < LLVMGetNumSuccessors(terminator); i++) {
            if (LLVMGetSuccessor(terminator, i) == from)
                LLVMSetSuccessor(terminator, i, to);
        }
    }
}

// Moves everything up to and including `cut` into a new block in front. The tail keeps the old
// block, so that phis behind it stay right. The cut's result becomes a call in the tail, which a
// region reads from the block's state.
static void split_behind(struct gcl_module *m, LLVMValueRef cut) {
    assert(is_cut(cut));
    LLVMBasicBlockRef tail = LLVMGetInstructionParent(cut);
    LLVMBasicBlockRef head = LLVMInsertBasicBlockInContext(m->context, tail, "");
    LLVMBuilderRef builder = LLVMCreateBuilderInContext(m->context);

    redirect(LLVMGetBasicBlockParent(tail), tail, head);
    LLVMPositionBuilderAtEnd(builder, head);
    for (LLVMValueRef i = LLVMGetFirstInstruction(tail), next;; i = next) {
        next = LLVMGetNextInstruction(i);
        LLVMInstructionRemoveFromParent(i);
        LLVMInsertIntoBuilder(builder, i);
        if (i == cut)
            break;
    }
    LLVMBuildBr(builder, tail);
    if (LLVMGetFirstUse(cut)) {
        LLVMTypeRef type = LLVMFunctionType(gcl_i64(m), NULL, 0, 0);
        LLVMValueRef function = LLVMGetNamedFunction(m->module, "__gcl_cut_result");
        if (!function)
            function = LLVMAddFunction(m->module, "__gcl_cut_result", type);
        LLVMPositionBuilderBefore(builder, LLVMGetFirstInstruction(tail));
        LLVMValueRef result = LLVMBuildCall2(builder, type, function, NULL, 0, "");
        LLVMReplaceAllUsesWith(cut, LLVMBuildIntCast2(builder, result, LLVMTypeOf(cut), 0, ""));
    }
    LLVMDisposeBuilder(builder);
}

static GPtrArray *instructions_of(LLVMValueRef function) {
    GPtrArray *list = g_ptr_array_new();
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b; b = LLVMGetNextBasicBlock(b)) {
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
            g_ptr_array_add(list, i);
    }
    return list;
}

bool gcl_cut_is_cheap(LLVMValueRef i) {
    switch (LLVMGetInstructionOpcode(i)) {
    case LLVMAdd:
    case LLVMSub:
    case LLVMMul:
    case LLVMUDiv:
    case LLVMSDiv:
    case LLVMURem:
    case LLVMSRem:
    case LLVMShl:
    case LLVMLShr:
    case LLVMAShr:
    case LLVMAnd:
    case LLVMOr:
    case LLVMXor:
    case LLVMTrunc:
    case LLVMZExt:
    case LLVMSExt:
    case LLVMGetElementPtr:
    case LLVMICmp:
    case LLVMSelect:
        return true;
    default:
        return false;
    }
}

static bool is_invariant_load(struct gcl_module *m, LLVMValueRef i) {
    return LLVMIsALoadInst(i) && gcl_module_is_marked(m, i, "invariant.load");
}

// Whether `value` follows from arguments, thread numbers and constants in a few cheap steps.
static bool follows(struct gcl_module *m, LLVMValueRef value, unsigned depth, unsigned *steps) {
    if (LLVMIsAConstant(value) || LLVMIsAArgument(value))
        return true;
    if (!LLVMIsAInstruction(value) || depth == 0 || *steps == 0)
        return false;
    --*steps;
    if (LLVMIsACallInst(value)) {
        const struct gcl_intrinsic *intrinsic = gcl_intrinsic_find(value);
        return intrinsic && intrinsic->kind != GCL_INTRINSIC_CUT;
    }
    if (!gcl_cut_is_cheap(value) && !is_invariant_load(m, value))
        return false;
    for (int i = 0; i < LLVMGetNumOperands(value); i++) {
        if (!follows(m, LLVMGetOperand(value, (unsigned)i), depth - 1, steps))
            return false;
    }
    return true;
}

static bool is_recomputable(struct gcl_module *m, LLVMValueRef value) {
    unsigned steps = STEPS;
    return follows(m, value, DEPTH, &steps);
}

static LLVMValueRef recompute(LLVMBuilderRef builder, LLVMValueRef value) {
    if (!LLVMIsAInstruction(value))
        return value;
    LLVMValueRef clone = LLVMInstructionClone(value);
    int count = LLVMIsACallInst(value) ? 0 : LLVMGetNumOperands(value);
    for (int i = 0; i < count; i++)
        LLVMSetOperand(clone, (unsigned)i, recompute(builder, LLVMGetOperand(value, (unsigned)i)));
    LLVMInsertIntoBuilder(builder, clone);
    return clone;
}

LLVMValueRef gcl_cut_recompute(struct gcl_module *m, LLVMValueRef before, LLVMValueRef value) {
    if (!is_recomputable(m, value))
        return NULL;
    LLVMBuilderRef builder = LLVMCreateBuilderInContext(m->context);
    LLVMPositionBuilderBefore(builder, before);
    LLVMValueRef result = recompute(builder, value);
    LLVMDisposeBuilder(builder);
    return result;
}

static void recompute_operands(struct gcl_module *m, LLVMBuilderRef builder, LLVMValueRef user) {
    bool is_phi = LLVMIsAPHINode(user) != NULL;
    for (int i = 0; i < LLVMGetNumOperands(user); i++) {
        LLVMValueRef value = LLVMGetOperand(user, (unsigned)i);
        LLVMBasicBlockRef place =
            is_phi ? LLVMGetIncomingBlock(user, (unsigned)i) : LLVMGetInstructionParent(user);
        if (!LLVMIsAInstruction(value) || LLVMGetInstructionParent(value) == place ||
            !is_recomputable(m, value))
            continue;
        LLVMPositionBuilderBefore(builder, is_phi ? LLVMGetBasicBlockTerminator(place) : user);
        LLVMSetOperand(user, (unsigned)i, recompute(builder, value));
    }
}

unsigned gcl_cut_count(LLVMValueRef function) {
    g_autoptr(GPtrArray) list = instructions_of(function);
    unsigned count = 0;
    for (guint i = 0; i < list->len; i++)
        count += is_cut(list->pdata[i]);
    return count;
}

void gcl_cut_kernel(struct gcl_module *m, struct gcl_device_kernel *kernel) {
    copy_written_parameters(m, kernel->function);
    g_autoptr(GPtrArray) all = instructions_of(kernel->function);
    for (guint i = 0; i < all->len && kernel->vector; i++) {
        if (!gcl_cut_is_warp_operation(all->pdata[i]))
            continue;
        mark_warp_operation(m, all->pdata[i]);
        kernel->has_warps = true;
    }
    if (gcl_cut_count(kernel->function) == 0)
        return;
    g_autoptr(GPtrArray) before = instructions_of(kernel->function);
    for (guint i = 0; i < before->len; i++) {
        if (is_cut(before->pdata[i]))
            split_behind(m, before->pdata[i]);
    }
    LLVMBuilderRef builder = LLVMCreateBuilderInContext(m->context);
    g_autoptr(GPtrArray) after = instructions_of(kernel->function);
    for (guint i = 0; i < after->len; i++)
        recompute_operands(m, builder, after->pdata[i]);
    LLVMDisposeBuilder(builder);
}
