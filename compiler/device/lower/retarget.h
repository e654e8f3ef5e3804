// From NVPTX to the processor of the host.
#ifndef GCL_DEVICE_LOWER_RETARGET_H
#define GCL_DEVICE_LOWER_RETARGET_H

#include "device/ir/module.h"

/// Parses and links the inputs as IR for the host: address spaces go, kernels and device variables
/// are noted in the module. Needs gcl_target_init. Returns false with a diagnostic.
bool gcl_retarget(struct gcl_module *m);

#endif
