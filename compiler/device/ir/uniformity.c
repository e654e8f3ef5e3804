// An optimistic data-flow analysis: every value starts unknown and only ever gets less regular,
// until nothing changes. Where lanes part ways at a branch, the phis at which their paths meet
// again diverge, and so does whatever leaves a loop that lanes leave at different times.
#include "device/ir/uniformity.h"

#include <assert.h>
#include <string.h>

#include "device/ir/cfg.h"
#include "device/ir/intrinsics.h"
#include "device/ir/module.h"

static const struct gcl_value_info uniform = {.variance = GCL_VARIANCE_UNIFORM};

static struct gcl_value_info divergent(LLVMValueRef why) {
    return (struct gcl_value_info){.variance = GCL_VARIANCE_DIVERGENT, .why = why};
}

static struct gcl_value_info affine(int64_t x_stride, bool has_y, unsigned aligned) {
    if (x_stride == 0 && !has_y)
        return (struct gcl_value_info){.variance = GCL_VARIANCE_UNIFORM, .aligned = aligned};
    return (struct gcl_value_info){
        .variance = GCL_VARIANCE_AFFINE, .x_stride = x_stride, .has_y = has_y, .aligned = aligned};
}

static unsigned log2_of(uint64_t power) {
    return (unsigned)__builtin_ctzll(power);
}

static unsigned alignment_of(LLVMValueRef constant) {
    uint64_t value = LLVMIsAConstantInt(constant) ? LLVMConstIntGetZExtValue(constant) : 1;
    return value ? log2_of(value) : 63;
}

// How many of a constant's lowest bits are 1.
static unsigned ones_of(LLVMValueRef constant) {
    uint64_t next = LLVMConstIntGetZExtValue(constant) + 1;
    return next ? log2_of(next) : 63;
}

// Threads: 0 to 2 are x, y, z; 3 is the number in the block.
static struct gcl_value_info thread_info(const struct gcl_uniformity *u, unsigned which,
                                         LLVMValueRef value) {
    const struct gcl_lane_geometry *g = &u->geometry;
    assert(which < 4);
    unsigned aligned = g->lanes ? log2_of(g->lanes) : 0;
    bool by_row = g->kind == GCL_GEOMETRY_ROW, by_rows = g->kind == GCL_GEOMETRY_ROWS;
    switch (which) {
    case 0:
        if (g->kind == GCL_GEOMETRY_ANY)
            return divergent(value);
        return affine(1, false, by_rows ? 63 : by_row ? aligned : 0);
    case 1:
        return by_row ? uniform : by_rows ? affine(0, true, 0) : divergent(value);
    case 2:
        return by_row || by_rows ? uniform : divergent(value);
    default:
        return g->kind == GCL_GEOMETRY_BLOCK ? divergent(value)
                                             : affine(1, by_rows, g->linear ? aligned : 0);
    }
}

struct gcl_value_info gcl_uniformity_of(const struct gcl_uniformity *u, LLVMValueRef value) {
    for (unsigned t = 0; t < 4; t++) {
        if (value == u->thread[t])
            return thread_info(u, t, value);
    }
    if (!LLVMIsAInstruction(value))
        return (struct gcl_value_info){.variance = GCL_VARIANCE_UNIFORM,
                                       .aligned = alignment_of(value)};
    struct gcl_value_info *known = g_hash_table_lookup(u->values, value);
    return known ? *known : (struct gcl_value_info){.variance = GCL_VARIANCE_UNKNOWN};
}

static struct gcl_value_info operand_info(const struct gcl_uniformity *u, LLVMValueRef i,
                                          unsigned operand) {
    return gcl_uniformity_of(u, LLVMGetOperand(i, operand));
}

// What a value is on all paths that lead to it.
static struct gcl_value_info meet(struct gcl_value_info a, struct gcl_value_info b,
                                  LLVMValueRef why) {
    if (a.variance == GCL_VARIANCE_UNKNOWN)
        return b;
    if (b.variance == GCL_VARIANCE_UNKNOWN)
        return a;
    if (a.variance == GCL_VARIANCE_DIVERGENT || b.variance == GCL_VARIANCE_DIVERGENT ||
        a.x_stride != b.x_stride)
        return divergent(why);
    if (a.unsure || b.unsure)
        return divergent(why);
    return affine(a.x_stride, a.has_y || b.has_y, MIN(a.aligned, b.aligned));
}

// Assumptions.

// Whether `value` stands at the top of the function, before anything has an effect (vector/vector.c
// has moved it there).
static bool is_known_at_entry(const struct gcl_uniformity *u, LLVMValueRef value) {
    return LLVMIsAInstruction(value) && gcl_module_is_marked(u->m, value, "gcl.entry");
}

