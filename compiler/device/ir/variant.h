// Variants of a kernel: its code for one kind of processor and one shape of blocks.
#ifndef GCL_DEVICE_IR_VARIANT_H
#define GCL_DEVICE_IR_VARIANT_H

#include "device/ir/module.h"

/// Declares the function of region `number` in a variant of its kernel, without a body.
LLVMValueRef gcl_variant_declare(struct gcl_module *m, const struct gcl_device_kernel *kernel,
                                 const struct gcl_device_variant *variant, guint number);
/// Whether the variant is for one size of blocks alone.
bool gcl_variant_is_shaped(const struct gcl_device_variant *variant);
/// How many threads the blocks of a variant have; UINT32_MAX if any number.
uint32_t gcl_variant_threads(const struct gcl_device_variant *variant);

#endif
