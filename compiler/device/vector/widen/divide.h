// Divisions whose lanes differ.
#ifndef GCL_DEVICE_WIDEN_DIVIDE_H
#define GCL_DEVICE_WIDEN_DIVIDE_H

#include "device/vector/widen/widen.h"

/// The vector of `i`, a division of integers whose lanes differ.
LLVMValueRef gcl_vector_quotient(struct gcl_vector *v, LLVMValueRef i);
/// Whether `i`, a division of floating-point numbers, is better done as gcl_vector_reciprocal does.
bool gcl_vector_is_reciprocal(const struct gcl_vector *v, LLVMValueRef i);
/// The vector of `i`, which gcl_vector_is_reciprocal accepts, equal to the last bit.
LLVMValueRef gcl_vector_reciprocal(struct gcl_vector *v, LLVMValueRef i);

#endif
