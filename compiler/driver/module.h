// Modules in the form of PTX (gcluster/module.h).
#ifndef GCL_DRIVER_MODULE_H
#define GCL_DRIVER_MODULE_H

#include <stdbool.h>

#include <glib.h>

/// Writes to `output` the PTX in file `ptx`, which needn't be there, and behind it the shared
/// object in file `binary`. False with a diagnostic if that fails.
bool gcl_module_write_text(const char *ptx, const char *binary, const char *output,
                           GPtrArray *diagnostics);

#endif
