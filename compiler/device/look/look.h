// From access programs to code that finds where their accesses are (gcluster/look.h), for accesses
// whose places depend on what memory holds.
//
// Before: access (gcl_access_extract), lower and the kernels' code, so that nothing changes the
// looks. After: programs have looks, functions of the module that only the tables name. Stages:
//
//     nodes      nodes of a program as values of LLVM, for one lane
//     levels     the loops around them: blocks, threads, the kernel's own
//     look       which accesses get one, and that LLVM vectorises them
//
// The order of loops, and which nodes and guards belong to which of them, is that of
// plan/inspect/nest.h, by which the runtime goes through a program itself.
#ifndef GCL_DEVICE_LOOK_H
#define GCL_DEVICE_LOOK_H

#include "device/ir/module.h"

/// Gives the programs of all kernels their looks, for each kind of processor.
void gcl_looks_build(struct gcl_module *m);

/// Adds a look for an access to `module`, which has the context and layout of `m`, as a function
/// that the caller names and gives attributes. NULL: there can't be one, or it wouldn't be faster.
/// `loads`: uint16_t, is given the accesses that have windows.
LLVMValueRef gcl_look_build(struct gcl_module *m, LLVMModuleRef module,
                            const struct gcl_program *program, uint16_t access, GArray *loads);
/// Optimises a module that has nothing but looks.
void gcl_looks_optimize(struct gcl_module *m, LLVMModuleRef module);

#endif
