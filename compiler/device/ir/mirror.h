// Mirrors: what -G runs on CPUs in place of a kernel's vectors. clang's device pass leaves one for
// each function of the program (plugin/mirrors.h), unoptimised, with all that debuggers want to
// know.
#ifndef GCL_DEVICE_IR_MIRROR_H
#define GCL_DEVICE_IR_MIRROR_H

#include <llvm-c/Core.h>
#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

/// A mirror's name is that of its function, and this.
#define GCL_MIRROR_SUFFIX ".debug"
/// The attribute of mirrors.
#define GCL_MIRROR_MARK "gcl-mirror"

struct gcl_module;

/// Whether a function is a mirror.
bool gcl_mirror_is(LLVMValueRef function);
/// Takes all mirrors out of a module, for whoever wants code that is optimised.
void gcl_mirrors_drop(LLVMModuleRef module);
/// Notes each kernel's mirror (gcl_device_kernel.mirror).
void gcl_mirrors_find(struct gcl_module *m);
/// Deletes a mirror, without which its kernel goes on.
void gcl_mirror_forget(LLVMValueRef mirror);

#ifdef __cplusplus
}
#endif

#endif
