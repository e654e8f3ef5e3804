// How a vector function ends: its lanes go on in a region, or the rest takes over the whole vector.
#include "device/vector/widen/leave.h"

#include <assert.h>

#include "device/ir/block.h"
#include "device/ir/lane.h"
#include "device/ir/module.h"
#include "device/ir/uniformity.h"
#include "device/ir/variant.h"
#include "device/vector/widen/frame.h"
#include "device/vector/widen/mask.h"
#include "device/vector/widen/value.h"
#include "device/vector/widen/widen.h"

// The rest finds everything in memory. It gets copies, so that what is copied can stay in
// registers.
void gcl_vector_hand_over(struct gcl_vector *v) {
    assert(v->rest && !v->entry_mask); // the rest itself, whose lanes are masked, can't
    LLVMValueRef *parameter = g_newa(LLVMValueRef, GCL_LANE_COUNT), first = v->first_thread;
    for (unsigned i = 0; i < GCL_LANE_COUNT; i++)
        parameter[i] = LLVMGetParam(v->function, v->block_at + i);
    LLVMTypeRef i8 = LLVMInt8TypeInContext(v->m->context);
    LLVMValueRef memory = gcl_block_load(v->m, v->b, v->block, GCL_BLOCK_FRAME, 0);
    LLVMValueRef left = gcl_vector_slot(v, LLVMArrayType2(i8, v->kernel->kept_size), "left");
    struct gcl_frame_part part = {LLVMBuildZExt(v->b, first, gcl_i64(v->m), ""), v->lanes,
                                  gcl_variant_threads(v->variant)};
    gcl_frame_copy_kept(v->m, v->b, v->region->takes, memory, parameter[GCL_LANE_KEPT]);
    gcl_frame_copy_kept(v->m, v->b, v->region->leaves, left, parameter[GCL_LANE_LEFT]);
    if (v->holds)
        gcl_frame_copy_framed(v->m, v->b, v->kernel, &part, memory, parameter[GCL_LANE_FRAME]);
    LLVMValueRef end = LLVMBuildAdd(v->b, first, gcl_u32(v->m, v->lanes), "");
    LLVMValueRef arguments[] = {v->block, left, first, end, gcl_u32(v->m, GCL_ANYWHERE)};
    LLVMTypeRef type = LLVMGlobalGetValueType(v->rest);
    LLVMValueRef next = LLVMBuildCall2(v->b, type, v->rest, arguments, 5, "");
    gcl_frame_copy_kept(v->m, v->b, v->region->leaves, parameter[GCL_LANE_LEFT], left);
    if (v->holds)
        gcl_frame_copy_framed(v->m, v->b, v->kernel, &part, parameter[GCL_LANE_FRAME], memory);
    LLVMBuildRet(v->b, next);
}

static void store_next(struct gcl_vector *v, LLVMValueRef next) {
    LLVMValueRef place = gcl_block_element(v->m, v->b, v->block, GCL_BLOCK_NEXT, v->first_thread);
    LLVMTypeRef overload[] = {LLVMTypeOf(next), gcl_ptr(v->m)};
    LLVMValueRef arguments[] = {next, place, gcl_u32(v->m, 4), gcl_vector_mask(v, v->entry_mask)};
    gcl_vector_call_intrinsic(v, "llvm.masked.store", overload, 2, arguments, 4);
}

// Where all lanes go on, in the places of the first two: gcl_sweep_build has it spread if it has
// to.
static void mark_next(struct gcl_vector *v, LLVMValueRef next) {
    LLVMValueRef place = gcl_block_element(v->m, v->b, v->block, GCL_BLOCK_NEXT, v->first_thread);
    LLVMTypeRef type = LLVMVectorType(gcl_i32(v->m), 2);
    LLVMValueRef both =
        LLVMBuildInsertElement(v->b, LLVMGetPoison(type), next, gcl_u32(v->m, 0), "");
    both = LLVMBuildInsertElement(v->b, both, gcl_u32(v->m, GCL_DIVERGED), gcl_u32(v->m, 1), "");
    LLVMSetAlignment(LLVMBuildStore(v->b, both, place), 4);
}

void gcl_vector_return(struct gcl_vector *v, LLVMValueRef next) {
    bool is_uniform = gcl_vector_info(v, next).variance == GCL_VARIANCE_UNIFORM;
    assert(LLVMTypeOf(next) == gcl_i32(v->m)); // a region's number, or GCL_EXIT
    if (v->region->diverges && v->rest && is_uniform)
        mark_next(v, gcl_vector_scalar(v, next));
    else if (v->region->diverges)
        store_next(v, gcl_vector_lanes(v, next));
    if (is_uniform) {
        LLVMBuildRet(v->b, gcl_vector_scalar(v, next));
        return;
    }
    LLVMValueRef lanes = gcl_vector_lanes(v, next);
    LLVMValueRef low = gcl_vector_reduce(v, "llvm.vector.reduce.umin", lanes, UINT32_MAX);
    LLVMValueRef high = gcl_vector_reduce(v, "llvm.vector.reduce.umax", lanes, 0);
    LLVMValueRef same = LLVMBuildICmp(v->b, LLVMIntEQ, low, high, "");
    LLVMBuildRet(v->b, LLVMBuildSelect(v->b, same, low, gcl_u32(v->m, GCL_DIVERGED), ""));
}