static bool assume(struct gcl_uniformity *u, LLVMValueRef value, bool is_unsigned) {
    if (!u->assumes || !is_known_at_entry(u, value))
        return false;
    for (guint i = 0; i < u->assumptions->len; i++) {
        struct gcl_uniformity_assumption *a =
            &g_array_index(u->assumptions, struct gcl_uniformity_assumption, i);
        if (a->value == value && a->is_unsigned == is_unsigned)
            return true;
    }
    struct gcl_uniformity_assumption new = {value, is_unsigned};
    g_array_append_val(u->assumptions, new);
    return true;
}

static bool is_exact(struct gcl_uniformity *u, GHashTable *seen, LLVMValueRef value);

static bool operands_are_exact(struct gcl_uniformity *u, GHashTable *seen, LLVMValueRef value) {
    for (int i = 0; i < LLVMGetNumOperands(value); i++) {
        if (!is_exact(u, seen, LLVMGetOperand(value, (unsigned)i)))
            return false;
    }
    return true;
}

// Whether base + strides is the value as a signed number, not only modulo its width. A phi is exact
// if what comes in is, supposing that it is: by induction over the iterations.
static bool is_exact(struct gcl_uniformity *u, GHashTable *seen, LLVMValueRef value) {
    struct gcl_value_info info = gcl_uniformity_of(u, value);
    if (info.variance != GCL_VARIANCE_AFFINE)
        return info.variance != GCL_VARIANCE_DIVERGENT;
    if (LLVMIsAArgument(value) || !g_hash_table_add(seen, value))
        return true; // the number of a thread is at most 1023
    switch (LLVMGetInstructionOpcode(value)) {
    case LLVMPHI:
    case LLVMSExt:
    case LLVMSelect:
    case LLVMFreeze:
        return operands_are_exact(u, seen, value) || assume(u, value, false);
    case LLVMAdd:
    case LLVMSub:
    case LLVMMul:
    case LLVMShl:
        return (LLVMGetNSW(value) && operands_are_exact(u, seen, value)) || assume(u, value, false);
    case LLVMCall:
        return true; // of a thread's number
    default:
        return assume(u, value, false);
    }
}

bool gcl_uniformity_keeps_sign(LLVMValueRef extension) {
    return LLVMIsASExtInst(extension) || LLVMGetNNeg(extension);
}

// Unsigned numbers wrap at 0, where lanes that a guard has put to sleep really are, so only what is
// checked counts.
static bool may_extend(struct gcl_uniformity *u, LLVMValueRef extension) {
    LLVMValueRef value = LLVMGetOperand(extension, 0);
    if (LLVMIsAArgument(value) || LLVMIsACallInst(value))
        return true;
    if (!gcl_uniformity_keeps_sign(extension))
        return assume(u, value, true);
    g_autoptr(GHashTable) seen = g_hash_table_new(g_direct_hash, g_direct_equal);
    return is_exact(u, seen, value);
}

// Instructions.

static int64_t wrapped(LLVMTypeRef type, int64_t stride) {
    if (LLVMGetTypeKind(type) != LLVMIntegerTypeKind || LLVMGetIntTypeWidth(type) >= 64)
        return stride;
    unsigned unused = 64 - LLVMGetIntTypeWidth(type);
    return (int64_t)((uint64_t)stride << unused) >> unused;
}

// Keeps strides in 32 bits, so that nothing overflows when they are multiplied by lanes.
static struct gcl_value_info checked(LLVMValueRef i, int64_t x_stride, bool has_y,
                                     unsigned aligned) {
    x_stride = wrapped(LLVMTypeOf(i), x_stride);
    if (x_stride < INT32_MIN || x_stride > INT32_MAX)
        return divergent(i);
    return affine(x_stride, has_y, aligned);
}

static struct gcl_value_info add_info(LLVMValueRef i, struct gcl_value_info a,
                                      struct gcl_value_info b, int sign) {
    return checked(i, a.x_stride + sign * b.x_stride, a.has_y || b.has_y,
                   MIN(a.aligned, b.aligned));
}

static struct gcl_value_info multiply_info(LLVMValueRef i, struct gcl_value_info a,
                                           struct gcl_value_info b) {
    LLVMValueRef factor = LLVMGetOperand(i, b.variance == GCL_VARIANCE_UNIFORM ? 1 : 0);
    struct gcl_value_info *v = b.variance == GCL_VARIANCE_UNIFORM ? &a : &b;
    unsigned aligned = MIN(a.aligned + b.aligned, 63u);
    if (a.variance == GCL_VARIANCE_AFFINE && b.variance == GCL_VARIANCE_AFFINE)
        return divergent(i);
    if (v->x_stride == 0)
        return affine(0, v->has_y, aligned);
    if (!LLVMIsAConstantInt(factor) || LLVMGetIntTypeWidth(LLVMTypeOf(factor)) > 64)
        return divergent(i);
    int64_t by = LLVMConstIntGetSExtValue(factor);
    if (by < INT32_MIN || by > INT32_MAX)
        return divergent(i);
    return checked(i, v->x_stride * by, v->has_y, aligned);
}

