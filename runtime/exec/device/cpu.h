// The CPU as a device. Blocks run by the code in exec/block, and device memory is the process's.
#ifndef GCL_EXEC_DEVICE_CPU_H
#define GCL_EXEC_DEVICE_CPU_H

#include "exec/device/device.h"

/// The CPU of this machine; lives as long as the process.
const struct gcl_device *gcl_device_cpu(void);

/// From here on blocks of a launch run one after the other on one thread, that one (x, y, z) last,
/// so that a debugger which follows its threads is interrupted by no other block. Called before
/// anything runs.
void gcl_device_cpu_run_last(const uint32_t block[3]);

// cpu_bytes.c
extern const struct gcl_device_byte_ops gcl_device_cpu_bytes;
extern const struct gcl_packer gcl_device_cpu_packer;
/// The node of a merge whose bytes lie in their place; none has any there: any.
size_t gcl_device_merge_self(const struct gcl_device_merge *request);

#endif
