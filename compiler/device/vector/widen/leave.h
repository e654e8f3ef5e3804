// The ends of a vector function.
#ifndef GCL_DEVICE_WIDEN_LEAVE_H
#define GCL_DEVICE_WIDEN_LEAVE_H

#include "device/vector/widen/widen.h"

/// Ends the function: the lanes go on in region `next`.
void gcl_vector_return(struct gcl_vector *v, LLVMValueRef next);
/// Leaves all lanes to gcl_vector.rest, which runs part of a vector, and ends the function.
void gcl_vector_hand_over(struct gcl_vector *v);

#endif