static struct gcl_value_info shift_info(LLVMValueRef i, struct gcl_value_info a) {
    LLVMValueRef amount = LLVMGetOperand(i, 1);
    if (!LLVMIsAConstantInt(amount) || LLVMConstIntGetZExtValue(amount) > 31)
        return divergent(i);
    unsigned by = (unsigned)LLVMConstIntGetZExtValue(amount);
    return checked(i, a.x_stride * ((int64_t)1 << by), a.has_y, MIN(a.aligned + by, 63u));
}

bool gcl_uniformity_splits(const struct gcl_uniformity *u, LLVMValueRef i, uint64_t *power) {
    LLVMOpcode opcode = LLVMGetInstructionOpcode(i);
    LLVMValueRef constant = LLVMGetOperand(i, 1);
    struct gcl_value_info a = operand_info(u, i, 0);
    if (!LLVMIsAConstantInt(constant) || a.variance != GCL_VARIANCE_AFFINE || a.x_stride != 1 ||
        a.unsure || a.has_y || !u->geometry.lanes || u->geometry.kind == GCL_GEOMETRY_ROWS ||
        a.aligned < log2_of(u->geometry.lanes))
        return false;
    uint64_t value = LLVMConstIntGetZExtValue(constant);
    if (opcode == LLVMAnd)
        value++;
    else if (opcode == LLVMLShr)
        value = value < 32 ? (uint64_t)1 << value : 0;
    *power = value;
    return value && !(value & (value - 1)) && value <= UINT32_MAX;
}

static struct gcl_value_info first_not_uniform(const struct gcl_uniformity *u, LLVMValueRef i) {
    for (int n = 0; n < LLVMGetNumOperands(i); n++) {
        LLVMValueRef operand = LLVMGetOperand(i, (unsigned)n);
        if (LLVMValueIsBasicBlock(operand) ||
            gcl_uniformity_of(u, operand).variance <= GCL_VARIANCE_UNIFORM)
            continue;
        return divergent(operand);
    }
    return uniform;
}

// Whether a constant can be what a number that counts lanes is taken apart by, all lanes alike.
static bool may_be_row(const struct gcl_uniformity *u, LLVMOpcode opcode, LLVMValueRef constant) {
    uint64_t value = LLVMConstIntGetZExtValue(constant), low = value & (u->geometry.lanes - 1);
    switch (opcode) {
    case LLVMAnd:
        return low == u->geometry.lanes - 1;
    case LLVMXor:
    case LLVMOr:
        return low == 0;
    case LLVMLShr:
        return value < 32 && (uint64_t)1 << value >= u->geometry.lanes;
    default:
        return value >= u->geometry.lanes;
    }
}

unsigned gcl_uniformity_number(const struct gcl_uniformity *u, LLVMValueRef i) {
    LLVMOpcode opcode = LLVMGetInstructionOpcode(i);
    bool commutes = opcode == LLVMAnd || opcode == LLVMXor || opcode == LLVMOr;
    return commutes && operand_info(u, i, 0).variance == GCL_VARIANCE_UNIFORM;
}

bool gcl_uniformity_is_row(const struct gcl_uniformity *u, LLVMValueRef i) {
    if (!LLVMIsABinaryOperator(i))
        return false;
    LLVMOpcode opcode = LLVMGetInstructionOpcode(i);
    unsigned number = gcl_uniformity_number(u, i);
    LLVMValueRef by = LLVMGetOperand(i, 1 - number);
    struct gcl_value_info a = operand_info(u, i, number);
    bool counts = u->assumes && u->geometry.kind == GCL_GEOMETRY_ROW &&
                  a.variance == GCL_VARIANCE_AFFINE && a.x_stride == 1 && !a.unsure &&
                  gcl_uniformity_of(u, by).variance == GCL_VARIANCE_UNIFORM;
    bool takes_apart = opcode == LLVMUDiv || opcode == LLVMSDiv || opcode == LLVMURem ||
                       opcode == LLVMSRem || opcode == LLVMLShr || opcode == LLVMAnd ||
                       opcode == LLVMXor || opcode == LLVMOr;
    return counts && takes_apart && LLVMGetIntTypeWidth(LLVMTypeOf(i)) >= 32 &&
           (!LLVMIsAConstant(by) || (LLVMIsAConstantInt(by) && may_be_row(u, opcode, by)));
}

