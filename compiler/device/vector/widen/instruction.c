// Instructions in the vector function, by what is known of their result: a uniform one is done
// once, an affine one on bases and distances of rows, a divergent one on vectors; what LLVM can't
// do on vectors is done lane by lane (lanes.h).
#include "device/vector/widen/instruction.h"

#include <string.h>

#include "device/cut/retries.h"
#include "device/ir/intrinsics.h"
#include "device/ir/module.h"
#include "device/ir/shim.h"
#include "device/ir/uniformity.h"
#include "device/lower/math.h"
#include "device/lower/sanitize.h"
#include "device/vector/widen/atomic.h"
#include "device/vector/widen/divide.h"
#include "device/vector/widen/lanes.h"
#include "device/vector/widen/memory.h"
#include "device/vector/widen/prefetch.h"
#include "device/vector/widen/tell.h"
#include "device/vector/widen/value.h"
#include "device/vector/widen/warp.h"
#include "device/vector/widen/widen.h"

// Scalars.

static LLVMValueRef clone_scalar(struct gcl_vector *v, LLVMValueRef i) {
    LLVMValueRef clone = LLVMInstructionClone(i);
    bool is_call = LLVMIsACallInst(i) != NULL;
    int count = is_call ? (int)LLVMGetNumArgOperands(i) : LLVMGetNumOperands(i);
    for (int n = 0; n < count; n++)
        LLVMSetOperand(clone, (unsigned)n, gcl_vector_scalar(v, LLVMGetOperand(i, (unsigned)n)));
    gcl_shim_drop_metadata(clone);
    LLVMInsertIntoBuilder(v->b, clone);
    return clone;
}

// The first lane may be asleep, and then what was promised of the value need not hold of its base.
static void drop_promises(LLVMValueRef i) {
    switch (LLVMGetInstructionOpcode(i)) {
    case LLVMAdd:
    case LLVMSub:
    case LLVMMul:
    case LLVMShl:
        LLVMSetNSW(i, 0);
        LLVMSetNUW(i, 0);
        break;
    case LLVMUDiv:
    case LLVMLShr:
        LLVMSetExact(i, 0);
        break;
    case LLVMZExt:
        LLVMSetNNeg(i, 0);
        break;
    case LLVMGetElementPtr:
        LLVMGEPSetNoWrapFlags(i, 0);
        break;
    default:
        break;
    }
}

static LLVMValueRef y_or_zero(struct gcl_vector *v, LLVMValueRef value) {
    LLVMValueRef y = gcl_vector_y(v, value);
    return y ? y : gcl_u64(v->m, 0);
}

static LLVMValueRef multiply_y(struct gcl_vector *v, LLVMValueRef i) {
    bool first = gcl_vector_info(v, LLVMGetOperand(i, 0)).variance == GCL_VARIANCE_AFFINE;
    LLVMValueRef factor = gcl_vector_scalar(v, LLVMGetOperand(i, first ? 1 : 0));
    LLVMValueRef wide = LLVMBuildIntCast2(v->b, factor, gcl_i64(v->m), 1, "");
    return LLVMBuildMul(v->b, y_or_zero(v, LLVMGetOperand(i, first ? 0 : 1)), wide, "");
}

static LLVMValueRef address_y(struct gcl_vector *v, LLVMValueRef i) {
    LLVMTypeRef type = LLVMGetGEPSourceElementType(i);
    LLVMValueRef sum = y_or_zero(v, LLVMGetOperand(i, 0));
    for (int n = 1; n < LLVMGetNumOperands(i); n++) {
        LLVMValueRef index = LLVMGetOperand(i, (unsigned)n);
        if (n > 1 && LLVMGetTypeKind(type) == LLVMStructTypeKind) {
            type = LLVMStructGetTypeAtIndex(type, (unsigned)LLVMConstIntGetZExtValue(index));
            continue;
        }
        if (n > 1)
            type = LLVMGetElementType(type);
        LLVMValueRef size = gcl_u64(v->m, LLVMABISizeOfType(v->m->layout, type));
        sum = LLVMBuildAdd(v->b, sum, LLVMBuildMul(v->b, y_or_zero(v, index), size, ""), "");
    }
    return sum;
}

