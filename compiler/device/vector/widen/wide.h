// Wide: what a lane does to several elements side by side, as one operation on all of them.
#ifndef GCL_DEVICE_WIDEN_WIDE_H
#define GCL_DEVICE_WIDEN_WIDE_H

#include "device/vector/widen/widen.h"

/// How many atomic operations, of `count` that a lane does one after the other, can be done as one
/// from the first one on: a power of two.
unsigned gcl_wide_count(const struct gcl_vector *v, LLVMValueRef *instructions, unsigned count);
/// An array, over the lanes, of what these `count` operations take, side by side for each lane.
LLVMValueRef gcl_wide_array(struct gcl_vector *v, LLVMValueRef *instructions, unsigned count);
/// These operations of one lane (an i64), at `address`, where the first one is done: nobody else
/// may look at that memory meanwhile.
void gcl_wide_run(struct gcl_vector *v, LLVMValueRef first, unsigned count, LLVMValueRef address,
                  LLVMValueRef array, LLVMValueRef lane);

#endif