// The row or the place in it of numbers that count the lanes, if all are in one row.
static struct gcl_value_info row_info(const struct gcl_uniformity *u, LLVMValueRef i) {
    LLVMOpcode opcode = LLVMGetInstructionOpcode(i);
    bool is_row = opcode == LLVMUDiv || opcode == LLVMSDiv || opcode == LLVMLShr;
    if (!gcl_uniformity_is_row(u, i))
        return divergent(first_not_uniform(u, i).why);
    return (struct gcl_value_info){
        .variance = GCL_VARIANCE_AFFINE, .x_stride = is_row ? 0 : 1, .unsure = true};
}

// a & (2^k - 1), a % 2^k, a >> k and a / 2^k of unsigned numbers that count the lanes.
static struct gcl_value_info split_info(const struct gcl_uniformity *u, LLVMValueRef i) {
    LLVMOpcode opcode = LLVMGetInstructionOpcode(i);
    bool is_rest = opcode == LLVMAnd || opcode == LLVMURem;
    uint64_t power;
    if (!gcl_uniformity_splits(u, i, &power) || power < u->geometry.lanes)
        return row_info(u, i);
    return is_rest ? affine(1, false, operand_info(u, i, 0).aligned) : uniform;
}

static struct gcl_value_info address_info(const struct gcl_uniformity *u, LLVMValueRef i) {
    struct gcl_value_info result = operand_info(u, i, 0);
    LLVMTypeRef type = LLVMGetGEPSourceElementType(i);
    for (int n = 1; n < LLVMGetNumOperands(i); n++) {
        LLVMValueRef index = LLVMGetOperand(i, (unsigned)n);
        struct gcl_value_info info = gcl_uniformity_of(u, index);
        if (n > 1 && LLVMGetTypeKind(type) == LLVMStructTypeKind) {
            type = LLVMStructGetTypeAtIndex(type, (unsigned)LLVMConstIntGetZExtValue(index));
            continue;
        }
        if (n > 1)
            type = LLVMGetElementType(type);
        int64_t size = (int64_t)LLVMABISizeOfType(u->m->layout, type);
        bool is_wide = LLVMGetIntTypeWidth(LLVMTypeOf(index)) == 64;
        if (info.variance == GCL_VARIANCE_AFFINE && (!is_wide || size > INT32_MAX))
            return divergent(i);
        result.x_stride += info.x_stride * size;
        result.has_y |= info.has_y;
    }
    return checked(i, result.x_stride, result.has_y, 0);
}

static bool is_pure(LLVMValueRef function) {
    unsigned kind = LLVMGetEnumAttributeKindForName("memory", 6);
    LLVMAttributeRef memory =
        LLVMGetEnumAttributeAtIndex(function, (unsigned)LLVMAttributeFunctionIndex, kind);
    return memory && LLVMGetEnumAttributeValue(memory) == 0;
}

static struct gcl_value_info intrinsic_info(const struct gcl_uniformity *u, LLVMValueRef call,
                                            const struct gcl_intrinsic *intrinsic) {
    bool lanes = u->geometry.kind != GCL_GEOMETRY_BLOCK;
    if (intrinsic->kind == GCL_INTRINSIC_THREAD)
        return thread_info(u, intrinsic->axis, call);
    if (intrinsic->kind != GCL_INTRINSIC_CUT)
        return uniform;
    bool is_common = intrinsic->cut == GCL_CUT_WARP_BALLOT || intrinsic->cut == GCL_CUT_WARP_REDUCE;
    return lanes && is_common && operand_info(u, call, 0).variance == GCL_VARIANCE_UNIFORM
               ? uniform
               : divergent(call);
}

static bool is_extreme(LLVMValueRef i) {
    static const char *const names[] = {"llvm.smax.", "llvm.smin.", "llvm.umax.", "llvm.umin."};
    for (size_t n = 0; n < G_N_ELEMENTS(names); n++) {
        if (g_str_has_prefix(gcl_intrinsic_callee(i), names[n]))
            return true;
    }
    return false;
}

int gcl_uniformity_assumed(const struct gcl_uniformity *u, LLVMValueRef i) {
    bool selects = LLVMIsASelectInst(i) != NULL;
    if (!u->assumes || u->geometry.kind == GCL_GEOMETRY_BLOCK || (!selects && !is_extreme(i)) ||
        LLVMGetTypeKind(LLVMTypeOf(i)) != LLVMIntegerTypeKind ||
        LLVMGetIntTypeWidth(LLVMTypeOf(i)) < 32)
        return -1;
    if (selects && operand_info(u, i, 0).variance == GCL_VARIANCE_UNIFORM)
        return -1;
    for (int n = 1; n >= 0; n--) {
        unsigned operand = (unsigned)(selects ? n + 1 : n);
        if (operand_info(u, i, operand).variance == GCL_VARIANCE_AFFINE)
            return (int)operand;
    }
    return -1;
}

