// The image: functions and constants that device code knows by address, at addresses that are the
// same on every node.
#ifndef GCL_DEVICE_LOWER_IMAGE_H
#define GCL_DEVICE_LOWER_IMAGE_H

#include "device/ir/module.h"

/// Gives functions and constants that are known by their address a place in the image, and makes
/// their uses compute it.
void gcl_image_build(struct gcl_module *m);
/// Makes calls through pointers read descriptors. Last of all that look at calls.
void gcl_image_lower_calls(struct gcl_module *m);
/// Whether the source names a constant, so that the host may ask for it.
bool gcl_image_is_named(LLVMValueRef global);
/// Whether `global` is a constant that holds the address of a function or of a constant.
bool gcl_image_leads_on(struct gcl_module *m, LLVMValueRef global);
/// Where a function's descriptor or a constant lies in the image; false: it isn't there.
bool gcl_image_offset(const struct gcl_module *m, LLVMValueRef global, uint64_t *offset);

#endif
