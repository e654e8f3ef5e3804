// Modules in the form of PTX (gcluster/module.h).
#ifndef GCL_DRIVER_MODULE_H
#define GCL_DRIVER_MODULE_H

#include <stdbool.h>

#include <glib.h>

/// Writes to `output` the PTX in file `ptx`, the names in file `names`, one a line, and behind them
/// the shared object in file `binary`. The first two needn't be there. False with a diagnostic if
/// that fails.
bool gcl_module_write_text(const char *ptx, const char *names, const char *binary,
                           const char *output, GPtrArray *diagnostics);

#endif
