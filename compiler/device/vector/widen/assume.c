// What the uniformity analysis assumes of affine values, that they don't wrap over the lanes, is
// checked as soon as all of them are known, before anything has an effect. Where it doesn't hold
// the vector hands over to the rest (leave.h), which assumes nothing.
#include "device/vector/widen/assume.h"

#include "device/ir/module.h"
#include "device/ir/uniformity.h"
#include "device/vector/widen/leave.h"
#include "device/vector/widen/value.h"
#include "device/vector/widen/widen.h"

// base + offset of the lane at one corner doesn't wrap: as wide as it gets, it is what the width
// of the value can hold.
static LLVMValueRef check_corner(struct gcl_vector *v, LLVMValueRef value, bool is_unsigned,
                                 bool right, bool bottom) {
    struct gcl_value_info info = gcl_vector_info(v, value);
    LLVMTypeRef i64 = gcl_i64(v->m), type = LLVMTypeOf(value);
    int64_t x = right ? info.x_stride * (int64_t)(v->geometry.row - 1) : 0;
    LLVMValueRef y = gcl_vector_y(v, value);
    LLVMValueRef corner =
        LLVMBuildIntCast2(v->b, gcl_vector_scalar(v, value), i64, !is_unsigned, "");
    corner = LLVMBuildAdd(v->b, corner, gcl_u64(v->m, (uint64_t)x), "");
    if (bottom && y) {
        LLVMValueRef rows = gcl_u64(v->m, v->lanes / v->geometry.row - 1);
        corner = LLVMBuildAdd(v->b, corner, LLVMBuildMul(v->b, y, rows, ""), "");
    }
    LLVMValueRef narrow = LLVMBuildTrunc(v->b, corner, type, "");
    LLVMValueRef back = LLVMBuildIntCast2(v->b, narrow, i64, !is_unsigned, "");
    return LLVMBuildICmp(v->b, LLVMIntEQ, back, corner, "");
}

// Values are linear over the lanes, so looking at the corners is enough.
LLVMValueRef gcl_vector_is_linear(struct gcl_vector *v, LLVMValueRef value, bool is_unsigned) {
    LLVMValueRef holds = LLVMConstInt(LLVMInt1TypeInContext(v->m->context), 1, 0);
    bool has_y = gcl_vector_info(v, value).has_y;
    for (unsigned corner = 0; corner < (has_y ? 4 : 2); corner++)
        holds = LLVMBuildAnd(
            v->b, holds, check_corner(v, value, is_unsigned, corner & 1, (corner & 2) != 0), "");
    return holds;
}

static void check_assumptions(struct gcl_vector *v) {
    LLVMValueRef holds = LLVMConstInt(LLVMInt1TypeInContext(v->m->context), 1, 0);
    for (guint i = 0; i < v->u->assumptions->len; i++) {
        const struct gcl_uniformity_assumption *a =
            &g_array_index(v->u->assumptions, struct gcl_uniformity_assumption, i);
        holds = LLVMBuildAnd(v->b, holds, gcl_vector_is_linear(v, a->value, a->is_unsigned), "");
    }
    if (LLVMIsAConstant(holds))
        return;
    LLVMBasicBlockRef on = LLVMAppendBasicBlockInContext(v->m->context, v->function, "on");
    LLVMBasicBlockRef wraps = LLVMAppendBasicBlockInContext(v->m->context, v->function, "wraps");
    LLVMBuildCondBr(v->b, holds, on, wraps);
    LLVMPositionBuilderAtEnd(v->b, wraps);
    gcl_vector_hand_over(v);
    LLVMPositionBuilderAtEnd(v->b, on);
}

void gcl_vector_check(struct gcl_vector *v, LLVMValueRef i) {
    if (i == v->last_assumed)
        check_assumptions(v);
}

LLVMValueRef gcl_vector_last_assumed(const struct gcl_vector *v) {
    LLVMValueRef last = NULL;
    LLVMBasicBlockRef entry = v->cfg->blocks[0].block;
    for (LLVMValueRef i = LLVMGetFirstInstruction(entry); i; i = LLVMGetNextInstruction(i)) {
        for (guint a = 0; a < v->u->assumptions->len; a++) {
            if (g_array_index(v->u->assumptions, struct gcl_uniformity_assumption, a).value == i)
                last = i;
        }
    }
    return last;
}
