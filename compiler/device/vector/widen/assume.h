// Checks of what the analysis assumes of values over the lanes.
#ifndef GCL_DEVICE_WIDEN_ASSUME_H
#define GCL_DEVICE_WIDEN_ASSUME_H

#include "device/vector/widen/widen.h"

/// An i1: `value`, an integer, doesn't wrap over the lanes.
LLVMValueRef gcl_vector_is_linear(struct gcl_vector *v, LLVMValueRef value, bool is_unsigned);
/// Checks all assumptions of the analysis if `i` is v->last_assumed.
void gcl_vector_check(struct gcl_vector *v, LLVMValueRef i);
/// The last instruction of the first block whose value is assumed not to wrap; NULL: nothing is
/// assumed of any.
LLVMValueRef gcl_vector_last_assumed(const struct gcl_vector *v);

#endif
