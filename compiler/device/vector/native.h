// Kernels with CPU code of their own: libraries that gcluster brings (runtime/lib) describe a
// kernel in CUDA, from which come its access program and its GPU code, and run its blocks on CPUs
// by a function in C. Such a kernel is annotated `gcl.native=` and the name of that function, a
// gcl_region (gcluster/kernel.h) that is called once a block, for all of its threads, and returns
// GCL_EXIT.
#ifndef GCL_DEVICE_VECTOR_NATIVE_H
#define GCL_DEVICE_VECTOR_NATIVE_H

#include "device/ir/module.h"

/// Empties a kernel that has gcl_device_kernel.native, so that it has one region. After its
/// accesses are known, and beside its GPU code.
void gcl_native_forget(struct gcl_module *m, struct gcl_device_kernel *kernel);
/// Its one variant, for all processors and sizes of blocks.
void gcl_native_build(struct gcl_module *m, struct gcl_device_kernel *kernel);

#endif
