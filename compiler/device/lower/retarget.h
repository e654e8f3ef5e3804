// From NVPTX to the processor of the host.
#ifndef GCL_DEVICE_LOWER_RETARGET_H
#define GCL_DEVICE_LOWER_RETARGET_H

#include "device/ir/module.h"

/// Parses and links the inputs as IR for the host: address spaces go, kernels and device variables
/// are noted in the module. Needs gcl_target_init. Returns false with a diagnostic.
bool gcl_retarget(struct gcl_module *m);
/// Parses and links the inputs as they are, for NVIDIA's GPUs: symbols have the names that
/// gcl_retarget gives them. Returns false with a diagnostic.
bool gcl_retarget_keep(struct gcl_module *m);

#endif