// What is kept within bounds is mostly inside.
static struct gcl_value_info bounded_info(const struct gcl_uniformity *u, LLVMValueRef i,
                                          LLVMValueRef why) {
    int assumed = gcl_uniformity_assumed(u, i);
    for (int n = 0; n < LLVMGetNumOperands(i); n++) {
        if (operand_info(u, i, (unsigned)n).variance == GCL_VARIANCE_UNKNOWN)
            return (struct gcl_value_info){.variance = GCL_VARIANCE_UNKNOWN};
    }
    if (assumed < 0)
        return divergent(why);
    struct gcl_value_info info = operand_info(u, i, (unsigned)assumed);
    info.unsure = true;
    info.aligned = 0;
    return info;
}

static struct gcl_value_info call_info(const struct gcl_uniformity *u, LLVMValueRef call) {
    const struct gcl_intrinsic *intrinsic = gcl_intrinsic_find(call);
    LLVMValueRef callee = LLVMGetCalledValue(call);
    if (intrinsic)
        return intrinsic_info(u, call, intrinsic);
    if (strcmp(gcl_intrinsic_callee(call), "__gcl_cut_result") == 0)
        return uniform; // a kernel that is analysed before it is cut has only barriers
    if (!LLVMIsAFunction(callee) || !is_pure(callee))
        return divergent(call);
    struct gcl_value_info info = first_not_uniform(u, call);
    return info.variance == GCL_VARIANCE_DIVERGENT && is_extreme(call)
               ? bounded_info(u, call, info.why)
               : info;
}

static bool is_racy(LLVMValueRef load) {
    return LLVMGetVolatile(load) || LLVMGetOrdering(load) != LLVMAtomicOrderingNotAtomic;
}

static struct gcl_value_info load_info(const struct gcl_uniformity *u, LLVMValueRef load) {
    struct gcl_value_info address = operand_info(u, load, 0);
    if (u->geometry.kind == GCL_GEOMETRY_BLOCK && is_racy(load))
        return divergent(load);
    return address.variance == GCL_VARIANCE_UNIFORM ? uniform : divergent(load);
}

static struct gcl_value_info select_info(const struct gcl_uniformity *u, LLVMValueRef i) {
    if (operand_info(u, i, 0).variance != GCL_VARIANCE_UNIFORM)
        return bounded_info(u, i, LLVMGetOperand(i, 0));
    return meet(operand_info(u, i, 1), operand_info(u, i, 2), i);
}

static struct gcl_value_info alloca_info(const struct gcl_uniformity *u, LLVMValueRef i) {
    uint64_t count = LLVMConstIntGetZExtValue(LLVMGetOperand(i, 0));
    uint64_t size = count * LLVMABISizeOfType(u->m->layout, LLVMGetAllocatedType(i));
    if (u->geometry.kind == GCL_GEOMETRY_BLOCK || size > INT32_MAX)
        return divergent(i);
    return affine((int64_t)size, u->geometry.kind == GCL_GEOMETRY_ROWS, 0);
}

// Whether `i` compares the operand `number`, which follows the lanes, with a bound that lies
// between vectors: of the number's bits all lanes share those from some place on, and the bound has
// none below it. `t < 32` is such, for vectors of up to 32 threads.
static bool is_between_vectors(const struct gcl_uniformity *u, LLVMValueRef i, unsigned number) {
    LLVMValueRef bound = LLVMGetOperand(i, 1 - number);
    LLVMTypeRef type = LLVMTypeOf(bound);
    LLVMIntPredicate predicate = LLVMGetICmpPredicate(i);
    struct gcl_value_info v = operand_info(u, i, number), by = gcl_uniformity_of(u, bound);
    if (v.variance != GCL_VARIANCE_AFFINE || by.variance != GCL_VARIANCE_UNIFORM || v.has_y ||
        v.unsure || v.x_stride < 0 || !u->geometry.lanes || predicate == LLVMIntEQ ||
        predicate == LLVMIntNE || LLVMGetTypeKind(type) != LLVMIntegerTypeKind)
        return false;
    bool is_less = predicate == LLVMIntULT || predicate == LLVMIntULE || predicate == LLVMIntSLT ||
                   predicate == LLVMIntSLE;
    bool is_strict = predicate == LLVMIntULT || predicate == LLVMIntSLT ||
                     predicate == LLVMIntUGT || predicate == LLVMIntSGT;
    bool is_first_beyond = (is_less == is_strict) == (number == 0); // v < bound, or v >= bound
    if (!is_first_beyond && !LLVMIsAConstantInt(bound))
        return false;
    unsigned aligned = is_first_beyond ? by.aligned : ones_of(bound),
             width = LLVMGetIntTypeWidth(type);
    unsigned shared = MIN(MIN(v.aligned, aligned), MIN(width, 32) - 1);
    return v.x_stride * (int64_t)(u->geometry.lanes - 1) < (int64_t)1 << shared;
}

