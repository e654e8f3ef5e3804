// What -G runs: each thread of a block by itself, on a stack of its own if it waits for others.
#ifndef GCL_DEVICE_THREADS_H
#define GCL_DEVICE_THREADS_H

#include "device/ir/module.h"

/// Makes the kernel's mirror (ir/mirror.h) its only code, with a region behind each place where it
/// waits: there the thread asks the runtime to go on with others (gcl_thread_wait). Before: what
/// waits has been inlined into the mirror, and shared variables are addresses.
void gcl_threads_build(struct gcl_module *m, struct gcl_device_kernel *kernel);

#endif
