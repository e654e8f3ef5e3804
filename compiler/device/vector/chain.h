// The chain of a kernel's regions, from barrier to barrier, and the functions that the runtime
// calls.
#ifndef GCL_DEVICE_VECTOR_CHAIN_H
#define GCL_DEVICE_VECTOR_CHAIN_H

#include "device/ir/module.h"
#include "device/vector/vector.h"

/// i32 (ptr blocks, i32 count, i32 region): goes on through `sweeps`, one a region, as long as all
/// threads come to the same plain barrier; returns where the runtime has to do something.
LLVMValueRef gcl_chain_build(const struct gcl_vector_build *build, LLVMValueRef *sweeps);
/// What the runtime calls for region `number`: gcl_region.
LLVMValueRef gcl_chain_build_entry(struct gcl_module *m, const struct gcl_device_kernel *kernel,
                                   const struct gcl_device_variant *variant, guint number,
                                   LLVMValueRef chain, LLVMValueRef some);

#endif
