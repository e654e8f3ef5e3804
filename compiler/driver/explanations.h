// --explain: what code generation found out about kernels, on its way to standard output. Each
// source file's lies in a file of its own until all have been compiled.
#ifndef GCL_DRIVER_EXPLANATIONS_H
#define GCL_DRIVER_EXPLANATIONS_H

#include <stdio.h>

#include "options.h"

/// An array for gcl_device_options.explanations; NULL if the user doesn't want any. Freed with
/// g_array_unref.
GArray *gcl_explanations_create(const struct gcl_options *options);
/// Writes them, NULL for none, to a file.
bool gcl_explanations_write(const GArray *explanations, const struct gcl_options *options,
                            const char *path);
/// Prints those in the files at `paths`, in order; files that don't exist have none.
void gcl_explanations_print(const GPtrArray *paths, const struct gcl_options *options, FILE *out);

#endif
