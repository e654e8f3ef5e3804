// Quotients, which processors are slow at: of 32-bit integers in double, of float by Newton's steps
// where the divider would be what a block waits for. Both are right to the last bit.
#include "device/vector/widen/divide.h"

#include <assert.h>
#include <string.h>

#include "device/ir/intrinsics.h"
#include "device/ir/module.h"
#include "device/ir/uniformity.h"
#include "device/vector/widen/mask.h"
#include "device/vector/widen/value.h"
#include "device/vector/widen/widen.h"

// Integers.

// A number that all lanes divide by, turned into one to multiply with. It is 2^-51 too large, so
// that the product of a whole number below 2^32 never falls short of the quotient, nor exceeds it
// by as much as separates it from the next whole number.
static LLVMValueRef factor_of(struct gcl_vector *v, LLVMOpcode to, LLVMValueRef scalar) {
    LLVMTypeRef type = LLVMDoubleTypeInContext(v->m->context);
    LLVMValueRef divisor = LLVMBuildCast(v->b, to, scalar, type, "");
    LLVMValueRef exact = LLVMBuildFDiv(v->b, LLVMConstReal(type, 1), divisor, "");
    return gcl_vector_splat(v, LLVMBuildFMul(v->b, exact, LLVMConstReal(type, 1 + 0x1p-51), ""));
}

// Quotients of 32-bit integers are exact in double (53 bits), which divides many at a time where
// the integer unit takes one after the other.
static LLVMValueRef divide_exactly(struct gcl_vector *v, LLVMValueRef a, LLVMValueRef b,
                                   bool is_signed) {
    LLVMTypeRef wide = gcl_vector_type(v, LLVMDoubleTypeInContext(v->m->context));
    LLVMOpcode to = is_signed ? LLVMSIToFP : LLVMUIToFP, from = is_signed ? LLVMFPToSI : LLVMFPToUI;
    LLVMValueRef dividend = LLVMBuildCast(v->b, to, a, wide, ""), ratio;
    if (LLVMGetTypeKind(LLVMTypeOf(b)) != LLVMVectorTypeKind)
        ratio = LLVMBuildFMul(v->b, dividend, factor_of(v, to, b), "");
    else
        ratio = LLVMBuildFDiv(v->b, dividend, LLVMBuildCast(v->b, to, b, wide, ""), "");
    return LLVMBuildCast(v->b, from, ratio, LLVMTypeOf(a), "");
}

// The quotient or rest of 32-bit integers: of vectors, or of a vector and a scalar.
static LLVMValueRef divide(struct gcl_vector *v, LLVMOpcode opcode, LLVMValueRef a,
                           LLVMValueRef b) {
    bool is_rest = opcode == LLVMSRem || opcode == LLVMURem;
    LLVMValueRef result = divide_exactly(v, a, b, opcode == LLVMSDiv || opcode == LLVMSRem);
    if (LLVMGetTypeKind(LLVMTypeOf(b)) != LLVMVectorTypeKind)
        b = gcl_vector_splat(v, b);
    if (is_rest)
        result = LLVMBuildSub(v->b, a, LLVMBuildMul(v->b, result, b, ""), "");
    // By 0 all bits are set, as in scalar code (runtime/exec/block/quotient.h).
    LLVMValueRef is_zero = LLVMBuildICmp(v->b, LLVMIntEQ, b, LLVMConstNull(LLVMTypeOf(a)), "");
    return LLVMBuildSelect(v->b, is_zero, LLVMConstAllOnes(LLVMTypeOf(a)), result, "");
}

LLVMValueRef gcl_vector_quotient(struct gcl_vector *v, LLVMValueRef i) {
    LLVMOpcode opcode = LLVMGetInstructionOpcode(i);
    LLVMValueRef divisor = LLVMGetOperand(i, 1), a = gcl_vector_lanes(v, LLVMGetOperand(i, 0));
    bool is_narrow = LLVMGetIntTypeWidth(LLVMTypeOf(i)) <= 32;
    if (LLVMIsAConstant(divisor))
        return LLVMBuildBinOp(v->b, opcode, a, gcl_vector_lanes(v, divisor), "");
    if (is_narrow && gcl_vector_info(v, divisor).variance == GCL_VARIANCE_UNIFORM)
        return divide(v, opcode, a, gcl_vector_scalar(v, divisor));
    LLVMValueRef b = gcl_vector_lanes(v, divisor);
    if (v->mask) // whoever sleeps must not divide by 0
        b = LLVMBuildSelect(v->b, v->mask, b,
                            gcl_vector_splat(v, LLVMConstInt(LLVMTypeOf(i), 1, 0)), "");
    return is_narrow ? divide(v, opcode, a, b) : LLVMBuildBinOp(v->b, opcode, a, b, "");
}

// Reciprocals of float.

static bool is_call_of(LLVMValueRef i, const char *name) {
    return strcmp(gcl_intrinsic_callee(i), name) == 0;
}

