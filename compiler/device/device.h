// From the device pass' LLVM IR to an object file: the code generators.
//
// clang compiles device code for NVPTX, because there kernels keep their parameters as written and
// address spaces tell shared and constant memory apart; this module moves that IR to the host's
// processor, and to PTX for GPUs. Each stage is a function from a module to a module, device.c
// calls them one after the other, and each room's front header says what its stages do and what
// must have run before:
//
//     ir         what all stages share: struct gcl_module, control flow, uniformity (ir/module.h)
//     ptx        inline assembly becomes IR (ptx/ptx.h)
//     lower      NVPTX becomes the host's: retarget, legalize … variables (lower/lower.h)
//     access     what each kernel reads and writes, from a copy of the module (access/access.h)
//     cut        a kernel falls apart at barriers into regions (cut/cut.h)
//     vector     code for a whole block from each region, once for each kind of processor and block
//                size: vectors of threads, or thread by thread (vector/vector.h)
//     gpu        beside cut and vector, in a process of its own: PTX for NVIDIA's GPUs (gpu/gpu.h)
//     look       code by which the runtime finds accesses that depend on data (look/look.h)
//     tables     what the runtime reads (gcluster/kernel.h)
//     emit       optimisation and object file; levels: one for each kind of processor
//
// A room uses those above it in this list, never the other way round.
#ifndef GCL_DEVICE_DEVICE_H
#define GCL_DEVICE_DEVICE_H

#include <glib.h>
#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

#include "base/pragma.h"
#include "base/shape.h"
#include "device/ir/options.h"

/// Compiles device code and writes `object_path`: one input for a source file that stands alone,
/// all files of a program that are compiled separately and linked (-rdc=true). What the user has to
/// know is appended to `diagnostics` (struct gcl_diagnostic *). Returns false, and
/// writes no object, if one of them is an error. With `options->dump` the text goes to standard
/// output as well.
bool gcl_device_compile(const struct gcl_device_options *options,
                        const struct gcl_device_input *inputs, size_t count,
                        const char *object_path, GPtrArray *diagnostics);

enum {
    GCL_DEVICE_SHARES = 2, ///< processes among which very long code of a level is shared out
    GCL_DEVICE_PARTS = 8,  ///< for more levels than there are
};
/// Where gcl_device_compile, with `options->in_parts`, may have written a part of the object at
/// `object_path`: part 0 to GCL_DEVICE_PARTS - 1. Those that exist are to be linked with it. To be
/// freed.
char *gcl_device_part_path(const char *object_path, size_t part);

#endif
