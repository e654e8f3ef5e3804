// Sweeps: functions that run a region for all threads of a block, in vectors where they can.
#ifndef GCL_DEVICE_VECTOR_SWEEP_H
#define GCL_DEVICE_VECTOR_SWEEP_H

#include "device/vector/vector.h"

/// i32 (ptr block, ptr left, i32 begin, i32 end, i32 here): region `number` for the threads that a
/// gcl_region gets, in blocks of any shape; returns what that does. `left` is where it leaves what
/// the block has one copy of.
LLVMValueRef gcl_sweep_build_rest(const struct gcl_vector_build *build, guint number);
/// i32 (ptr block, i32 here): region `number` for all threads of a block that stand before cut
/// `here`.
LLVMValueRef gcl_sweep_build_some(const struct gcl_vector_build *build, guint number);
/// i32 (ptr blocks, i32 count, ptr kept, ptr frame): region `number` for all threads of the blocks,
/// of which there is one unless the kernel strips, in whole vectors where it can; `kept` has the
/// locals of which the block has one copy, `frame` those of each thread.
LLVMValueRef gcl_sweep_build(const struct gcl_vector_build *build, guint number);

#endif