// What two values that follow the lanes alike are to each other, they are in all lanes.
static struct gcl_value_info comparison_info(struct gcl_uniformity *u, LLVMValueRef i) {
    struct gcl_value_info a = operand_info(u, i, 0), b = operand_info(u, i, 1);
    LLVMIntPredicate predicate = LLVMGetICmpPredicate(i);
    g_autoptr(GHashTable) seen = g_hash_table_new(g_direct_hash, g_direct_equal);
    if (is_between_vectors(u, i, 0) || is_between_vectors(u, i, 1))
        return uniform;
    if (a.variance != b.variance || a.x_stride != b.x_stride || a.has_y || b.has_y || a.unsure ||
        b.unsure)
        return divergent(LLVMGetOperand(i, a.variance == GCL_VARIANCE_UNIFORM));
    bool wraps_alike = predicate == LLVMIntEQ || predicate == LLVMIntNE;
    bool is_signed = predicate >= LLVMIntSGT && predicate <= LLVMIntSLE &&
                     LLVMGetTypeKind(LLVMTypeOf(LLVMGetOperand(i, 0))) == LLVMIntegerTypeKind;
    if (wraps_alike || (is_signed && operands_are_exact(u, seen, i)))
        return uniform;
    return divergent(LLVMGetOperand(i, 0));
}

// Instructions of which some operand isn't uniform, and none is unknown or divergent.
static struct gcl_value_info sure_info(struct gcl_uniformity *u, LLVMValueRef i) {
    struct gcl_value_info a = operand_info(u, i, 0);
    switch (LLVMGetInstructionOpcode(i)) {
    case LLVMAdd:
        return add_info(i, a, operand_info(u, i, 1), 1);
    case LLVMSub:
        return add_info(i, a, operand_info(u, i, 1), -1);
    case LLVMOr:
        return LLVMGetIsDisjoint(i) ? add_info(i, a, operand_info(u, i, 1), 1) : row_info(u, i);
    case LLVMXor:
    case LLVMSDiv:
    case LLVMSRem:
        return row_info(u, i);
    case LLVMMul:
        return multiply_info(i, a, operand_info(u, i, 1));
    case LLVMShl:
        return shift_info(i, a);
    case LLVMAnd:
    case LLVMURem:
    case LLVMLShr:
    case LLVMUDiv:
        return split_info(u, i);
    case LLVMTrunc:
        if (LLVMGetIntTypeWidth(LLVMTypeOf(i)) < 32)
            return divergent(i);
        return checked(i, a.x_stride, a.has_y, a.aligned);
    case LLVMZExt:
    case LLVMSExt:
        a.unsure = a.unsure || !may_extend(u, i);
        return a.unsure && u->geometry.kind == GCL_GEOMETRY_BLOCK ? divergent(i) : a;
    case LLVMPtrToInt:
    case LLVMIntToPtr:
        return checked(i, a.x_stride, a.has_y, 0);
    case LLVMFreeze:
        return a;
    case LLVMGetElementPtr:
        return address_info(u, i);
    case LLVMICmp:
        return comparison_info(u, i);
    default:
        return divergent(first_not_uniform(u, i).why);
    }
}

bool gcl_uniformity_is_doubt(const struct gcl_uniformity *u, LLVMValueRef value) {
    return gcl_uniformity_of(u, value).unsure &&
           (LLVMIsAZExtInst(value) || LLVMIsASExtInst(value) || gcl_uniformity_is_row(u, value) ||
            gcl_uniformity_assumed(u, value) >= 0);
}

bool gcl_uniformity_passes_on(LLVMValueRef i) {
    switch (LLVMGetInstructionOpcode(i)) {
    case LLVMAdd:
    case LLVMSub:
    case LLVMMul:
    case LLVMShl:
    case LLVMTrunc:
    case LLVMZExt:
    case LLVMSExt:
    case LLVMGetElementPtr:
        return true;
    default:
        return false;
    }
}