// Whether the divider has more to do in a block than the units for everything else: it takes 10
// cycles for 16 quotients, 12 for as many roots, while these do two vector instructions a cycle.
static bool is_divider_busy(const struct gcl_vector *v, LLVMBasicBlockRef block) {
    unsigned divides = 0, others = 0;
    for (LLVMValueRef i = LLVMGetFirstInstruction(block); i; i = LLVMGetNextInstruction(i)) {
        if (LLVMGetTypeKind(LLVMTypeOf(i)) == LLVMVoidTypeKind ||
            gcl_vector_info(v, i).variance != GCL_VARIANCE_DIVERGENT)
            continue;
        bool is_quotient = LLVMIsABinaryOperator(i) && LLVMGetInstructionOpcode(i) == LLVMFDiv;
        divides += is_quotient ? 10 : is_call_of(i, "llvm.sqrt.f32") ? 12 : 0;
        others++;
    }
    return 2 * divides > others + 10;
}

static bool is_one(LLVMValueRef value) {
    LLVMBool loses;
    return LLVMIsAConstantFP(value) && LLVMConstRealGetDouble(value, &loses) == 1;
}

bool gcl_vector_is_reciprocal(const struct gcl_vector *v, LLVMValueRef i) {
    return v->variant->target->level == GCL_CPU_V4 && v->lanes % 16 == 0 &&
           LLVMGetTypeKind(LLVMTypeOf(i)) == LLVMFloatTypeKind && is_one(LLVMGetOperand(i, 0)) &&
           is_divider_busy(v, LLVMGetInstructionParent(i));
}

static LLVMValueRef call(struct gcl_vector *v, const char *name, LLVMValueRef *arguments,
                         unsigned count) {
    LLVMTypeRef type = LLVMTypeOf(arguments[0]);
    bool is_generic = !g_str_has_prefix(name, "llvm.x86.");
    return gcl_vector_call_intrinsic(v, name, &type, is_generic ? 1 : 0, arguments, count);
}

// a * b + c; upwards: rounded to the larger neighbour.
static LLVMValueRef multiply_add(struct gcl_vector *v, LLVMValueRef a, LLVMValueRef b,
                                 LLVMValueRef c, bool upwards) {
    enum { UPWARDS = 2, NO_EXCEPTIONS = 8 };
    LLVMValueRef arguments[] = {a, b, c, gcl_u32(v->m, UPWARDS | NO_EXCEPTIONS)};
    return call(v, upwards ? "llvm.x86.avx512.vfmadd.ps.512" : "llvm.fma", arguments,
                upwards ? 4 : 3);
}

static LLVMValueRef every(LLVMValueRef element) {
    LLVMValueRef elements[16];
    for (unsigned l = 0; l < 16; l++)
        elements[l] = element;
    return LLVMConstVector(elements, 16);
}

// 1 / x for 16 normal x > 0 up to 2^126, rounded to nearest: Newton's steps from an estimate with
// 14 bits. After: Markstein, "Computation of elementary functions on the IBM RISC System/6000
// processor" (IBM J. Res. Dev. 34, 1990). Its last step is right for an approximation to one unit
// but where all bits of x are ones, and there if that is the larger neighbour.
static LLVMValueRef newton(struct gcl_vector *v, LLVMValueRef x) {
    LLVMTypeRef type = LLVMTypeOf(x);
    LLVMValueRef one = every(LLVMConstReal(LLVMGetElementType(type), 1));
    LLVMValueRef minus = LLVMBuildFNeg(v->b, x, "");
    LLVMValueRef arguments[] = {x, LLVMConstNull(type),
                                LLVMConstAllOnes(LLVMInt16TypeInContext(v->m->context))};
    LLVMValueRef y = call(v, "llvm.x86.avx512.rcp14.ps.512", arguments, 3);
    y = multiply_add(v, y, multiply_add(v, minus, y, one, false), y, true);
    return multiply_add(v, y, multiply_add(v, minus, y, one, false), y, false);
}

// What is known of a divisor. Of a root that nobody else asks for the square is taken: whether
// Newton's steps will be right is known then without waiting for the root, and the divider works on
// the root of some lanes while the other units do the steps for others.
enum divisor { SIGNED, POSITIVE, SQUARE };

static enum divisor kind_of(LLVMValueRef divisor) {
    if (is_call_of(divisor, "llvm.sqrt.f32"))
        return LLVMGetNextUse(LLVMGetFirstUse(divisor)) ? POSITIVE : SQUARE;
    return is_call_of(divisor, "llvm.fabs.f32") ? POSITIVE : SIGNED;
}