// The distance of rows of an affine instruction.
static LLVMValueRef build_y(struct gcl_vector *v, LLVMValueRef i) {
    LLVMValueRef a = LLVMGetOperand(i, 0);
    int assumed = gcl_uniformity_assumed(v->u, i);
    if (assumed >= 0)
        return y_or_zero(v, LLVMGetOperand(i, (unsigned)assumed));
    switch (LLVMGetInstructionOpcode(i)) {
    case LLVMAdd:
    case LLVMOr:
        return LLVMBuildAdd(v->b, y_or_zero(v, a), y_or_zero(v, LLVMGetOperand(i, 1)), "");
    case LLVMSub:
        return LLVMBuildSub(v->b, y_or_zero(v, a), y_or_zero(v, LLVMGetOperand(i, 1)), "");
    case LLVMMul:
        return multiply_y(v, i);
    case LLVMShl:
        return LLVMBuildShl(v->b, y_or_zero(v, a),
                            gcl_u64(v->m, LLVMConstIntGetZExtValue(LLVMGetOperand(i, 1))), "");
    case LLVMSelect:
        return LLVMBuildSelect(v->b, gcl_vector_scalar(v, a), y_or_zero(v, LLVMGetOperand(i, 1)),
                               y_or_zero(v, LLVMGetOperand(i, 2)), "");
    case LLVMGetElementPtr:
        return address_y(v, i);
    default: // casts and freeze
        return y_or_zero(v, a);
    }
}

// A local variable: one for each lane, side by side.
static struct gcl_vector_value build_alloca(struct gcl_vector *v, LLVMValueRef i) {
    uint64_t count = LLVMConstIntGetZExtValue(LLVMGetOperand(i, 0));
    LLVMTypeRef type = LLVMArrayType2(LLVMGetAllocatedType(i), count * v->lanes);
    LLVMValueRef slot = gcl_vector_slot(v, type, "local");
    int64_t size = gcl_vector_info(v, i).x_stride;
    return (struct gcl_vector_value){.scalar = slot,
                                     .y = gcl_u64(v->m, (uint64_t)size * v->geometry.row)};
}

// Divisions of affine values are of numbers that aren't negative, or nobody looks at the base: then
// it must not overflow.
static LLVMOpcode without_sign(LLVMOpcode opcode) {
    return opcode == LLVMSDiv ? LLVMUDiv : opcode == LLVMSRem ? LLVMURem : opcode;
}

static LLVMValueRef build_base(struct gcl_vector *v, LLVMValueRef i) {
    uint64_t power;
    int assumed = gcl_uniformity_assumed(v->u, i);
    if (assumed >= 0)
        return gcl_vector_scalar(v, LLVMGetOperand(i, (unsigned)assumed));
    if (LLVMGetInstructionOpcode(i) == LLVMOr && LLVMGetIsDisjoint(i))
        return LLVMBuildAdd(v->b, gcl_vector_scalar(v, LLVMGetOperand(i, 0)),
                            gcl_vector_scalar(v, LLVMGetOperand(i, 1)), "");
    bool is_rest = LLVMIsAInstruction(i) && (LLVMGetInstructionOpcode(i) == LLVMAnd ||
                                             LLVMGetInstructionOpcode(i) == LLVMURem);
    if (is_rest && gcl_uniformity_splits(v->u, i, &power) &&
        power <= (uint64_t)1 << MIN(gcl_vector_info(v, LLVMGetOperand(i, 0)).aligned, 32))
        return LLVMConstNull(LLVMTypeOf(i));
    LLVMValueRef a = LLVMGetOperand(i, 0);
    if (LLVMIsABinaryOperator(i)) // built, not cloned: constants stay constants
        return LLVMBuildBinOp(v->b, without_sign(LLVMGetInstructionOpcode(i)),
                              gcl_vector_scalar(v, a), gcl_vector_scalar(v, LLVMGetOperand(i, 1)),
                              "");
    if (LLVMIsAZExtInst(i) && gcl_uniformity_keeps_sign(i))
        return LLVMBuildSExt(v->b, gcl_vector_scalar(v, a), LLVMTypeOf(i), "");
    if (LLVMIsACastInst(i))
        return LLVMBuildCast(v->b, LLVMGetInstructionOpcode(i), gcl_vector_scalar(v, a),
                             LLVMTypeOf(i), "");
    LLVMValueRef base = clone_scalar(v, i);
    drop_promises(base);
    return base;
}

