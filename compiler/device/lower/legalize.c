// What the device's instructions do and the host's don't: conversions that saturate, assembly, fast
// functions.
#include "device/lower/legalize.h"

#include <stdlib.h>
#include <string.h>

#include "device/ir/intrinsics.h"
#include "device/ir/mirror.h"
#include "device/ir/module.h"
#include "device/ir/shim.h"
#include "device/lower/fast.h"
#include "device/ptx/ptx.h"

/// What is put into a module.
struct legalization {
    struct gcl_module *m;
    LLVMBuilderRef builder;
    struct gcl_ptx_module texts;
};

// GPUs may know what the host doesn't: it stays as it is for now.
static void legalize_assembly(struct legalization *l, LLVMValueRef call) {
    g_autofree char *unknown = gcl_ptx_translate(l->m, &l->texts, call);
    if (!unknown || (l->m->options->gpu && l->m->options->gpu->alone) ||
        gcl_mirror_is(LLVMGetBasicBlockParent(LLVMGetInstructionParent(call))))
        return;
    g_autofree char *file = NULL;
    struct gcl_source_location place = gcl_module_place(l->m, call, &file);
    gcl_diagnostics_add(l->m->diagnostics, GCL_CODE_INLINE_ASSEMBLY, &place,
                        "a launch in which a thread comes to it ends there; GPUs aren't concerned",
                        "inline PTX that the CPU device doesn't know: %s", unknown);
}

static void legalize_call(struct legalization *l, LLVMValueRef call) {
    struct gcl_module *m = l->m;
    LLVMBuilderRef builder = l->builder;
    if (LLVMIsAInlineAsm(LLVMGetCalledValue(call))) {
        legalize_assembly(l, call);
        return;
    }
    LLVMPositionBuilderBefore(builder, call);
    LLVMValueRef made = gcl_fast_build(m, builder, call);
    if (made) {
        LLVMReplaceAllUsesWith(call, made);
        LLVMInstructionEraseFromParent(call);
        return;
    }
    const char *name = gcl_intrinsic_callee(call);
    if (g_str_has_prefix(name, "llvm.nvvm.membar.")) {
        // One core runs all threads of a block: there is only the compiler to keep in order.
        bool is_block = strcmp(name, "llvm.nvvm.membar.cta") == 0;
        LLVMBuildFence(builder, LLVMAtomicOrderingSequentiallyConsistent, is_block, "");
        LLVMInstructionEraseFromParent(call);
        return;
    }
    if (strncmp(name, "llvm.nvvm.", 10) == 0)
        gcl_module_error(m, GCL_CODE_GPU_INTRINSIC, call, "%s has no counterpart on the CPU device",
                         name);
}

// PTX's cvt.rzi works on 32 and 64 bits: smaller integers are cut off afterwards.
static void legalize_conversion(struct gcl_module *m, LLVMBuilderRef builder, LLVMValueRef i) {
    LLVMTypeRef type = LLVMTypeOf(i);
    if (LLVMGetTypeKind(type) != LLVMIntegerTypeKind)
        return;
    bool is_signed = LLVMGetInstructionOpcode(i) == LLVMFPToSI;
    LLVMTypeRef to = LLVMGetIntTypeWidth(type) < 32 ? gcl_i32(m) : type;
    LLVMPositionBuilderBefore(builder, i);
    LLVMValueRef wide = gcl_intrinsic_to_integer(m, builder, LLVMGetOperand(i, 0), to, is_signed);
    LLVMReplaceAllUsesWith(i, LLVMBuildIntCast2(builder, wide, type, is_signed, ""));
    LLVMInstructionEraseFromParent(i);
}

