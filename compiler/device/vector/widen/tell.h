// Calls that tell the sanitizer of accesses of all lanes.
#ifndef GCL_DEVICE_WIDEN_TELL_H
#define GCL_DEVICE_WIDEN_TELL_H

#include "device/vector/widen/widen.h"

/// Tells the sanitizer of what all lanes are about to access: builds a call of GCL_TELL.
void gcl_vector_tell(struct gcl_vector *v, LLVMValueRef call);

#endif