// Vectors.

static void copy_flags(LLVMValueRef from, LLVMValueRef to) {
    if (!LLVMIsAInstruction(to))
        return;
    switch (LLVMGetInstructionOpcode(from)) {
    case LLVMAdd:
    case LLVMSub:
    case LLVMMul:
    case LLVMShl:
        LLVMSetNSW(to, LLVMGetNSW(from));
        LLVMSetNUW(to, LLVMGetNUW(from));
        break;
    case LLVMUDiv:
    case LLVMSDiv:
    case LLVMLShr:
    case LLVMAShr:
        LLVMSetExact(to, LLVMGetExact(from));
        break;
    case LLVMZExt:
        LLVMSetNNeg(to, LLVMGetNNeg(from));
        break;
    case LLVMOr:
        LLVMSetIsDisjoint(to, LLVMGetIsDisjoint(from));
        break;
    default:
        break;
    }
    if (LLVMCanValueUseFastMathFlags(from) && LLVMCanValueUseFastMathFlags(to))
        LLVMSetFastMathFlags(to, LLVMGetFastMathFlags(from));
}

static LLVMValueRef operand(struct gcl_vector *v, LLVMValueRef i, unsigned n) {
    return gcl_vector_lanes(v, LLVMGetOperand(i, n));
}

// a % 2^k and a / 2^k where a counts the lanes and 2^k is less than their number.
static LLVMValueRef build_split(struct gcl_vector *v, LLVMValueRef i, uint64_t power) {
    LLVMOpcode opcode = LLVMGetInstructionOpcode(i);
    bool is_rest = opcode == LLVMAnd || opcode == LLVMURem;
    g_autofree LLVMValueRef *elements = g_new(LLVMValueRef, v->lanes);
    for (unsigned l = 0; l < v->lanes; l++)
        elements[l] = LLVMConstInt(LLVMTypeOf(i), is_rest ? l % power : l / power, 0);
    LLVMValueRef places = LLVMConstVector(elements, v->lanes);
    if (is_rest)
        return places;
    LLVMValueRef amount =
        LLVMConstInt(LLVMTypeOf(i), (unsigned long long)__builtin_ctzll(power), 0);
    LLVMValueRef base = gcl_vector_scalar(v, LLVMGetOperand(i, 0));
    return LLVMBuildAdd(v->b, gcl_vector_splat(v, LLVMBuildLShr(v->b, base, amount, "")), places,
                        "");
}