// PTX's shl and shr clamp what they shift by (PTX ISA, "shl"): programs make masks of all bits so.
static void legalize_shift(LLVMBuilderRef builder, LLVMValueRef i) {
    LLVMTypeRef type = LLVMTypeOf(i);
    LLVMValueRef by = LLVMGetOperand(i, 1);
    bool is_vector = LLVMGetTypeKind(type) == LLVMVectorTypeKind;
    unsigned width = LLVMGetIntTypeWidth(is_vector ? LLVMGetElementType(type) : type);
    if (gcl_shim_is_below(i, by, width))
        return;
    LLVMPositionBuilderBefore(builder, i);
    LLVMValueRef is_below = LLVMBuildICmp(builder, LLVMIntULT, by, gcl_shim_splat(type, width), "");
    if (LLVMGetInstructionOpcode(i) == LLVMAShr) {
        LLVMSetOperand(i, 1,
                       LLVMBuildSelect(builder, is_below, by, gcl_shim_splat(type, width - 1), ""));
        return;
    }
    LLVMPositionBuilderBefore(builder, LLVMGetNextInstruction(i));
    LLVMValueRef chosen = LLVMBuildSelect(builder, is_below, i, LLVMConstNull(type), "");
    LLVMReplaceAllUsesWith(i, chosen);
    if (LLVMIsASelectInst(chosen)) // else it is a constant, or the shift that nobody needs
        LLVMSetOperand(chosen, 1, i);
}

void gcl_legalize_shifts(struct gcl_module *m) {
    LLVMBuilderRef builder = LLVMCreateBuilderInContext(m->context);
    for (LLVMValueRef f = LLVMGetFirstFunction(m->module); f; f = LLVMGetNextFunction(f)) {
        for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b)) {
            for (LLVMValueRef i = LLVMGetFirstInstruction(b), next; i; i = next) {
                LLVMOpcode opcode = LLVMGetInstructionOpcode(i);
                next = LLVMGetNextInstruction(i);
                if (opcode == LLVMShl || opcode == LLVMLShr || opcode == LLVMAShr)
                    legalize_shift(builder, i);
            }
        }
    }
    LLVMDisposeBuilder(builder);
}

static void legalize_block(struct legalization *l, LLVMBasicBlockRef b) {
    for (LLVMValueRef i = LLVMGetFirstInstruction(b), next; i; i = next) {
        next = LLVMGetNextInstruction(i);
        LLVMOpcode opcode = LLVMGetInstructionOpcode(i);
        if (opcode == LLVMCall)
            legalize_call(l, i);
        else if (opcode == LLVMFPToSI || opcode == LLVMFPToUI)
            legalize_conversion(l->m, l->builder, i);
    }
}

// What the code generator, the runtime or the C library supplies has C's names, and what the C++
// library does is in std or an operator.
static bool is_of_program(const char *symbol) {
    return g_str_has_prefix(symbol, "_Z") && !g_str_has_prefix(symbol, "_ZSt") &&
           !g_str_has_prefix(symbol, "_ZNSt") && !g_str_has_prefix(symbol, "_ZNKSt") &&
           !g_str_has_prefix(symbol, "_Zn") && !g_str_has_prefix(symbol, "_Zd");
}

// NULL: tables alone name it, as they do a kernel of another file that the host launches.
static LLVMValueRef find_use(LLVMValueRef function) {
    LLVMUseRef use = LLVMGetFirstUse(function);
    while (use && !LLVMIsAInstruction(LLVMGetUser(use)))
        use = LLVMGetNextUse(use);
    return use ? LLVMGetUser(use) : NULL;
}

static void check_definition(struct gcl_module *m, LLVMValueRef function) {
    size_t size;
    const char *symbol = LLVMGetValueName2(function, &size);
    LLVMValueRef use = find_use(function);
    if (!LLVMIsDeclaration(function) || !use || !is_of_program(symbol))
        return;
    char *name = gcl_shim_qualified_name(symbol);
    gcl_module_error(m, GCL_CODE_DEVICE_LINK, use,
                     "device code uses %s, which none here defines: if another file does, compile "
                     "both with -rdc=true (-dc), and link them",
                     name ? name : symbol);
    free(name);
}

void gcl_legalize_check_definitions(struct gcl_module *m) {
    for (LLVMValueRef f = LLVMGetFirstFunction(m->module); f; f = LLVMGetNextFunction(f))
        check_definition(m, f);
}

void gcl_legalize(struct gcl_module *m) {
    struct legalization l = {.m = m, .builder = LLVMCreateBuilderInContext(m->context)};
    for (LLVMValueRef f = LLVMGetFirstFunction(m->module); f; f = LLVMGetNextFunction(f)) {
        for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b))
            legalize_block(&l, b);
    }
    LLVMDisposeBuilder(l.builder);
    gcl_ptx_finish(m, &l.texts);
}
