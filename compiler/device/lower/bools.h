// What a bool in memory means on the device.
#ifndef GCL_DEVICE_BOOLS_H
#define GCL_DEVICE_BOOLS_H

#include <llvm-c/Core.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Makes every bool that a module's functions load true if its byte is not 0, as on a GPU. For IR
/// as clang writes it: once LLVM has optimised that, nothing tells a bool from another byte.
void gcl_bools_widen(LLVMModuleRef module);

#ifdef __cplusplus
}
#endif

#endif
