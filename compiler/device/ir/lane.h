// Lane functions: the code of one region for one thread (struct gcl_device_region).
#ifndef GCL_DEVICE_IR_LANE_H
#define GCL_DEVICE_IR_LANE_H

#include <stdbool.h>

#include <llvm-c/Core.h>

/// What a lane function takes behind the kernel's parameters.
enum gcl_lane_parameter {
    GCL_LANE_BLOCK,
    GCL_LANE_THREAD,                     ///< its number; x, y and z follow
    GCL_LANE_KEPT = GCL_LANE_THREAD + 4, ///< where locals of which the block has one copy are
    GCL_LANE_LEFT,                       ///< where the region leaves them
    GCL_LANE_FRAME,                      ///< where each thread's own locals are, but for arrays
    GCL_LANE_COUNT,
};
/// The parameter of a lane function that is its block.
LLVMValueRef gcl_lane_block(LLVMValueRef lane);
/// Its parameters that are x, y, z and the number of its thread, as gcl_uniformity_create takes
/// them.
void gcl_lane_thread(LLVMValueRef lane, LLVMValueRef thread[4]);
/// Whether a value is one of its parameters that differ from thread to thread of a block.
bool gcl_lane_is_of_thread(LLVMValueRef lane, LLVMValueRef value);
/// How many instructions a lane function has.
unsigned gcl_lane_length(LLVMValueRef lane);
/// Whether a lane function is so long that its code for blocks of any size is compiled once.
bool gcl_lane_is_long(LLVMValueRef lane);

#endif
