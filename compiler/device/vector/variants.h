// The variants of a kernel: its code for each kind of processor and each size of blocks.
#ifndef GCL_DEVICE_VECTOR_VARIANTS_H
#define GCL_DEVICE_VECTOR_VARIANTS_H

#include "device/ir/module.h"

/// Makes copies of the lane functions for each block size that launches are known to use, and notes
/// whether there may be others (gcl_device_kernel.shapes, any_size). Needs gcl_regions_build.
void gcl_variants_shape(struct gcl_module *m, struct gcl_device_kernel *kernel);
/// Leaves out x86-64-v2 where kernels have much code that relies on warps: vectors of 32 lanes
/// without masks are a branch a lane for each access. Needs gcl_hoist.
void gcl_variants_choose_levels(struct gcl_module *m);
/// Fills gcl_device_kernel.variants. Needs gcl_variants_shape and gcl_hoist.
void gcl_variants_build(struct gcl_module *m, struct gcl_device_kernel *kernel);
/// The target for which a kernel that runs in vectors has a variant, its last, that runs thread by
/// thread with the same results; NULL: none.
const struct gcl_device_target *gcl_variants_by_threads(const struct gcl_module *m,
                                                        const struct gcl_device_kernel *kernel);

#endif
