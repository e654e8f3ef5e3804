// Inline PTX in device code.
#ifndef GCL_DEVICE_PTX_H
#define GCL_DEVICE_PTX_H

#include "device/ir/module.h"

/// Replaces `call`, a call of inline assembly, by IR that does the same (PTX ISA 8.5, "Instruction
/// Set"). Understands straight-line integer and float arithmetic, selects, special registers, warp
/// operations, barriers, loads and stores. Returns the statement that it doesn't understand, to be
/// freed with g_free, and leaves the call as it stands; NULL if all went well.
char *gcl_ptx_translate(struct gcl_module *m, LLVMValueRef call);

#endif