static LLVMValueRef build_binary(struct gcl_vector *v, LLVMValueRef i) {
    LLVMOpcode opcode = LLVMGetInstructionOpcode(i);
    uint64_t power;
    if ((opcode == LLVMAnd || opcode == LLVMURem || opcode == LLVMLShr || opcode == LLVMUDiv) &&
        gcl_uniformity_splits(v->u, i, &power))
        return build_split(v, i, power);
    if (opcode == LLVMSDiv || opcode == LLVMUDiv || opcode == LLVMSRem || opcode == LLVMURem)
        return gcl_vector_quotient(v, i);
    if (opcode == LLVMFDiv && gcl_vector_is_reciprocal(v, i))
        return gcl_vector_reciprocal(v, i);
    LLVMValueRef second = operand(v, i, 1);
    bool shifts = opcode == LLVMShl || opcode == LLVMLShr || opcode == LLVMAShr;
    if (shifts && !LLVMIsAConstant(
                      LLVMGetOperand(i, 1))) { // one lane that shifts too far must not spoil others
        LLVMValueRef most = LLVMConstInt(LLVMTypeOf(i), LLVMGetIntTypeWidth(LLVMTypeOf(i)) - 1, 0);
        second = LLVMBuildAnd(v->b, second, gcl_vector_splat(v, most), "");
    }
    LLVMValueRef result = LLVMBuildBinOp(v->b, opcode, operand(v, i, 0), second, "");
    copy_flags(i, result);
    return result;
}

// Processors gather with signed indices of 32 bits, as many again as with 64. An unsigned one
// becomes such by taking half of its range off, which the base makes up for.
static LLVMValueRef biased_address(struct gcl_vector *v, LLVMTypeRef element, LLVMValueRef base,
                                   LLVMValueRef index) {
    LLVMValueRef half = gcl_vector_splat(v, gcl_u32(v->m, (uint32_t)1 << 31));
    LLVMValueRef lanes = gcl_vector_lanes(v, LLVMGetOperand(index, 0));
    lanes = LLVMBuildXor(v->b, lanes, half, "");
    lanes = LLVMBuildSExt(v->b, lanes, gcl_vector_type(v, gcl_i64(v->m)), "");
    LLVMValueRef middle = gcl_u64(v->m, (uint64_t)1 << 31);
    base = LLVMBuildGEP2(v->b, element, base, &middle, 1, "");
    return LLVMBuildGEP2(v->b, element, base, &lanes, 1, "");
}

static bool is_unsigned_index(const struct gcl_vector *v, LLVMValueRef index) {
    return LLVMIsAZExtInst(index) && !LLVMGetNNeg(index) &&
           LLVMGetIntTypeWidth(LLVMTypeOf(LLVMGetOperand(index, 0))) == 32 &&
           gcl_vector_info(v, index).variance != GCL_VARIANCE_UNIFORM;
}

// Whether an address is an element of an array that all lanes share.
static bool is_element(const struct gcl_vector *v, LLVMValueRef i) {
    unsigned count = LLVMGetNumIndices(i);
    LLVMTypeRef type = LLVMGetGEPSourceElementType(i);
    for (unsigned n = 0; n < count; n++) {
        if (gcl_vector_info(v, LLVMGetOperand(i, n)).variance != GCL_VARIANCE_UNIFORM)
            return false;
    }
    return count == 1 || (count == 2 && LLVMGetTypeKind(type) == LLVMArrayTypeKind);
}

// The base stays a scalar if it is one: gathers are faster from one base.
static LLVMValueRef build_address(struct gcl_vector *v, LLVMValueRef i) {
    unsigned count = LLVMGetNumIndices(i);
    g_autofree LLVMValueRef *indices = g_new(LLVMValueRef, count);
    LLVMValueRef base = LLVMGetOperand(i, 0);
    bool is_common = gcl_vector_info(v, base).variance == GCL_VARIANCE_UNIFORM;
    base = is_common ? gcl_vector_scalar(v, base) : gcl_vector_lanes(v, base);
    LLVMValueRef last = LLVMGetOperand(i, count);
    LLVMTypeRef type = LLVMGetGEPSourceElementType(i);
    if (is_element(v, i) && is_unsigned_index(v, last)) {
        if (count == 2) {
            indices[0] = gcl_vector_scalar(v, LLVMGetOperand(i, 1));
            indices[1] = gcl_u64(v->m, 0);
            base = LLVMBuildGEP2(v->b, type, base, indices, 2, "");
            type = LLVMGetElementType(type);
        }
        return biased_address(v, type, base, last);
    }
    for (unsigned n = 0; n < count; n++) {
        LLVMValueRef index = LLVMGetOperand(i, n + 1);
        bool one = gcl_vector_info(v, index).variance == GCL_VARIANCE_UNIFORM;
        indices[n] = one ? gcl_vector_scalar(v, index) : gcl_vector_lanes(v, index);
    }
    return LLVMBuildGEP2(v->b, type, base, indices, count, "");
}

