// 1 / √y of floats, many lanes at a time: the estimate of the processor and one step that squares
// its error. A function like those of the C library, so that scalar code and vectors compute the
// same.
#include "device/lower/root.h"

#include <assert.h>

#include "device/ir/intrinsics.h"
#include "device/ir/module.h"

// The processor's estimate of 1 / √y, with a relative error of less than 2^-11.
static LLVMValueRef build_estimate(struct gcl_module *m, LLVMBuilderRef builder, LLVMValueRef y,
                                   uint32_t level) {
    const char *name = level == GCL_CPU_V4   ? "llvm.x86.avx512.rsqrt14.ps.512"
                       : level == GCL_CPU_V3 ? "llvm.x86.avx.rsqrt.ps.256"
                                             : "llvm.x86.sse.rsqrt.ps";
    LLVMValueRef all = LLVMConstAllOnes(LLVMInt16TypeInContext(m->context));
    LLVMValueRef arguments[] = {y, LLVMConstNull(LLVMTypeOf(y)), all};
    return gcl_intrinsic_call_llvm(m, builder, name, NULL, 0, arguments,
                                   level == GCL_CPU_V4 ? 3 : 1);
}

static LLVMValueRef every_lane(LLVMTypeRef type, double value) {
    LLVMValueRef lanes[16], lane = LLVMConstReal(LLVMGetElementType(type), value);
    assert(LLVMGetVectorSize(type) <= G_N_ELEMENTS(lanes));
    for (unsigned i = 0; i < LLVMGetVectorSize(type); i++)
        lanes[i] = lane;
    return LLVMConstVector(lanes, LLVMGetVectorSize(type));
}

static LLVMValueRef build_sum(struct gcl_module *m, LLVMBuilderRef builder, LLVMValueRef a,
                              LLVMValueRef b, LLVMValueRef c) {
    LLVMTypeRef type = LLVMTypeOf(a);
    LLVMValueRef operands[] = {a, b, c};
    return gcl_intrinsic_call_llvm(m, builder, "llvm.fmuladd", &type, 1, operands, 3);
}

// With e the estimate and d = 1 - y e², 1 / √y = e (1 - d)^(-1/2) = e + e d (1/2 + 3/8 d + …).
// Where y is 0, infinite or so small that the processor takes it for 0, d is infinite or no number,
// and e is right.
void gcl_root_define(struct gcl_module *m, LLVMValueRef function, uint32_t level) {
    assert(LLVMIsDeclaration(function) && LLVMCountParams(function) == 1);
    LLVMBuilderRef builder = LLVMCreateBuilderInContext(m->context);
    LLVMPositionBuilderAtEnd(builder, LLVMAppendBasicBlockInContext(m->context, function, ""));
    LLVMValueRef y = LLVMGetParam(function, 0), e = build_estimate(m, builder, y, level);
    LLVMTypeRef type = LLVMTypeOf(y);
    LLVMValueRef one = every_lane(type, 1);
    LLVMValueRef product = LLVMBuildFNeg(builder, LLVMBuildFMul(builder, y, e, ""), "");
    LLVMValueRef d = build_sum(m, builder, product, e, one);
    LLVMValueRef series = build_sum(m, builder, every_lane(type, 0.375), d, every_lane(type, 0.5));
    LLVMValueRef better = build_sum(m, builder, LLVMBuildFMul(builder, e, d, ""), series, e);
    LLVMValueRef is_finite = LLVMBuildFCmp(builder, LLVMRealOGT, d, every_lane(type, -1), "");
    LLVMBuildRet(builder, LLVMBuildSelect(builder, is_finite, better, e, ""));
    LLVMDisposeBuilder(builder);
}
