// Kinds of processors that code is generated for: those of gcl_module.targets, best first.
#ifndef GCL_DEVICE_IR_TARGET_H
#define GCL_DEVICE_IR_TARGET_H

#include "device/ir/module.h"

/// Creates `machine` and fills `targets`; false if LLVM can't generate code for this machine.
bool gcl_target_init(struct gcl_module *m);
void gcl_target_finish(struct gcl_module *m);
/// The target whose code runs wherever this object's code does: for functions that all share.
const struct gcl_device_target *gcl_target_least(const struct gcl_module *m);
/// Leaves out the least level where others remain, for modules whose code for it is large.
void gcl_target_raise(struct gcl_module *m);
/// Sets the attributes by which LLVM compiles `function` for `target` and no other.
void gcl_target_set(struct gcl_module *m, LLVMValueRef function,
                    const struct gcl_device_target *target);
/// The enum gcl_cpu_level for which `function` is compiled.
uint32_t gcl_target_level(const struct gcl_module *m, LLVMValueRef function);
/// How many bytes a register for vectors has on such processors.
unsigned gcl_target_register(uint32_t level);

#endif
