// Inlining: device code that becomes part of the kernels that call it.
#ifndef GCL_DEVICE_LOWER_INLINE_H
#define GCL_DEVICE_LOWER_INLINE_H

#include "device/ir/module.h"

/// Moves code that holds a cut, asks for the running thread or is short into its kernels. Reports
/// cuts that can't be reached that way (recursion, function pointers).
void gcl_inline(struct gcl_module *m);
/// Marks every function always_inline, so that the next inliner pass leaves one body a kernel: for
/// the analysis, and for the code that --sanitize checks it with.
void gcl_inline_mark_all(struct gcl_module *m);
/// For GPUs: marks what is local, neither long nor recursive, and that the source lets be inlined.
void gcl_inline_mark_willing(struct gcl_module *m);

#endif
