// Instructions that can't run for all lanes at once: loops over lanes.
#ifndef GCL_DEVICE_WIDEN_LANES_H
#define GCL_DEVICE_WIDEN_LANES_H

#include "device/vector/widen/widen.h"

/// A loop over the lanes of a mask while it is built.
struct gcl_lane_loop {
    LLVMBasicBlockRef body;
    LLVMValueRef lane; ///< i64
    LLVMValueRef left; ///< bits of lanes to come
};

/// Opens a loop over the lanes of `mask` (NULL: all); what is built next is its body.
struct gcl_lane_loop gcl_lane_loop_begin(struct gcl_vector *v, LLVMValueRef mask);
void gcl_lane_loop_end(struct gcl_vector *v, const struct gcl_lane_loop *loop);
/// Runs `i`, whose result can be a vector's element, lane by lane; the vector of results.
LLVMValueRef gcl_vector_by_lane(struct gcl_vector *v, LLVMValueRef i, const char *why);
/// Runs `i` lane by lane.
void gcl_vector_one_by_one(struct gcl_vector *v, LLVMValueRef i, const char *why);
/// Runs `i`, an atomic operation on shared memory whose result nobody asks for, lane by lane, in
/// one loop with the ones of that kind that follow. False if `i` is none.
bool gcl_vector_together(struct gcl_vector *v, LLVMValueRef i, const char *why);
/// Whether loops over lanes do a cheap instruction anew instead of taking its result from memory.
bool gcl_lane_loop_works_out(const struct gcl_vector *v, LLVMValueRef value);
/// The place of a value's lanes in memory: an array.
LLVMValueRef gcl_vector_array(struct gcl_vector *v, LLVMValueRef value);
/// Element `lane` of an array of gcl_vector_array, as a value of `type`.
LLVMValueRef gcl_vector_element(struct gcl_vector *v, LLVMTypeRef type, LLVMValueRef array,
                                LLVMValueRef lane);

#endif
