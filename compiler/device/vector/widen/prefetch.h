// Prefetches for all lanes of a vector.
#ifndef GCL_DEVICE_WIDEN_PREFETCH_H
#define GCL_DEVICE_WIDEN_PREFETCH_H

#include "device/vector/widen/widen.h"

/// Asks for what `i`, a load that is about to be built, will read some iterations later.
void gcl_vector_prefetch(struct gcl_vector *v, LLVMValueRef i);
/// Builds a call of llvm.prefetch for all lanes.
void gcl_vector_prefetch_call(struct gcl_vector *v, LLVMValueRef call);

#endif
