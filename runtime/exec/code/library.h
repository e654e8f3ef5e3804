// Libraries with device code that the program loads while it runs, and may unload.
//
// What has been launched is told of at the end of a program, and plans refer to it: so tables of
// kernels have to outlive the library that they came in. A copy takes their place. Other nodes of a
// job load what node 0 has loaded, if it has the same bytes there.
#ifndef GCL_EXEC_LIBRARY_H
#define GCL_EXEC_LIBRARY_H

#include <stdint.h>

#include "base/status.h"
#include "gcluster/kernel.h"

/// Stays as long as the process.
struct gcl_library {
    const char *path; ///< absolute
    uint64_t content; ///< hash of its bytes
};

/// Copies what of an object's tables is asked for after its library is gone: names, parameters,
/// access programs. What runs (regions, looks, images, initial bytes) stays where it is, and is
/// gone with the library. The copy stays as long as the process. NULL: no memory.
const struct gcl_code *gcl_library_copy_code(const struct gcl_code *code);

/// The library that an object is in; NULL, after a message, if its file can't be read.
const struct gcl_library *gcl_library_of(const struct gcl_code *code);

/// Loads a library, unless this process has loaded it for this already. GCL_NO_IMAGE, after a
/// message, if there is none, if it has other bytes, or if it can't be loaded.
GCL_MUST_USE enum gcl_status gcl_library_load(const struct gcl_library *library);

#endif