static LLVMValueRef build_select(struct gcl_vector *v, LLVMValueRef i) {
    LLVMValueRef condition = LLVMGetOperand(i, 0);
    bool one = gcl_vector_info(v, condition).variance == GCL_VARIANCE_UNIFORM;
    LLVMValueRef result = LLVMBuildSelect(
        v->b, one ? gcl_vector_scalar(v, condition) : gcl_vector_lanes(v, condition),
        operand(v, i, 1), operand(v, i, 2), "");
    copy_flags(i, result);
    return result;
}

// Calls.

// LLVM's intrinsics that work element by element: which types name them, and which argument stays a
// scalar.
struct elementwise {
    const char *name;
    enum { BY_RESULT, BY_BOTH, BY_ARGUMENT, BY_SECOND } overload;
    int scalar; ///< argument, -1
};

static const struct elementwise elementwise[] = {
    {"llvm.abs.", BY_RESULT, 1},        {"llvm.bitreverse.", BY_RESULT, -1},
    {"llvm.bswap.", BY_RESULT, -1},     {"llvm.canonicalize.", BY_RESULT, -1},
    {"llvm.ceil.", BY_RESULT, -1},      {"llvm.copysign.", BY_RESULT, -1},
    {"llvm.ctlz.", BY_RESULT, 1},       {"llvm.ctpop.", BY_RESULT, -1},
    {"llvm.cttz.", BY_RESULT, 1},       {"llvm.fabs.", BY_RESULT, -1},
    {"llvm.floor.", BY_RESULT, -1},     {"llvm.fma.", BY_RESULT, -1},
    {"llvm.fmuladd.", BY_RESULT, -1},   {"llvm.fptosi.sat.", BY_BOTH, -1},
    {"llvm.fptoui.sat.", BY_BOTH, -1},  {"llvm.fshl.", BY_RESULT, -1},
    {"llvm.fshr.", BY_RESULT, -1},      {"llvm.is.fpclass.", BY_ARGUMENT, 1},
    {"llvm.ldexp.", BY_SECOND, -1},     {"llvm.maximum.", BY_RESULT, -1},
    {"llvm.maxnum.", BY_RESULT, -1},    {"llvm.minimum.", BY_RESULT, -1},
    {"llvm.minnum.", BY_RESULT, -1},    {"llvm.nearbyint.", BY_RESULT, -1},
    {"llvm.rint.", BY_RESULT, -1},      {"llvm.round.", BY_RESULT, -1},
    {"llvm.roundeven.", BY_RESULT, -1}, {"llvm.sadd.sat.", BY_RESULT, -1},
    {"llvm.smax.", BY_RESULT, -1},      {"llvm.smin.", BY_RESULT, -1},
    {"llvm.sqrt.", BY_RESULT, -1},      {"llvm.ssub.sat.", BY_RESULT, -1},
    {"llvm.trunc.", BY_RESULT, -1},     {"llvm.uadd.sat.", BY_RESULT, -1},
    {"llvm.umax.", BY_RESULT, -1},      {"llvm.umin.", BY_RESULT, -1},
    {"llvm.usub.sat.", BY_RESULT, -1},
};

static const struct elementwise *find_elementwise(const char *name) {
    for (size_t i = 0; i < G_N_ELEMENTS(elementwise); i++) {
        if (strncmp(name, elementwise[i].name, strlen(elementwise[i].name)) == 0)
            return &elementwise[i];
    }
    return NULL;
}