// 1 / x, or 1 / sqrt(x), for 16 lanes.
static LLVMValueRef invert_part(struct gcl_vector *v, LLVMValueRef x, enum divisor kind) {
    LLVMTypeRef type = LLVMTypeOf(x), bits = LLVMVectorType(gcl_i32(v->m), 16);
    if (kind != SIGNED)
        return newton(v, kind == SQUARE ? call(v, "llvm.sqrt", &x, 1) : x);
    LLVMValueRef number = LLVMBuildBitCast(v->b, x, bits, "");
    LLVMValueRef size = LLVMBuildAnd(v->b, number, every(gcl_u32(v->m, INT32_MAX)), "");
    LLVMValueRef sign = LLVMBuildXor(v->b, number, size, "");
    LLVMValueRef y = newton(v, LLVMBuildBitCast(v->b, size, type, ""));
    y = LLVMBuildOr(v->b, LLVMBuildBitCast(v->b, y, bits, ""), sign, "");
    return LLVMBuildBitCast(v->b, y, type, "");
}

static LLVMValueRef invert(struct gcl_vector *v, LLVMValueRef x, enum divisor kind) {
    enum { MOST_LANES = 128 };
    LLVMValueRef parts[MOST_LANES / 16];
    assert(v->lanes % 16 == 0 && v->lanes <= MOST_LANES);
    for (unsigned p = 0; p < v->lanes / 16; p++)
        parts[p] = invert_part(v, gcl_vector_part(v, x, 16 * p, 16), kind);
    return gcl_vector_join(v, parts, v->lanes / 16);
}

// Whether Newton's steps are right for all lanes: divisors of a size from 2^-126 to 2^126, squares
// that are positive and finite, of which the roots all have such a size.
static LLVMValueRef are_in_range(struct gcl_vector *v, LLVMValueRef x, enum divisor kind) {
    uint32_t least = kind == SQUARE ? 1 : 0x00800000;
    uint32_t end = kind == SQUARE ? 0x7f800000 : 0x7e800000;
    LLVMValueRef size = LLVMBuildBitCast(v->b, x, gcl_vector_type(v, gcl_i32(v->m)), "");
    if (kind == SIGNED)
        size = LLVMBuildAnd(v->b, size, gcl_vector_splat(v, gcl_u32(v->m, INT32_MAX)), "");
    LLVMValueRef above = LLVMBuildSub(v->b, size, gcl_vector_splat(v, gcl_u32(v->m, least)), "");
    if (v->mask)
        above = LLVMBuildSelect(v->b, v->mask, above, LLVMConstNull(LLVMTypeOf(above)), "");
    LLVMValueRef most[] = {gcl_vector_part(v, above, 0, 16), NULL};
    for (unsigned p = 1; p < v->lanes / 16; p++) {
        most[1] = gcl_vector_part(v, above, 16 * p, 16);
        most[0] = call(v, "llvm.umax", most, 2);
    }
    LLVMValueRef outside =
        LLVMBuildICmp(v->b, LLVMIntUGE, most[0], every(gcl_u32(v->m, end - least)), "");
    LLVMTypeRef bits = LLVMIntTypeInContext(v->m->context, 16);
    outside = LLVMBuildBitCast(v->b, outside, bits, "");
    return LLVMBuildICmp(v->b, LLVMIntEQ, outside, LLVMConstNull(bits), "");
}

// Newton's steps where all lanes allow it, else the division.
LLVMValueRef gcl_vector_reciprocal(struct gcl_vector *v, LLVMValueRef i) {
    assert(gcl_vector_is_reciprocal(v, i));
    LLVMValueRef divisor = LLVMGetOperand(i, 1);
    enum divisor kind = kind_of(divisor);
    LLVMValueRef x = gcl_vector_lanes(v, kind == SQUARE ? LLVMGetOperand(divisor, 0) : divisor);
    LLVMTypeRef type = LLVMTypeOf(x);
    LLVMBasicBlockRef blocks[3];
    for (unsigned n = 0; n < 3; n++)
        blocks[n] = LLVMAppendBasicBlockInContext(v->m->context, v->function, "reciprocal");
    LLVMBuildCondBr(v->b, are_in_range(v, x, kind), blocks[0], blocks[1]);
    LLVMPositionBuilderAtEnd(v->b, blocks[0]);
    LLVMValueRef ways[] = {invert(v, x, kind), NULL};
    LLVMBuildBr(v->b, blocks[2]);
    LLVMPositionBuilderAtEnd(v->b, blocks[1]);
    LLVMValueRef one = gcl_vector_splat(v, LLVMConstReal(LLVMGetElementType(type), 1));
    ways[1] = LLVMBuildFDiv(v->b, one, kind == SQUARE ? call(v, "llvm.sqrt", &x, 1) : x, "");
    LLVMBuildBr(v->b, blocks[2]);
    LLVMPositionBuilderAtEnd(v->b, blocks[2]);
    LLVMValueRef phi = LLVMBuildPhi(v->b, type, "");
    LLVMAddIncoming(phi, ways, blocks, 2);
    return phi;
}
