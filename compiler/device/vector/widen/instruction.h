// Instructions in the vector function.
#ifndef GCL_DEVICE_WIDEN_INSTRUCTION_H
#define GCL_DEVICE_WIDEN_INSTRUCTION_H

#include "device/vector/widen/widen.h"

/// Builds what the source instruction `i` is for the lanes of the current mask, and defines its
/// value.
void gcl_vector_instruction(struct gcl_vector *v, LLVMValueRef i);
/// The vector of an instruction, built from vectors of its operands whatever its shape is; NULL
/// if LLVM has no such instruction on vectors.
LLVMValueRef gcl_vector_build_lanes(struct gcl_vector *v, LLVMValueRef i);

#endif
