// Warp operations on vectors of 32 lanes, a warp each. The lanes that take part are those of the
// current mask: they stand at the same operation together (runtime/exec/block/block.c does the same
// for scalar code). Where lanes name different masks, each set of them is a group of its own; the
// runtime sorts that out.
#include "device/vector/widen/warp.h"

#include <assert.h>
#include <string.h>

#include "device/ir/block.h"
#include "device/ir/intrinsics.h"
#include "device/ir/module.h"
#include "device/ir/uniformity.h"
#include "device/vector/widen/mask.h"
#include "device/vector/widen/value.h"
#include "device/vector/widen/widen.h"

enum { WARP = 32 };

static LLVMValueRef bits_of(struct gcl_vector *v, LLVMValueRef mask) {
    return gcl_vector_mask_bits(v, mask);
}

static bool has_one_mask(struct gcl_vector *v, LLVMValueRef call) {
    return gcl_vector_info(v, LLVMGetOperand(call, 0)).variance == GCL_VARIANCE_UNIFORM;
}

static void store_field(struct gcl_vector *v, enum gcl_block_field field, LLVMTypeRef type,
                        LLVMValueRef lanes, LLVMValueRef first) {
    LLVMValueRef place = gcl_block_element(v->m, v->b, v->block, field, first);
    lanes = LLVMBuildIntCast2(v->b, lanes, gcl_vector_type(v, type), 0, "");
    LLVMSetAlignment(LLVMBuildStore(v->b, lanes, place), 4);
}

// Leaves operands where the runtime finds them, and takes the results from there.
static void ask_runtime(struct gcl_vector *v, LLVMValueRef call,
                        const struct gcl_intrinsic *intrinsic) {
    struct gcl_module *m = v->m;
    LLVMValueRef first = gcl_vector_thread(v, gcl_u64(m, 0));
    LLVMTypeRef i32 = gcl_i32(m), i64 = gcl_i64(m);
    store_field(v, GCL_BLOCK_MASK, i32, gcl_vector_lanes(v, LLVMGetOperand(call, 0)), first);
    if (intrinsic->form >= GCL_FORM_MASK_VALUE)
        store_field(v, GCL_BLOCK_VALUE, i64, gcl_vector_lanes(v, LLVMGetOperand(call, 1)), first);
    if (intrinsic->form == GCL_FORM_MASK_VALUE_LANE)
        store_field(v, GCL_BLOCK_LANE, i32, gcl_vector_lanes(v, LLVMGetOperand(call, 2)), first);
    LLVMTypeRef parameters[] = {gcl_ptr(m), i32, i32, i32, i32};
    LLVMTypeRef type = LLVMFunctionType(LLVMVoidTypeInContext(m->context), parameters, 5, 0);
    LLVMValueRef function = LLVMGetNamedFunction(m->module, "gcl_block_exchange");
    if (!function)
        function = LLVMAddFunction(m->module, "gcl_block_exchange", type);
    LLVMValueRef arguments[] = {v->block, gcl_u32(m, intrinsic->cut),
                                gcl_u32(m, intrinsic->operation), first, bits_of(v, v->mask)};
    LLVMBuildCall2(v->b, type, function, arguments, 5, "");
    LLVMTypeRef wide = gcl_vector_type(v, i64);
    LLVMValueRef result = LLVMBuildLoad2(
        v->b, wide, gcl_block_element(m, v->b, v->block, GCL_BLOCK_VALUE, first), "");
    LLVMSetAlignment(result, 8);
    result = LLVMBuildIntCast2(v->b, result, gcl_vector_type(v, LLVMTypeOf(call)), 0, "");
    gcl_vector_define(v, call, (struct gcl_vector_value){.vector = result});
}

