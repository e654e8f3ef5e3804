// From device IR to access programs (gcluster/access.h): what each kernel reads, writes, reduces.
//
// Before: retarget and legalize (lower/), so the module is IR for the host with calls of our
// intrinsics, and debug information is there. After: each kernel has its program, and the module is
// as it was. Stages, in order, all on a copy of the module with everything inlined:
//
//     value      integers as nodes of a graph (graph), in which equal values are one node
//     place      where pointers lead: an allocation and an offset
//     loop       phis in the header of a loop, in terms of the number of the iteration
//     guard      under which conditions a block runs
//     memory     what each instruction does to memory
//     draft      which places the kernel touches; declare and reduce: what pragmas say of that
//     fill       nodes, guards and accesses as tables (program puts both together, builder)
//     work       what a thread costs, for explanations
//     check      whether pragmas contradict what is known for certain
//     table      the tables as constants of the object
//     describe   the same program for explanations (explain/explain.h)
//
// value, place, loop and guard call each other, as addresses are made from values, values from
// loads, and both from loops: build.h has what they share.
#ifndef GCL_DEVICE_ACCESS_H
#define GCL_DEVICE_ACCESS_H

#include <glib.h>

#include "device/ir/module.h"
#include "explain/explain.h"
#include "gcluster/access.h"

/// Gives each kernel its program. The module stays as it is: the analysis has a copy of its own, in
/// which all that kernels call is inlined.
/// Before: retarget, legalize.
void gcl_access_extract(struct gcl_module *m);
/// Makes each kernel copy parameters by value to local variables if it does more than read them, so
/// that LLVM sees which accesses to them nobody needs. For the analysis of accesses
/// and for the code that checks it.
void gcl_access_copy_parameters(struct gcl_module *m);

#endif
