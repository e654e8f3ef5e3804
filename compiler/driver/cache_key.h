// What an object depends on, as a key of the cache.
//
// A source and its headers: as both passes get them after preprocessing, and the bytes of those
// that aren't the system's, since comments, pragmas and names of macros count for messages. So a
// header that appears in front of another one changes the key as well. Besides: both command lines,
// the working folder, the programs and libraries that compile, and what they read in the
// environment.
#ifndef GCL_DRIVER_CACHE_KEY_H
#define GCL_DRIVER_CACHE_KEY_H

#include "commands.h"
#include "process.h"

/// The key of a compilation whose files have names, 64 lower-case hexadecimal digits, to be freed.
/// NULL: it can't be cached, and `*why` is why; or it doesn't compile.
char *gcl_cache_key(const struct gcl_compilation *compilation, struct gcl_workspace *workspace,
                    const char **why);

#endif