static void ballot(struct gcl_vector *v, LLVMValueRef call) {
    LLVMValueRef value = LLVMGetOperand(call, 1), result;
    assert(gcl_vector_info(v, call).variance == GCL_VARIANCE_UNIFORM && v->lanes == WARP);
    if (gcl_vector_info(v, value).variance == GCL_VARIANCE_UNIFORM) {
        LLVMValueRef scalar = gcl_vector_scalar(v, value);
        LLVMValueRef is_set =
            LLVMBuildICmp(v->b, LLVMIntNE, scalar, LLVMConstNull(LLVMTypeOf(scalar)), "");
        result = LLVMBuildSelect(v->b, is_set, bits_of(v, v->mask), gcl_u32(v->m, 0), "");
    } else {
        LLVMValueRef lanes = gcl_vector_lanes(v, value);
        LLVMValueRef set =
            LLVMBuildICmp(v->b, LLVMIntNE, lanes, LLVMConstNull(LLVMTypeOf(lanes)), "");
        result = bits_of(v, gcl_vector_narrow(v, v->mask, set, true));
    }
    gcl_vector_define(v, call, (struct gcl_vector_value){.scalar = result});
}

static void reduce(struct gcl_vector *v, LLVMValueRef call, const struct gcl_intrinsic *intrinsic) {
    static const struct {
        const char *name;
        uint64_t neutral;
    } reductions[] = {
        [GCL_REDUCE_ADD] = {"llvm.vector.reduce.add", 0},
        [GCL_REDUCE_AND] = {"llvm.vector.reduce.and", UINT64_MAX},
        [GCL_REDUCE_OR] = {"llvm.vector.reduce.or", 0},
        [GCL_REDUCE_XOR] = {"llvm.vector.reduce.xor", 0},
        [GCL_REDUCE_MIN_SIGNED] = {"llvm.vector.reduce.smin", INT64_MAX},
        [GCL_REDUCE_MAX_SIGNED] = {"llvm.vector.reduce.smax", (uint64_t)INT64_MIN},
        [GCL_REDUCE_MIN_UNSIGNED] = {"llvm.vector.reduce.umin", UINT64_MAX},
        [GCL_REDUCE_MAX_UNSIGNED] = {"llvm.vector.reduce.umax", 0},
    };
    LLVMValueRef lanes = gcl_vector_lanes(v, LLVMGetOperand(call, 1));
    assert(intrinsic->operation < G_N_ELEMENTS(reductions) &&
           reductions[intrinsic->operation].name);
    LLVMValueRef result = gcl_vector_reduce(v, reductions[intrinsic->operation].name, lanes,
                                            reductions[intrinsic->operation].neutral);
    gcl_vector_define(v, call, (struct gcl_vector_value){.scalar = result});
}

// Shuffles.

static bool is_constant(LLVMValueRef vector) {
    for (unsigned l = 0; l < WARP; l++) {
        if (!LLVMIsAConstantDataVector(vector) && !LLVMIsAConstantVector(vector) &&
            !LLVMIsAConstantAggregateZero(vector))
            return false;
        if (!LLVMIsAConstantInt(LLVMGetAggregateElement(vector, l)))
            return false;
    }
    return true;
}

// Lanes beyond the warp give what the lane has itself, as the runtime does.
static LLVMValueRef permute_fixed(struct gcl_vector *v, LLVMValueRef lanes, LLVMValueRef from) {
    LLVMValueRef places[WARP];
    for (unsigned l = 0; l < WARP; l++) {
        uint64_t source = LLVMConstIntGetZExtValue(LLVMGetAggregateElement(from, l));
        places[l] = gcl_u32(v->m, source < WARP ? (uint32_t)source : l);
    }
    return LLVMBuildShuffleVector(v->b, lanes, LLVMGetPoison(LLVMTypeOf(lanes)),
                                  LLVMConstVector(places, WARP), "");
}

