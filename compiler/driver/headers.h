// Passes of clang's that begin with our headers, which are most of what a small source makes it
// read: it reads what it has made of them before, from the cache.
#ifndef GCL_DRIVER_HEADERS_H
#define GCL_DRIVER_HEADERS_H

#include "commands.h"

/// Runs a pass, which writes `output`, by the command that gcl_command_host or gcl_command_device
/// makes. Standard error goes to `log`; NULL: to ours. Headers are precompiled for the second
/// source that needs them, as they cost more than one source gains. Returns the exit status.
int gcl_headers_run(const struct gcl_compilation *compilation, enum gcl_pass pass,
                    const char *output, const char *log);

#endif