// Doubt goes on to sums, multiples and addresses; whatever else is made of it is divergent.
static struct gcl_value_info affine_info(struct gcl_uniformity *u, LLVMValueRef i) {
    bool is_wide = LLVMGetTypeKind(LLVMTypeOf(i)) == LLVMIntegerTypeKind &&
                   LLVMGetIntTypeWidth(LLVMTypeOf(i)) > 64;
    if (is_wide) // no vector's element
        return divergent(i);
    struct gcl_value_info result = sure_info(u, i);
    bool unsure = false;
    for (int n = 0; n < LLVMGetNumOperands(i); n++)
        unsure |= operand_info(u, i, (unsigned)n).unsure;
    if (!unsure || result.variance == GCL_VARIANCE_DIVERGENT)
        return result;
    if (!gcl_uniformity_passes_on(i))
        return divergent(i);
    result.variance = GCL_VARIANCE_AFFINE;
    result.unsure = true;
    return result;
}

static unsigned uniform_alignment(const struct gcl_uniformity *u, LLVMValueRef i) {
    switch (LLVMGetInstructionOpcode(i)) {
    case LLVMAdd:
    case LLVMSub:
        return MIN(operand_info(u, i, 0).aligned, operand_info(u, i, 1).aligned);
    case LLVMMul:
        return MIN(operand_info(u, i, 0).aligned + operand_info(u, i, 1).aligned, 63u);
    default:
        return 0;
    }
}

static struct gcl_value_info other_info(struct gcl_uniformity *u, LLVMValueRef i) {
    bool is_affine = false;
    for (int n = 0; n < LLVMGetNumOperands(i); n++) {
        struct gcl_value_info info = operand_info(u, i, (unsigned)n);
        if (info.variance == GCL_VARIANCE_UNKNOWN)
            return info;
        if (info.variance == GCL_VARIANCE_DIVERGENT)
            return divergent(LLVMGetOperand(i, (unsigned)n));
        is_affine |= info.variance == GCL_VARIANCE_AFFINE;
    }
    if (is_affine)
        return affine_info(u, i);
    return (struct gcl_value_info){.variance = GCL_VARIANCE_UNIFORM,
                                   .aligned = uniform_alignment(u, i)};
}

static struct gcl_value_info info_of(struct gcl_uniformity *u, LLVMValueRef i) {
    switch (LLVMGetInstructionOpcode(i)) {
    case LLVMLoad:
        return load_info(u, i);
    case LLVMCall:
        return call_info(u, i);
    case LLVMAlloca:
        return alloca_info(u, i);
    case LLVMSelect:
        return select_info(u, i);
    case LLVMAtomicRMW:
    case LLVMAtomicCmpXchg:
        return divergent(i);
    default:
        return other_info(u, i);
    }
}

// Control flow.

struct joins {
    LLVMValueRef *why; ///< per block: the branch whose lanes meet there again, NULL
};

// Lanes that part at `from` meet where paths with different first blocks do.
static void find_joins(const struct gcl_uniformity *u, int from, struct joins *joins) {
    const struct gcl_cfg *cfg = u->cfg;
    g_autofree int *label = g_new(int, cfg->count);
    LLVMValueRef branch = LLVMGetBasicBlockTerminator(cfg->blocks[from].block);
    int end = cfg->blocks[from].postdominator;
    for (int b = 0; b < cfg->count; b++)
        label[b] = GCL_NOWHERE;
    for (int b = from + 1; b < cfg->count; b++) {
        const struct gcl_cfg_block *block = &cfg->blocks[b];
        for (int p = 0; p < block->predecessor_count; p++) {
            int before = block->predecessors[p];
            int found = before == from ? b : before < b ? label[before] : GCL_NOWHERE;
            if (found == GCL_NOWHERE || (before != from && before == end))
                continue;
            if (label[b] != GCL_NOWHERE && label[b] != found) {
                joins->why[b] = branch;
                found = b;
            }
            label[b] = found;
        }
        if (b == end)
            return;
    }
}

static void part_ways(struct gcl_uniformity *u, int b, struct joins *joins) {
    const struct gcl_cfg *cfg = u->cfg;
    int end = cfg->blocks[b].postdominator;
    u->branches[b] = true;
    find_joins(u, b, joins);
    for (int l = cfg->blocks[b].loop;
         l != GCL_NOWHERE && (end == GCL_NOWHERE || !gcl_cfg_in_loop(cfg, end, l));
         l = cfg->loops[l].parent) {
        u->divergent_loops[l] = true;
        if (cfg->loops[l].exit != GCL_NOWHERE)
            joins->why[cfg->loops[l].exit] = LLVMGetBasicBlockTerminator(cfg->blocks[b].block);
    }
}