// Through memory: LLVM has no permutation by a variable.
static LLVMValueRef permute(struct gcl_vector *v, LLVMValueRef lanes, LLVMValueRef from) {
    assert(LLVMTypeOf(from) == gcl_vector_type(v, gcl_i32(v->m)));
    LLVMTypeRef type = LLVMTypeOf(lanes), element = LLVMGetElementType(type);
    LLVMValueRef array = gcl_vector_slot(v, LLVMArrayType2(element, WARP), "warp");
    LLVMSetAlignment(LLVMBuildStore(v->b, lanes, array), 64);
    LLVMValueRef inside =
        LLVMBuildAnd(v->b, from, gcl_vector_splat(v, gcl_u32(v->m, WARP - 1)), "");
    inside = LLVMBuildZExt(v->b, inside, gcl_vector_type(v, gcl_i64(v->m)), "");
    LLVMValueRef places = LLVMBuildGEP2(v->b, element, array, &inside, 1, "");
    LLVMTypeRef overload[] = {type, LLVMTypeOf(places)};
    unsigned alignment = (unsigned)LLVMABISizeOfType(v->m->layout, element);
    LLVMValueRef arguments[] = {places, gcl_u32(v->m, alignment), gcl_vector_mask(v, NULL),
                                LLVMGetPoison(type)};
    return gcl_vector_call_intrinsic(v, "llvm.masked.gather", overload, 2, arguments, 4);
}

static LLVMValueRef take_from(struct gcl_vector *v, LLVMValueRef lanes, LLVMValueRef from,
                              bool is_fixed) {
    return is_fixed ? permute_fixed(v, lanes, from) : permute(v, lanes, from);
}

// What is 32 bits wide travels as such: its lanes are cut off here, since what was extended may be
// known in another block alone.
static bool is_narrow(LLVMValueRef value) {
    return LLVMIsAZExtInst(value) &&
           LLVMGetIntTypeWidth(LLVMTypeOf(LLVMGetOperand(value, 0))) == 32;
}

static void shuffle(struct gcl_vector *v, LLVMValueRef call) {
    LLVMValueRef source = LLVMGetOperand(call, 1);
    LLVMValueRef lanes = gcl_vector_lanes(v, source);
    if (is_narrow(source))
        lanes = LLVMBuildTrunc(v->b, lanes, gcl_vector_type(v, gcl_i32(v->m)), "");
    LLVMValueRef from = gcl_vector_lanes(v, LLVMGetOperand(call, 2));
    bool is_fixed = is_constant(from);
    LLVMValueRef result = take_from(v, lanes, from, is_fixed);
    if (v->mask) { // who isn't here gives 0, as in the runtime
        LLVMTypeRef bytes = gcl_vector_type(v, LLVMInt8TypeInContext(v->m->context));
        LLVMValueRef here = LLVMBuildZExt(v->b, v->mask, bytes, "");
        here = take_from(v, here, from, is_fixed);
        here = LLVMBuildICmp(v->b, LLVMIntNE, here, LLVMConstNull(bytes), "");
        result = LLVMBuildSelect(v->b, here, result, LLVMConstNull(LLVMTypeOf(result)), "");
    }
    if (!is_fixed) {
        LLVMValueRef limit = gcl_vector_splat(v, gcl_u32(v->m, WARP));
        LLVMValueRef inside = LLVMBuildICmp(v->b, LLVMIntULT, from, limit, "");
        result = LLVMBuildSelect(v->b, inside, result, lanes, "");
    }
    if (is_narrow(source))
        result = LLVMBuildZExt(v->b, result, gcl_vector_type(v, LLVMTypeOf(call)), "");
    gcl_vector_define(v, call, (struct gcl_vector_value){.vector = result});
}

void gcl_vector_warp(struct gcl_vector *v, LLVMValueRef call) {
    const struct gcl_intrinsic *intrinsic = gcl_intrinsic_find(call);
    assert(v->lanes == WARP && v->region->has_warps);
    if (intrinsic->cut == GCL_CUT_WARP_SYNC)
        return; // all lanes are here
    if (!has_one_mask(v, call) || intrinsic->cut == GCL_CUT_WARP_MATCH)
        ask_runtime(v, call, intrinsic);
    else if (intrinsic->cut == GCL_CUT_WARP_BALLOT)
        ballot(v, call);
    else if (intrinsic->cut == GCL_CUT_WARP_REDUCE)
        reduce(v, call, intrinsic);
    else
        shuffle(v, call);
}
