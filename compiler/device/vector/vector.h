// The SPMD vectoriser: builds from the lane function of a region (cut/regions.h) functions that run
// it for many threads at a time, one a lane, and around them what runs a whole block.
//
// Before: lane functions are as cut/hoist.h leaves them, one copy for each known size of blocks.
// After: each variant of a kernel has a gcl_region for each of its regions. In order of use, from
// above:
//
//     variants     which kinds of processors and sizes of blocks get code, and whether in vectors
//                  or, in scalar, thread by thread (strips: several blocks at once; walks: single
//                  regions thread by thread)
//     vector       the functions of one variant: choose says how many lanes and how they lie
//     chain        from region to region, and what the runtime calls; sweep: the loops over the
//                  vectors of a block in one region
//     widen/       the instructions of one function, from one thread to many
#ifndef GCL_DEVICE_VECTOR_H
#define GCL_DEVICE_VECTOR_H

#include "device/ir/cfg.h"
#include "device/ir/module.h"
#include "device/ir/uniformity.h"
#include "device/vector/widen/widen.h"

/// The functions for one region, and what they are made from.
struct gcl_vector_build {
    struct gcl_module *m;
    const struct gcl_device_kernel *kernel;
    const struct gcl_device_region *region;
    const struct gcl_device_variant *variant;
    LLVMValueRef lane;
    const struct gcl_cfg *cfg;
    unsigned lanes;      ///< of the function for vectors; 0: none, threads run one by one
    bool holds;          ///< the frame's locals stay in registers while a block runs
    bool streams;        ///< writes so much that noting each vector (gcl_block.running) costs time
    bool pauses;         ///< `full` leaves the loop after a few iterations (widen/pause.h)
    uint64_t state_size; ///< bytes that a vector of it keeps meanwhile
    LLVMValueRef full;   ///< for whole vectors; NULL if there is none
    LLVMValueRef masked; ///< for part of the lanes, inside of `rest`
    LLVMValueRef rest;   ///< gcl_sweep_build_rest
};

/// Functions, one a region, that run any part of a block of any shape (vector.h:
/// gcl_sweep_build_rest): what all variants for the processor of `general` share. To be freed.
LLVMValueRef *gcl_vector_build_rests(struct gcl_module *m, const struct gcl_device_kernel *kernel,
                                     struct gcl_device_variant *general);
/// Fills `variant->functions`: every region runs its threads as vectors.
void gcl_vector_build(struct gcl_module *m, struct gcl_device_kernel *kernel,
                      struct gcl_device_variant *variant, LLVMValueRef *rests);

#endif
