// Each function is one or two instructions for powers of 2, logarithms to the base 2, sines and
// cosines, and a product.
#include "device/gpu/fast.h"

#include <assert.h>
#include <string.h>

#include "device/gpu/known.h"
#include "device/ir/intrinsics.h"
#include "device/lower/fast.h"

// With -ftz=true an instruction has "ftz" in its name.
static LLVMValueRef build(struct gcl_gpu *g, LLVMBuilderRef b, const char *name,
                          LLVMValueRef *arguments, unsigned count) {
    g_autofree char *full = g_strdup_printf("llvm.nvvm.%s%s", name,
                                            g->m.options->gpu->flush_denormals ? ".ftz.f" : ".f");
    return gcl_gpu_call(g, b, full, arguments, count);
}

static LLVMValueRef build_scaled(struct gcl_gpu *g, LLVMBuilderRef b, LLVMValueRef x, double by) {
    return LLVMBuildFMul(b, x, LLVMConstReal(LLVMFloatTypeInContext(g->m.context), by), "");
}

static LLVMValueRef power(struct gcl_gpu *g, LLVMBuilderRef b, LLVMValueRef *x, double factor) {
    LLVMValueRef exponent = factor == 1 ? x[0] : build_scaled(g, b, x[0], factor);
    return build(g, b, "ex2.approx", &exponent, 1);
}

static LLVMValueRef logarithm(struct gcl_gpu *g, LLVMBuilderRef b, LLVMValueRef *x, double factor) {
    LLVMValueRef result = build(g, b, "lg2.approx", x, 1);
    return factor == 1 ? result : build_scaled(g, b, result, factor);
}

static LLVMValueRef sine(struct gcl_gpu *g, LLVMBuilderRef b, LLVMValueRef *x, double factor) {
    (void)factor;
    return build(g, b, "sin.approx", x, 1);
}

static LLVMValueRef cosine(struct gcl_gpu *g, LLVMBuilderRef b, LLVMValueRef *x, double factor) {
    (void)factor;
    return build(g, b, "cos.approx", x, 1);
}

static LLVMValueRef quotient(struct gcl_gpu *g, LLVMBuilderRef b, LLVMValueRef *x, double factor) {
    (void)factor;
    return build(g, b, "div.approx", x, 2);
}

static LLVMValueRef tangent(struct gcl_gpu *g, LLVMBuilderRef b, LLVMValueRef *x, double factor) {
    LLVMValueRef parts[] = {sine(g, b, x, factor), cosine(g, b, x, factor)};
    return quotient(g, b, parts, factor);
}

static LLVMValueRef raise_to(struct gcl_gpu *g, LLVMBuilderRef b, LLVMValueRef *x, double factor) {
    LLVMValueRef exponent = LLVMBuildFMul(b, x[1], logarithm(g, b, x, factor), "");
    return power(g, b, &exponent, factor);
}

static LLVMValueRef root(struct gcl_gpu *g, LLVMBuilderRef b, LLVMValueRef *x, double factor) {
    (void)factor;
    return build(g, b, "rsqrt.approx", x, 1);
}

// An instruction that LLVM has no intrinsic for.
static LLVMValueRef build_assembly(struct gcl_gpu *g, LLVMBuilderRef b, const char *text,
                                   LLVMValueRef *x, unsigned count) {
    const char *constraints = count == 1 ? "=f,f" : "=f,f,f";
    LLVMTypeRef lane = LLVMFloatTypeInContext(g->m.context), lanes[] = {lane, lane};
    LLVMTypeRef type = LLVMFunctionType(lane, lanes, count, 0);
    LLVMValueRef assembly = LLVMGetInlineAsm(type, (char *)text, strlen(text), (char *)constraints,
                                             strlen(constraints), 0, 0, LLVMInlineAsmDialectATT, 0);
    return LLVMBuildCall2(b, type, assembly, x, count, "");
}

static LLVMValueRef hyperbolic(struct gcl_gpu *g, LLVMBuilderRef b, LLVMValueRef *x,
                               double factor) {
    (void)factor;
    return build_assembly(g, b, "tanh.approx.f32 $0, $1;", x, 1);
}

