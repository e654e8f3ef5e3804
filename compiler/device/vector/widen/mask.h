// Masks: which lanes a block runs for; NULL stands for all of them.
#ifndef GCL_DEVICE_WIDEN_MASK_H
#define GCL_DEVICE_WIDEN_MASK_H

#include "device/vector/widen/widen.h"

/// `mask` as an i1 vector; a constant for NULL.
LLVMValueRef gcl_vector_mask(struct gcl_vector *v, LLVMValueRef mask);
/// A mask from an integer with a bit per lane, and that integer from a mask.
LLVMValueRef gcl_vector_mask_of_bits(struct gcl_vector *v, LLVMValueRef bits);
LLVMValueRef gcl_vector_mask_bits(struct gcl_vector *v, LLVMValueRef mask);
/// Whether any lane is in `mask`; an i1.
LLVMValueRef gcl_vector_any(struct gcl_vector *v, LLVMValueRef mask);
/// Whether all lanes are in `mask`; an i1.
LLVMValueRef gcl_vector_all(struct gcl_vector *v, LLVMValueRef mask);
/// The lanes of `mask` in which `condition` is `wanted`; poison of lanes outside doesn't spread.
LLVMValueRef gcl_vector_narrow(struct gcl_vector *v, LLVMValueRef mask, LLVMValueRef condition,
                               bool wanted);
/// LLVM's reduction `name` over the lanes of the current mask.
LLVMValueRef gcl_vector_reduce(struct gcl_vector *v, const char *name, LLVMValueRef lanes,
                               uint64_t neutral);

#endif