static LLVMValueRef build_elementwise(struct gcl_vector *v, LLVMValueRef call,
                                      const struct elementwise *e) {
    LLVMValueRef arguments[4];
    unsigned count = LLVMGetNumArgOperands(call);
    for (unsigned n = 0; n < count; n++)
        arguments[n] = (int)n == e->scalar ? LLVMGetOperand(call, n) : operand(v, call, n);
    LLVMTypeRef result = gcl_vector_type(v, LLVMTypeOf(call));
    LLVMTypeRef first = LLVMTypeOf(arguments[0]);
    LLVMTypeRef overload[] = {e->overload == BY_ARGUMENT ? first : result,
                              e->overload == BY_SECOND ? LLVMTypeOf(arguments[1]) : first};
    unsigned overloads = e->overload == BY_BOTH || e->overload == BY_SECOND ? 2 : 1;
    g_autofree char *name = g_strndup(e->name, strlen(e->name) - 1);
    LLVMValueRef built = gcl_vector_call_intrinsic(v, name, overload, overloads, arguments, count);
    copy_flags(call, built);
    return built;
}

static bool is_without_effect(const char *name) {
    static const char *const names[] = {"llvm.lifetime.", "llvm.assume",
                                        "llvm.experimental.noalias", "llvm.donothing"};
    for (size_t i = 0; i < G_N_ELEMENTS(names); i++) {
        if (strncmp(name, names[i], strlen(names[i])) == 0)
            return true;
    }
    return false;
}

// A function of mathematics that has a vector variant; NULL for all others. One lane goes the same
// way as many, for the same result.
static LLVMValueRef build_math(struct gcl_vector *v, LLVMValueRef call, bool is_uniform) {
    const char *name = gcl_math_name(call);
    const struct gcl_math_variant *math =
        name ? gcl_math_find(name, v->variant->target->level) : NULL;
    LLVMValueRef arguments[2];
    if (!math)
        return NULL;
    for (unsigned n = 0; n < math->arguments; n++)
        arguments[n] =
            is_uniform ? gcl_vector_scalar(v, LLVMGetOperand(call, n)) : operand(v, call, n);
    return gcl_math_call(v->m, v->b, v->variant->target->level, name, arguments,
                         is_uniform ? 1 : v->lanes);
}

static void build_other(struct gcl_vector *v, LLVMValueRef i);

static void build_call(struct gcl_vector *v, LLVMValueRef call) {
    const struct gcl_intrinsic *intrinsic = gcl_intrinsic_find(call);
    const char *name = gcl_intrinsic_callee(call);
    if (intrinsic) {
        gcl_vector_warp(v, call);
        return;
    }
    if (is_without_effect(name))
        return;
    if (gcl_sanitize_tells(call)) {
        gcl_vector_tell(v, call);
        return;
    }
    if (strncmp(name, "llvm.prefetch", strlen("llvm.prefetch")) == 0) {
        gcl_vector_prefetch_call(v, call);
        return;
    }
    if (gcl_vector_info(v, call).variance == GCL_VARIANCE_UNIFORM &&
        LLVMGetTypeKind(LLVMTypeOf(call)) != LLVMVoidTypeKind) {
        LLVMValueRef math = build_math(v, call, true);
        gcl_vector_define(v, call,
                          (struct gcl_vector_value){.scalar = math ? math : clone_scalar(v, call)});
        return;
    }
    if (gcl_vector_info(v, call).variance == GCL_VARIANCE_AFFINE) {
        build_other(v, call);
        return;
    }
    const struct elementwise *e =
        gcl_vector_widens(LLVMTypeOf(call)) ? find_elementwise(name) : NULL;
    LLVMValueRef built = e ? build_elementwise(v, call, e) : build_math(v, call, false);
    if (built)
        gcl_vector_define(v, call, (struct gcl_vector_value){.vector = built});
    else if (gcl_retries_calls(call))
        gcl_vector_one_by_one(v, call, "a loop that retries an atomic operation");
    else
        gcl_vector_one_by_one(v, call, *name ? name : "a function pointer");
}

