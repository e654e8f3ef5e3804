// Passes of clang's that begin with our headers, which are most of what a small source makes it
// read: it reads what it has made of them before, from the cache. Parsing does, too, by what there
// is for the host pass.
#ifndef GCL_DRIVER_HEADERS_H
#define GCL_DRIVER_HEADERS_H

#include "commands.h"

/// Our headers as clang has made them for a pass: a file beside `output`, to be freed. NULL: there
/// are none. They are precompiled for the second source that needs them, as that costs more than
/// one source gains.
char *gcl_headers_take(const struct gcl_compilation *compilation, enum gcl_pass pass,
                       const char *output);

/// Runs a pass by the command that gcl_command_host or gcl_command_device makes, and once more
/// without `precompiled` where that fails with it. Standard error goes to `log`; NULL: to ours.
/// Returns the exit status.
int gcl_headers_run(const struct gcl_compilation *compilation, enum gcl_pass pass, const char *log);

#endif
