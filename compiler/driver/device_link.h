// The device code of a program's objects, put together when the program is linked (-rdc=true).
#ifndef GCL_DRIVER_DEVICE_LINK_H
#define GCL_DRIVER_DEVICE_LINK_H

#include <glib.h>

#include "driver/options/options.h"
#include "objects.h"

/// Work for a child process: see process.h.
struct gcl_device_link {
    const struct gcl_options *options;
    const struct gcl_objects *objects;
    const char *output;
    const char *explain_file; ///< what is known of the kernels, for --explain
    bool colour;
};

/// Reads the device IR of `paths` and of the archives among `options->link`. Returns false if there
/// is none, or if one of the objects has what was made of it already.
bool gcl_device_link_collect(const struct gcl_options *options, const GPtrArray *paths,
                             struct gcl_objects *objects);

/// Compiles all device code to one object (`context` is a struct gcl_device_link). Returns an exit
/// status; messages go to standard error.
int gcl_device_link_run(void *context);

#endif
