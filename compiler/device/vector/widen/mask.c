// Masks: which lanes a block runs for. NULL stands for all of them. Lanes outside of a mask may
// hold poison, so masks are narrowed by select, which doesn't let it through, never by and.
#include "device/vector/widen/mask.h"

#include <assert.h>

#include "device/ir/module.h"
#include "device/vector/widen/value.h"
#include "device/vector/widen/widen.h"

// Whether `mask` has a bit for each lane.
G_GNUC_UNUSED static bool is_mask(const struct gcl_vector *v, LLVMValueRef mask) {
    return LLVMTypeOf(mask) == gcl_vector_type(v, LLVMInt1TypeInContext(v->m->context));
}

LLVMValueRef gcl_vector_mask(struct gcl_vector *v, LLVMValueRef mask) {
    assert(!mask || is_mask(v, mask));
    return mask ? mask : LLVMConstAllOnes(gcl_vector_type(v, LLVMInt1TypeInContext(v->m->context)));
}

// Without masks in registers LLVM would move bit after bit.
LLVMValueRef gcl_vector_mask_of_bits(struct gcl_vector *v, LLVMValueRef bits) {
    LLVMTypeRef type = gcl_vector_type(v, LLVMInt1TypeInContext(v->m->context));
    assert(LLVMGetIntTypeWidth(LLVMTypeOf(bits)) == v->lanes);
    if (v->variant->target->level == GCL_CPU_V4 || v->lanes > 32)
        return LLVMBuildBitCast(v->b, bits, type, "mask");
    LLVMValueRef places[32];
    for (unsigned i = 0; i < v->lanes; i++)
        places[i] = gcl_u32(v->m, 1u << i);
    LLVMValueRef all = gcl_vector_splat(v, LLVMBuildZExt(v->b, bits, gcl_i32(v->m), ""));
    LLVMValueRef own = LLVMBuildAnd(v->b, all, LLVMConstVector(places, v->lanes), "");
    return LLVMBuildICmp(v->b, LLVMIntNE, own, LLVMConstNull(LLVMTypeOf(own)), "mask");
}

LLVMValueRef gcl_vector_mask_bits(struct gcl_vector *v, LLVMValueRef mask) {
    LLVMTypeRef bits = LLVMIntTypeInContext(v->m->context, v->lanes);
    return LLVMBuildBitCast(v->b, gcl_vector_mask(v, mask), bits, "");
}

LLVMValueRef gcl_vector_any(struct gcl_vector *v, LLVMValueRef mask) {
    LLVMValueRef bits = gcl_vector_mask_bits(v, mask);
    return LLVMBuildICmp(v->b, LLVMIntNE, bits, LLVMConstNull(LLVMTypeOf(bits)), "any");
}

LLVMValueRef gcl_vector_all(struct gcl_vector *v, LLVMValueRef mask) {
    LLVMValueRef bits = gcl_vector_mask_bits(v, mask);
    return LLVMBuildICmp(v->b, LLVMIntEQ, bits, LLVMConstAllOnes(LLVMTypeOf(bits)), "all");
}

LLVMValueRef gcl_vector_narrow(struct gcl_vector *v, LLVMValueRef mask, LLVMValueRef condition,
                               bool wanted) {
    LLVMTypeRef type = gcl_vector_type(v, LLVMInt1TypeInContext(v->m->context));
    assert(!mask || is_mask(v, mask));
    assert(is_mask(v, condition) || LLVMTypeOf(condition) == LLVMGetElementType(type));
    if (LLVMTypeOf(condition) != type) { // the same for all lanes
        if (!wanted)
            condition = LLVMBuildNot(v->b, condition, "");
        return LLVMBuildSelect(v->b, condition, gcl_vector_mask(v, mask), LLVMConstNull(type), "");
    }
    if (!wanted)
        condition = LLVMBuildNot(v->b, condition, "");
    if (!mask)
        return condition;
    return LLVMBuildSelect(v->b, mask, condition, LLVMConstNull(type), "");
}

LLVMValueRef gcl_vector_reduce(struct gcl_vector *v, const char *name, LLVMValueRef lanes,
                               uint64_t neutral) {
    LLVMTypeRef type = LLVMTypeOf(lanes);
    assert(LLVMGetVectorSize(type) == v->lanes);
    if (v->mask)
        lanes = LLVMBuildSelect(
            v->b, v->mask, lanes,
            gcl_vector_splat(v, LLVMConstInt(LLVMGetElementType(type), neutral, 0)), "");
    return gcl_vector_call_intrinsic(v, name, &type, 1, &lanes, 1);
}
