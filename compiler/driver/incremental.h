// How kernels of a text spread that is edited: device pass and analyses, where only kernels that
// have changed since the last time are optimised and analysed again.
//
// What is kept from one time to the next lies in a folder, and is asked for by what it comes from:
// headers by clang's command line and their state, explanations by the IR of a kernel (parts.h),
// what launches and pragmas say of it, and the command line. So it is never out of date, and
// whoever is killed halfway leaves nothing wrong.
#ifndef GCL_DRIVER_INCREMENTAL_H
#define GCL_DRIVER_INCREMENTAL_H

#include "commands.h"

/// The device pass, from source to `raw_ir`, in this process' children. `texts` (path -> GBytes)
/// count instead of files; `folder` is the one that is kept. Messages go to standard error. Returns
/// the exit status.
int gcl_incremental_read(const struct gcl_compilation *compilation, GHashTable *texts,
                         const char *folder);

/// The analyses that follow the device pass, once the findings are in their files: explanations as
/// JSON, to `explain_file`.
/// Messages go to standard error. Returns the exit status.
int gcl_incremental_explain(const struct gcl_compilation *compilation, const char *folder);

#endif
