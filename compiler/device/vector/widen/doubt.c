// Doubt: an address that is linear over the lanes unless an integer that it is made from wraps, or
// they are in several rows. Then there are two ways of an access, and what either of them builds
// isn't known behind.
#include "device/vector/widen/doubt.h"

#include <assert.h>

#include "device/ir/uniformity.h"
#include "device/vector/widen/assume.h"
#include "device/vector/widen/mask.h"
#include "device/vector/widen/value.h"

// An i1: numbers from `first` to `last`, which division `opcode` takes apart, ascend, and none is
// below 0.
static LLVMValueRef ascends(struct gcl_vector *v, LLVMOpcode opcode, LLVMValueRef first,
                            LLVMValueRef last, LLVMValueRef by) {
    if (opcode != LLVMSDiv && opcode != LLVMSRem)
        return LLVMBuildICmp(v->b, LLVMIntUGE, last, first, "");
    LLVMValueRef either = LLVMBuildOr(v->b, LLVMBuildOr(v->b, first, last, ""), by, "");
    return LLVMBuildICmp(v->b, LLVMIntSGE, either, LLVMConstNull(LLVMTypeOf(either)), "");
}

// An i1: all lanes are in one row of what instruction `i` takes apart.
static LLVMValueRef is_one_row(struct gcl_vector *v, LLVMValueRef i) {
    LLVMTypeRef type = LLVMTypeOf(i);
    LLVMOpcode opcode = LLVMGetInstructionOpcode(i);
    unsigned number = gcl_uniformity_number(v->u, i);
    LLVMValueRef first = gcl_vector_scalar(v, LLVMGetOperand(i, number));
    LLVMValueRef by = gcl_vector_scalar(v, LLVMGetOperand(i, 1 - number));
    LLVMValueRef rest = LLVMConstInt(type, v->lanes - 1, 0), zero = LLVMConstNull(type);
    if (opcode == LLVMAnd || opcode == LLVMXor || opcode == LLVMOr) {
        LLVMValueRef low = LLVMBuildAnd(v->b, by, rest, "");
        if (opcode == LLVMAnd)
            low = LLVMBuildXor(v->b, low, rest, "");
        low = LLVMBuildOr(v->b, low, LLVMBuildAnd(v->b, first, rest, ""), "");
        return LLVMBuildICmp(v->b, LLVMIntEQ, low, zero, "");
    }
    if (opcode == LLVMLShr)
        by = LLVMBuildShl(v->b, LLVMConstInt(type, 1, 0), by, "");
    LLVMValueRef most = LLVMBuildSub(v->b, by, rest, ""); // the last place with room for all
    LLVMValueRef place = LLVMBuildURem(v->b, first, by, "");
    LLVMValueRef fits = LLVMBuildAnd(v->b, LLVMBuildICmp(v->b, LLVMIntUGT, by, rest, ""),
                                     LLVMBuildICmp(v->b, LLVMIntULT, place, most, ""), "");
    LLVMValueRef last = LLVMBuildAdd(v->b, first, rest, "");
    return LLVMBuildAnd(v->b, fits, ascends(v, opcode, first, last, by), "");
}

// An i1: select, minimum or maximum `i` is operand `assumed` for all lanes.
static LLVMValueRef is_inside(struct gcl_vector *v, LLVMValueRef i, unsigned assumed) {
    LLVMValueRef differs;
    if (LLVMIsASelectInst(i))
        differs =
            gcl_vector_narrow(v, v->mask, gcl_vector_lanes(v, LLVMGetOperand(i, 0)), assumed == 2);
    else
        differs =
            gcl_vector_narrow(v, v->mask,
                              LLVMBuildICmp(v->b, LLVMIntNE, gcl_vector_lanes(v, i),
                                            gcl_vector_lanes(v, LLVMGetOperand(i, assumed)), ""),
                              true);
    return LLVMBuildNot(v->b, gcl_vector_any(v, differs), "");
}

// An i1: an address that is unsure is linear.
static LLVMValueRef is_sure(struct gcl_vector *v, LLVMValueRef value) {
    LLVMValueRef all = LLVMConstInt(LLVMInt1TypeInContext(v->m->context), 1, 0);
    int assumed = gcl_uniformity_assumed(v->u, value);
    if (gcl_uniformity_is_row(v->u, value))
        return is_one_row(v, value);
    if (assumed >= 0)
        all = is_inside(v, value, (unsigned)assumed);
    else if (gcl_uniformity_is_doubt(v->u, value))
        all = gcl_vector_is_linear(v, LLVMGetOperand(value, 0), !gcl_uniformity_keeps_sign(value));
    for (int n = 0; n < LLVMGetNumOperands(value); n++) {
        LLVMValueRef operand = LLVMGetOperand(value, (unsigned)n);
        if (gcl_vector_info(v, operand).unsure && (assumed < 0 || n == assumed))
            all = LLVMBuildAnd(v->b, all, is_sure(v, operand), "");
    }
    return all;
}

