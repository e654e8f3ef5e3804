// Variables that are texture or surface references.
#ifndef GCL_DEVICE_REFERENCES_H
#define GCL_DEVICE_REFERENCES_H

#include <llvm-c/Core.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Makes clang's words for references ones that the runtime writes, whether the source has them
/// `static` or not. For IR as clang writes it: once LLVM has optimised that, what nobody writes is
/// no longer read.
void gcl_references_keep(LLVMModuleRef module);

#ifdef __cplusplus
}
#endif

#endif
