// What __attribute__((annotate("..."))) says of variables and kernels, in our own headers and
// libraries:
//
//     gcl.managed          a variable that hosts see, too
//     gcl.native=name      the function that runs a kernel's blocks on CPUs (vector/native.h)
//     gcl.pragma clauses   clauses of a #pragma gcluster, for headers, in which pragmas aren't
//     read;
//                          integers among the parameters are unsigned
#ifndef GCL_DEVICE_LOWER_ANNOTATIONS_H
#define GCL_DEVICE_LOWER_ANNOTATIONS_H

#include "device/ir/module.h"

/// Those of kernels. Clauses that can't be read, or name what isn't a parameter, are left out:
/// without them more is assumed to be touched.
void gcl_annotations_read_kernels(struct gcl_module *m);
/// Those of variables, once these are listed.
void gcl_annotations_read_variables(struct gcl_module *m);

#endif
