// Copies of the locals that a block keeps across cuts.
#ifndef GCL_DEVICE_WIDEN_FRAME_H
#define GCL_DEVICE_WIDEN_FRAME_H

#include "device/ir/module.h"

/// Threads of a block whose number is known: `lanes` of them, from `first` (an i64) on.
struct gcl_frame_part {
    LLVMValueRef first;
    unsigned lanes;
    uint32_t threads;
};

/// Copies locals of which the block has one copy.
void gcl_frame_copy_kept(struct gcl_module *m, LLVMBuilderRef b, const GArray *kept,
                         LLVMValueRef to, LLVMValueRef from);
/// Copies locals that each thread of `part` has.
void gcl_frame_copy_framed(struct gcl_module *m, LLVMBuilderRef b,
                           const struct gcl_device_kernel *kernel,
                           const struct gcl_frame_part *part, LLVMValueRef to, LLVMValueRef from);
/// A place on the stack for locals of which the block has one copy, laid out as in the frame.
LLVMValueRef gcl_frame_add_kept(struct gcl_module *m, LLVMBuilderRef b,
                                const struct gcl_device_kernel *kernel);

#endif
