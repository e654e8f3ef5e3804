// Kernels for NVIDIA's GPUs: from the device pass' IR, as it is, to PTX.
//
// The device pass compiles for NVPTX, so nothing has to be moved: what our headers call becomes
// what GPUs have for it, and variables are found where they are on all devices. It runs in a
// process of its own beside the CPU code generator: an instruction that LLVM can't translate ends
// that process and costs kernels their GPU code, never the object. Stages, in order, each a file:
//
//     generate   the stages one after the other
//     calls      calls through pointers name the functions that they may lead to
//     known      functions that our headers call become instructions; warp: those of warps;
//                order: fences, and atomic operations that order others
//     part       which part of a grid a launch is, a parameter of kernels and of what asks for it
//                (inlined, and contracted as for CPUs: lower/inline.h, lower/contract.h)
//     places     variables are where gcl_addresses says, or in the constant bank
//     refuse     kernels that GPUs can't run are left out, with a warning
//     target     kinds of GPUs; optimisation and PTX for one
//
// gcluster/kernel.h says what comes out (struct gcl_gpu_code).
#ifndef GCL_DEVICE_GPU_GPU_H
#define GCL_DEVICE_GPU_GPU_H

#include <stdbool.h>
#include <sys/types.h>

#include "device/ir/module.h"

/// A process that makes GPU code; 0: there is none.
struct gcl_gpu_process {
    pid_t id;
    int pipe; ///< what it has to say
};

/// Starts a process that makes GPU code of a module's inputs, if options ask for some. The module
/// has its variables and image from then on (lower/variables.h).
struct gcl_gpu_process gcl_gpu_start(struct gcl_module *m);
/// Awaits it: adds to `gpu_codes`, flags variables, passes messages on. An error fails the module.
void gcl_gpu_finish(struct gcl_module *m, struct gcl_gpu_process process);

#endif
