// -ccbin mpicxx: what MPI's compilers add to a command line.
#ifndef GCL_DRIVER_WRAPPER_H
#define GCL_DRIVER_WRAPPER_H

#include "driver/options/options.h"

/// If the host compiler that the options name is one of MPI's, which hand all words and some of
/// their own to another compiler, asks it for those and adds them to the options. Runs it, so only
/// for who has written the command line. What can't be asked is an error.
void gcl_wrapper_ask(struct gcl_options *options, GPtrArray *diagnostics);

#endif
