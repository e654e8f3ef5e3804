// From a command line to objects and programs.
#ifndef GCL_DRIVER_DRIVER_H
#define GCL_DRIVER_DRIVER_H

#include "driver/options/options.h"

/// Does what `options` say; messages go to standard error. Returns the exit status. Nothing
/// half-written is left behind.
int gcl_driver_run(const struct gcl_options *options);

/// -v and -dryrun: prints nvcc's settings to standard error, in the form in which CMake and other
/// build systems read them.
void gcl_driver_describe(void);

#endif
