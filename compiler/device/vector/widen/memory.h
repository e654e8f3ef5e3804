// Loads and stores of vectors.
#ifndef GCL_DEVICE_WIDEN_MEMORY_H
#define GCL_DEVICE_WIDEN_MEMORY_H

#include "device/vector/widen/widen.h"

/// Whether `count` neighbours of a load or store, from it on, can be done at once.
bool gcl_vector_may_group(struct gcl_vector *v, LLVMValueRef i, unsigned count);
void gcl_vector_load(struct gcl_vector *v, LLVMValueRef i);
void gcl_vector_store(struct gcl_vector *v, LLVMValueRef i);

#endif