static const struct {
    const char *fast; ///< what our headers call
    const char *name; ///< LLVM's, of what may be approximated where that is allowed
    LLVMValueRef (*build)(struct gcl_gpu *, LLVMBuilderRef, LLVMValueRef *, double);
    double factor;
} table[] = {
    {GCL_FAST "sinf", "llvm.sin.f32", sine, 1},
    {GCL_FAST "cosf", "llvm.cos.f32", cosine, 1},
    {GCL_FAST "tanf", "llvm.tan.f32", tangent, 1},
    {GCL_FAST "tanhf", "llvm.tanh.f32", hyperbolic, 1},
    {GCL_FAST "expf", "llvm.exp.f32", power, 1.4426950408889634},
    {GCL_FAST "exp10f", "llvm.exp10.f32", power, 3.3219280948873623},
    {GCL_FAST "logf", "llvm.log.f32", logarithm, 0.69314718055994531},
    {GCL_FAST "log2f", "llvm.log2.f32", logarithm, 1},
    {GCL_FAST "log10f", "llvm.log10.f32", logarithm, 0.30102999566398120},
    {GCL_FAST "powf", "llvm.pow.f32", raise_to, 1},
    {GCL_FAST "fdividef", "", quotient, 1},
    {GCL_FAST "rsqrtf", "", root, 1},
};

LLVMValueRef gcl_gpu_fast_call(struct gcl_gpu *g, LLVMBuilderRef b, LLVMValueRef call) {
    const char *name = gcl_intrinsic_callee(call);
    bool may_approximate = LLVMCanValueUseFastMathFlags(call) &&
                           (LLVMGetFastMathFlags(call) & LLVMFastMathApproxFunc) != 0;
    for (size_t i = 0; i < G_N_ELEMENTS(table); i++) {
        if (strcmp(name, table[i].fast) != 0 &&
            !(may_approximate && strcmp(name, table[i].name) == 0))
            continue;
        LLVMValueRef arguments[2] = {NULL};
        unsigned count = LLVMGetNumArgOperands(call);
        assert(count <= G_N_ELEMENTS(arguments));
        for (unsigned a = 0; a < count; a++)
            arguments[a] = LLVMGetOperand(call, a);
        return table[i].build(g, b, arguments, table[i].factor);
    }
    return NULL;
}

static bool is_float(LLVMValueRef i) {
    return LLVMGetTypeKind(LLVMTypeOf(i)) == LLVMFloatTypeKind;
}

static bool is_one(LLVMValueRef value) {
    LLVMBool loses;
    return LLVMIsAConstantFP(value) && LLVMConstRealGetDouble(value, &loses) == 1;
}

LLVMValueRef gcl_gpu_fast_quotient(struct gcl_gpu *g, LLVMBuilderRef b, LLVMValueRef i) {
    bool flushes = g->m.options->gpu->flush_denormals;
    LLVMValueRef operands[] = {LLVMGetOperand(i, 0), LLVMGetOperand(i, 1)};
    if (!is_float(i) || g->m.options->gpu->exact_quotients)
        return NULL;
    if (is_one(operands[0]))
        return build_assembly(g, b,
                              flushes ? "rcp.approx.ftz.f32 $0, $1;" : "rcp.approx.f32 $0, $1;",
                              &operands[1], 1);
    if (LLVMGetFastMathFlags(i) & LLVMFastMathAllowReciprocal)
        return quotient(g, b, operands, 1);
    return build_assembly(
        g, b, flushes ? "div.full.ftz.f32 $0, $1, $2;" : "div.full.f32 $0, $1, $2;", operands, 2);
}

LLVMValueRef gcl_gpu_fast_root(struct gcl_gpu *g, LLVMBuilderRef b, LLVMValueRef i) {
    LLVMValueRef x = LLVMGetOperand(i, 0);
    if (!is_float(i) || g->m.options->gpu->exact_roots)
        return NULL;
    return build(g, b, "sqrt.approx", &x, 1);
}
