// What the stages of the GPU code generator share.
#ifndef GCL_DEVICE_GPU_STATE_H
#define GCL_DEVICE_GPU_STATE_H

#include "device/ir/module.h"

/// A kernel on its way to GPU code.
struct gcl_gpu_kernel {
    const struct gcl_device_entry *entry;
    LLVMValueRef function;
    LLVMValueRef part; ///< its parameter of struct gcl_gpu_part
};

/// GPU code while it is made, in a process of its own.
struct gcl_gpu {
    /// Context, module and messages of the GPU code; the tables of variables, entries and image are
    /// those of the CPU's, which are read only.
    struct gcl_module m;
    const struct gcl_module *cpu;
    GArray *kernels; ///< struct gcl_gpu_kernel
};

#endif
