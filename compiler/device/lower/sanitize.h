// Calls by which threads tell the runtime what they are about to access (--sanitize).
#ifndef GCL_DEVICE_LOWER_SANITIZE_H
#define GCL_DEVICE_LOWER_SANITIZE_H

#include "device/ir/module.h"

/// The function by which kernels tell the sanitizer of an access (sanitize.c): void (address,
/// site).
#define GCL_TELL "gcl_device_access.quick"
/// Fields of a site that are known when compiling.
enum { GCL_SITE_SIZE = 2 };

/// Optimises as clang's -O1 does, but moves no load ahead of its condition. For --sanitize=race,
/// init and sync: such a load would be a race, or read what isn't written.
void gcl_sanitize_optimize(struct gcl_module *m);
/// Adds calls by which threads tell the runtime of each access that other blocks may see, and with
/// --sanitize=race or sync of waits and fences. Behind gcl_inline, before anything that moves or
/// widens accesses.
void gcl_sanitize(struct gcl_module *m);
/// Whether `i` is a call of GCL_TELL, by which nothing happens that other threads may see.
bool gcl_sanitize_tells(LLVMValueRef i);

#endif