// Whatever an instruction's elements are, LLVM has it on vectors too; NULL if not.
LLVMValueRef gcl_vector_build_lanes(struct gcl_vector *v, LLVMValueRef i) {
    LLVMOpcode opcode = LLVMGetInstructionOpcode(i);
    LLVMValueRef built;
    if (LLVMIsABinaryOperator(i))
        return build_binary(v, i);
    if (LLVMIsACastInst(i)) {
        built =
            LLVMBuildCast(v->b, opcode, operand(v, i, 0), gcl_vector_type(v, LLVMTypeOf(i)), "");
        copy_flags(i, built);
        return built;
    }
    switch (opcode) {
    case LLVMICmp:
        return LLVMBuildICmp(v->b, LLVMGetICmpPredicate(i), operand(v, i, 0), operand(v, i, 1), "");
    case LLVMFCmp:
        built =
            LLVMBuildFCmp(v->b, LLVMGetFCmpPredicate(i), operand(v, i, 0), operand(v, i, 1), "");
        copy_flags(i, built);
        return built;
    case LLVMFNeg:
        built = LLVMBuildFNeg(v->b, operand(v, i, 0), "");
        copy_flags(i, built);
        return built;
    case LLVMFreeze:
        return LLVMBuildFreeze(v->b, operand(v, i, 0), "");
    case LLVMSelect:
        return build_select(v, i);
    case LLVMGetElementPtr:
        return build_address(v, i);
    case LLVMCall: // that is affine
        return build_elementwise(v, i, find_elementwise(gcl_intrinsic_callee(i)));
    default:
        return NULL;
    }
}

static bool widens_all(const struct gcl_vector *v, LLVMValueRef i) {
    (void)v;
    for (int n = 0; n < LLVMGetNumOperands(i); n++) {
        if (!gcl_vector_widens(LLVMTypeOf(LLVMGetOperand(i, (unsigned)n))))
            return false;
    }
    return gcl_vector_widens(LLVMTypeOf(i));
}

static void build_other(struct gcl_vector *v, LLVMValueRef i) {
    struct gcl_value_info info = gcl_vector_info(v, i);
    if (info.variance == GCL_VARIANCE_UNIFORM) {
        LLVMValueRef scalar = clone_scalar(v, i);
        if (gcl_vector_info(v, LLVMGetOperand(i, 0)).variance == GCL_VARIANCE_AFFINE)
            drop_promises(scalar);
        gcl_vector_define(v, i, (struct gcl_vector_value){.scalar = scalar});
        return;
    }
    if (info.variance == GCL_VARIANCE_AFFINE) {
        struct gcl_vector_value built = {.scalar = build_base(v, i)};
        if (info.has_y)
            built.y = build_y(v, i);
        gcl_vector_define(v, i, built);
        return;
    }
    LLVMValueRef built = widens_all(v, i) ? gcl_vector_build_lanes(v, i) : NULL;
    if (built)
        gcl_vector_define(v, i, (struct gcl_vector_value){.vector = built});
    else
        gcl_vector_one_by_one(v, i, "an operation on whole structures or vectors");
}

void gcl_vector_instruction(struct gcl_vector *v, LLVMValueRef i) {
    switch (LLVMGetInstructionOpcode(i)) {
    case LLVMPHI: // its slot has been set on the way here
        break;
    case LLVMAlloca:
        gcl_vector_define(v, i, build_alloca(v, i));
        break;
    case LLVMLoad:
        gcl_vector_load(v, i);
        break;
    case LLVMStore:
        gcl_vector_store(v, i);
        break;
    case LLVMAtomicRMW:
    case LLVMAtomicCmpXchg:
        gcl_vector_atomic(v, i);
        break;
    case LLVMFence:
        gcl_shim_drop_metadata(LLVMBuildFence(v->b, LLVMGetOrdering(i), 0, ""));
        break;
    case LLVMCall:
        build_call(v, i);
        break;
    default:
        build_other(v, i);
    }
}
