// Explanations of kernels (--explain) on their way from code generation to standard output. Those
// of each source file lie in a file of their own until all source files have been compiled.
#ifndef GCL_DRIVER_EXPLANATIONS_H
#define GCL_DRIVER_EXPLANATIONS_H

#include <stdio.h>

#include "driver/options/options.h"

/// An array for gcl_device_options.explanations; NULL if the user doesn't want explanations. Freed
/// with g_array_unref.
GArray *gcl_explanations_create(const struct gcl_options *options);
/// Writes explanations, NULL for none, to a file.
bool gcl_explanations_write(const GArray *explanations, const struct gcl_options *options,
                            const char *path);
/// Prints the explanations in the files at `paths`, in order; files that don't exist have none.
void gcl_explanations_print(const GPtrArray *paths, const struct gcl_options *options, FILE *out);

#endif
