// Atomic operations of all lanes.
#ifndef GCL_DEVICE_WIDEN_ATOMIC_H
#define GCL_DEVICE_WIDEN_ATOMIC_H

#include "device/vector/widen/widen.h"

void gcl_vector_atomic(struct gcl_vector *v, LLVMValueRef i);

#endif
