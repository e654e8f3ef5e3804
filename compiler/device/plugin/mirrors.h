// Mirrors for debugging: a second copy of each function of device code, as it stands in the source.
#ifndef GCL_DEVICE_PLUGIN_MIRRORS_H
#define GCL_DEVICE_PLUGIN_MIRRORS_H

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

struct LLVMOpaqueModule; // LLVM's

/// Whether clang describes this module's variables for debugging on the host (-G). A GPU's own
/// debug information, which other options ask for, is of an older kind.
bool gcl_mirrors_are_wanted(struct LLVMOpaqueModule *module);
/// Gives each function of the program's a mirror with the function's name and GCL_MIRROR_SUFFIX
/// (device/ir/mirror.h). Functions of our headers have none unless they call the program's. Mirrors
/// call mirrors. No pass changes them, and debuggers find threadIdx, blockIdx, blockDim and
/// gridDim, and the block's shared variables, among their locals.
void gcl_mirrors_make(struct LLVMOpaqueModule *module);

#ifdef __cplusplus
}
#endif
#endif
