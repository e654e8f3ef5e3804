// The parameters of a kernel as a launch passes them: one after the other in its packed arguments.
#ifndef GCL_DEVICE_IR_PARAMETER_H
#define GCL_DEVICE_IR_PARAMETER_H

#include "device/ir/module.h"

/// The type of parameter `index` as the source has it: what lies in the packed arguments. Differs
/// from the LLVM parameter's for structs passed by value.
LLVMTypeRef gcl_parameter_type(LLVMValueRef kernel, unsigned index);
/// The size of parameter `index` in bytes, and its offset in the packed arguments; for index =
/// count the offset of their end.
uint32_t gcl_parameter_offset(struct gcl_module *m, LLVMValueRef kernel, unsigned index);

#endif
