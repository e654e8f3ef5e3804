// 1 / √y in the precision that fast math asks for.
#ifndef GCL_DEVICE_LOWER_ROOT_H
#define GCL_DEVICE_LOWER_ROOT_H

#include "device/ir/module.h"

/// 1 / √y of a float, to 2 units in the last place: a function that has variants for all levels of
/// x86-64, whose code gcl_root_define makes.
#define GCL_RECIPROCAL_ROOT "__gcl_reciprocal_root"
void gcl_root_define(struct gcl_module *m, LLVMValueRef function, uint32_t level);

#endif