static struct gcl_value_info phi_info(struct gcl_uniformity *u, LLVMValueRef phi,
                                      LLVMValueRef join) {
    struct gcl_value_info result = {.variance = GCL_VARIANCE_UNKNOWN};
    if (join)
        return divergent(join);
    for (unsigned n = 0; n < LLVMCountIncoming(phi); n++)
        result = meet(result, gcl_uniformity_of(u, LLVMGetIncomingValue(phi, n)), phi);
    return result.unsure ? divergent(phi) : result;
}

static bool update(struct gcl_uniformity *u, LLVMValueRef i, LLVMValueRef join) {
    struct gcl_value_info info = LLVMIsAPHINode(i) ? phi_info(u, i, join) : info_of(u, i), *known;
    known = g_hash_table_lookup(u->values, i);
    if (!known) {
        known = g_new0(struct gcl_value_info, 1);
        g_hash_table_insert(u->values, i, known);
    }
    // A value whose reason alone changes is settled; else two reasons could take turns.
    bool same = known->variance == info.variance &&
                (info.variance == GCL_VARIANCE_DIVERGENT ||
                 (known->x_stride == info.x_stride && known->has_y == info.has_y &&
                  known->unsure == info.unsure && known->aligned == info.aligned));
    // The analysis ends because values only go down the lattice.
    assert(info.variance >= known->variance);
    assert(info.variance == GCL_VARIANCE_AFFINE || (info.x_stride == 0 && !info.has_y));
    if (!same)
        *known = info;
    return !same;
}

static bool update_block(struct gcl_uniformity *u, int b, struct joins *joins) {
    LLVMBasicBlockRef block = u->cfg->blocks[b].block;
    LLVMValueRef end = LLVMGetBasicBlockTerminator(block);
    bool changed = false;
    for (LLVMValueRef i = LLVMGetFirstInstruction(block); i != end; i = LLVMGetNextInstruction(i)) {
        if (LLVMGetTypeKind(LLVMTypeOf(i)) != LLVMVoidTypeKind)
            changed |= update(u, i, joins->why[b]);
    }
    if (!u->branches[b] && LLVMGetNumSuccessors(end) == 2 &&
        u->cfg->blocks[b].successors[0] != u->cfg->blocks[b].successors[1] &&
        gcl_uniformity_of(u, LLVMGetCondition(end)).variance > GCL_VARIANCE_UNIFORM) {
        part_ways(u, b, joins);
        changed = true;
    }
    return changed;
}

// Assumptions are collected when everything is settled: what was asked for on the way may have
// become divergent.
static void analyse(struct gcl_uniformity *u) {
    struct joins joins = {.why = g_new0(LLVMValueRef, u->cfg->count)};
    for (bool changed = true; changed;) {
        changed = false;
        for (int b = 0; b < u->cfg->count; b++)
            changed |= update_block(u, b, &joins);
    }
    g_array_set_size(u->assumptions, 0);
    for (int b = 0; b < u->cfg->count; b++)
        update_block(u, b, &joins);
    g_free(joins.why);
}

struct gcl_uniformity *gcl_uniformity_create(struct gcl_module *m, LLVMValueRef function,
                                             const struct gcl_cfg *cfg,
                                             struct gcl_lane_geometry geometry,
                                             const LLVMValueRef thread[4], bool assumes) {
    struct gcl_uniformity *u = g_new0(struct gcl_uniformity, 1);
    assert(geometry.kind == GCL_GEOMETRY_BLOCK ||
           (geometry.row > 0 && geometry.lanes % geometry.row == 0));
    assert(geometry.kind == GCL_GEOMETRY_ROWS || geometry.row == geometry.lanes ||
           geometry.kind == GCL_GEOMETRY_BLOCK);
    assert(LLVMGetBasicBlockParent(cfg->blocks[0].block) == function);
    u->m = m;
    u->geometry = geometry;
    u->cfg = cfg;
    u->function = function;
    u->assumes = assumes;
    if (thread)
        memcpy(u->thread, thread, sizeof u->thread);
    u->branches = g_new0(bool, cfg->count);
    u->divergent_loops = g_new0(bool, cfg->loop_count + 1);
    u->values = g_hash_table_new_full(g_direct_hash, g_direct_equal, NULL, g_free);
    u->assumptions = g_array_new(FALSE, FALSE, sizeof(struct gcl_uniformity_assumption));
    analyse(u);
    return u;
}

void gcl_uniformity_destroy(struct gcl_uniformity *u) {
    if (!u)
        return;
    g_free(u->branches);
    g_free(u->divergent_loops);
    g_hash_table_destroy(u->values);
    g_array_free(u->assumptions, TRUE);
    g_free(u);
}
