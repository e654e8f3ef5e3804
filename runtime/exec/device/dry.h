// The device of a dry run: kernels do nothing, nor do copies into its memory, and what the host
// copies from there is zero.
#ifndef GCL_EXEC_DEVICE_DRY_H
#define GCL_EXEC_DEVICE_DRY_H

#include "exec/device/device.h"

/// A device that says about itself what `likeness` does, and has pages and threads like it. Lives
/// as long as the process. NULL: no memory.
struct gcl_device *gcl_device_dry_create(const struct gcl_device *likeness);
/// Before the first command: the addresses of its memory are [begin, end).
void gcl_device_dry_set_range(struct gcl_device *device, uint64_t begin, uint64_t end);

#endif