// An i1: each `part` lanes are in one row of what instruction `i` takes apart, and in order there,
// because both begin at multiples of `part`.
static LLVMValueRef is_row_of_part(struct gcl_vector *v, LLVMValueRef i, unsigned part) {
    LLVMTypeRef type = LLVMTypeOf(i);
    LLVMOpcode opcode = LLVMGetInstructionOpcode(i);
    unsigned number = gcl_uniformity_number(v->u, i);
    LLVMValueRef first = gcl_vector_scalar(v, LLVMGetOperand(i, number));
    LLVMValueRef by = gcl_vector_scalar(v, LLVMGetOperand(i, 1 - number));
    LLVMValueRef most = LLVMConstInt(type, v->lanes - 1, 0), zero = LLVMConstNull(type);
    LLVMValueRef last = LLVMBuildAdd(v->b, first, most, "");
    LLVMValueRef in_order = ascends(v, opcode, first, last, by);
    if (opcode == LLVMLShr)
        by = LLVMBuildShl(v->b, LLVMConstInt(type, 1, 0), by, "");
    if (opcode == LLVMAnd)
        by = LLVMBuildNot(v->b, by, "");
    LLVMValueRef low =
        LLVMBuildAnd(v->b, LLVMBuildOr(v->b, first, by, ""), LLVMConstInt(type, part - 1, 0), "");
    return LLVMBuildAnd(v->b, in_order, LLVMBuildICmp(v->b, LLVMIntEQ, low, zero, ""), "");
}

// How what lanes have is read: as what it is modulo its width, or as a number.
enum reading { MODULO, SIGNED, UNSIGNED };

static bool is_exact(LLVMValueRef i, enum reading reading) {
    switch (LLVMGetInstructionOpcode(i)) {
    case LLVMAdd:
    case LLVMSub:
    case LLVMMul:
    case LLVMShl:
        return reading == MODULO || (reading == SIGNED ? LLVMGetNSW(i) : LLVMGetNUW(i));
    case LLVMZExt:
        return true;
    case LLVMSExt:
        return reading != UNSIGNED;
    case LLVMGetElementPtr:
        return reading == MODULO;
    default:
        return false;
    }
}

// An i1: each `part` lanes of a value are linear; false where nobody knows.
static LLVMValueRef is_sure_by_part(struct gcl_vector *v, LLVMValueRef value, unsigned part,
                                    enum reading reading) {
    struct gcl_value_info info = gcl_vector_info(v, value);
    LLVMValueRef all = LLVMConstInt(LLVMInt1TypeInContext(v->m->context), 1, 0);
    if (info.variance <= GCL_VARIANCE_UNIFORM || (!info.unsure && reading == MODULO))
        return all;
    if (!info.unsure)
        return gcl_vector_is_linear(v, value, reading == UNSIGNED);
    if (gcl_uniformity_is_row(v->u, value))
        return is_row_of_part(v, value, part);
    if (!is_exact(value, reading))
        return LLVMConstNull(LLVMTypeOf(all));
    if (LLVMIsAZExtInst(value) || LLVMIsASExtInst(value))
        reading = gcl_uniformity_keeps_sign(value) ? SIGNED : UNSIGNED;
    for (int n = 0; n < LLVMGetNumOperands(value); n++)
        all = LLVMBuildAnd(
            v->b, all, is_sure_by_part(v, LLVMGetOperand(value, (unsigned)n), part, reading), "");
    return all;
}

// Whether lanes of `value` are in doubt because something is taken apart.
static bool has_rows(struct gcl_vector *v, LLVMValueRef value) {
    if (!gcl_vector_info(v, value).unsure)
        return false;
    if (gcl_uniformity_is_row(v->u, value))
        return true;
    for (int n = 0; n < LLVMGetNumOperands(value); n++) {
        if (has_rows(v, LLVMGetOperand(value, (unsigned)n)))
            return true;
    }
    return false;
}

LLVMValueRef gcl_doubt_is_linear_by_part(struct gcl_vector *v, LLVMValueRef address,
                                         unsigned part) {
    assert(part > 1 && (part & (part - 1)) == 0 && v->lanes % part == 0 && !v->mask);
    if (!has_rows(v, address))
        return LLVMConstNull(LLVMInt1TypeInContext(v->m->context));
    return is_sure_by_part(v, address, part, MODULO);
}

struct gcl_doubt gcl_doubt_begin_ways(struct gcl_vector *v, LLVMValueRef holds) {
    LLVMBasicBlockRef linear = LLVMAppendBasicBlockInContext(v->m->context, v->function, "linear");
    struct gcl_doubt doubt = {
        .wraps = LLVMAppendBasicBlockInContext(v->m->context, v->function, "wraps"),
        .behind = LLVMAppendBasicBlockInContext(v->m->context, v->function, "behind"),
    };
    LLVMBuildCondBr(v->b, holds, linear, doubt.wraps);
    LLVMPositionBuilderAtEnd(v->b, linear);
    doubt.known = gcl_vector_remember(v);
    return doubt;
}

struct gcl_doubt gcl_doubt_begin(struct gcl_vector *v, LLVMValueRef address) {
    gcl_vector_scalar(v, address);
    return gcl_doubt_begin_ways(v, is_sure(v, address));
}

void gcl_doubt_settle(struct gcl_vector *v, struct gcl_doubt *doubt) {
    doubt->from = LLVMGetInsertBlock(v->b);
    LLVMBuildBr(v->b, doubt->behind);
    LLVMPositionBuilderAtEnd(v->b, doubt->wraps);
    gcl_vector_recall(v, doubt->known);
}

LLVMValueRef gcl_doubt_end(struct gcl_vector *v, struct gcl_doubt *doubt, LLVMValueRef linear,
                           LLVMValueRef other) {
    LLVMBasicBlockRef from = LLVMGetInsertBlock(v->b);
    LLVMBuildBr(v->b, doubt->behind);
    LLVMPositionBuilderAtEnd(v->b, doubt->behind);
    gcl_vector_recall(v, doubt->known);
    gcl_vector_end_ways(v);
    if (!linear)
        return NULL;
    LLVMValueRef phi = LLVMBuildPhi(v->b, LLVMTypeOf(linear), "");
    LLVMAddIncoming(phi, &linear, &doubt->from, 1);
    LLVMAddIncoming(phi, &other, &from, 1);
    return phi;
}
