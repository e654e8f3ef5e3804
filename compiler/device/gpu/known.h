// What our headers declare and the code generator knows, as GPUs have it.
#ifndef GCL_DEVICE_GPU_KNOWN_H
#define GCL_DEVICE_GPU_KNOWN_H

#include "device/gpu/state.h"

/// Replaces calls of known functions by instructions, but for those that ask for the block's place
/// in the grid (part.h).
void gcl_gpu_known_lower(struct gcl_gpu *g);

/// Visits each instruction, which may be replaced by others in front of it.
void gcl_gpu_visit(struct gcl_gpu *g,
                   void (*visit)(struct gcl_gpu *g, LLVMBuilderRef builder, LLVMValueRef i));
/// Builds a call of LLVM's intrinsic of that name.
LLVMValueRef gcl_gpu_call(struct gcl_gpu *g, LLVMBuilderRef builder, const char *name,
                          LLVMValueRef *arguments, unsigned count);
/// Builds inline PTX that has effects. `constraints` are LLVM's.
LLVMValueRef gcl_gpu_assembly(struct gcl_gpu *g, LLVMBuilderRef builder, LLVMTypeRef result,
                              const char *text, const char *constraints, LLVMValueRef *arguments,
                              unsigned count);

#endif
