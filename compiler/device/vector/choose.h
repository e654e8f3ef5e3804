// Choices for the code of a region: how many lanes, how they lie, and which functions there are.
#ifndef GCL_DEVICE_VECTOR_CHOOSE_H
#define GCL_DEVICE_VECTOR_CHOOSE_H

#include "device/ir/module.h"
#include "device/ir/uniformity.h"
#include "device/vector/vector.h"

/// Upper bound on the threads of blocks that get no vectors but warps, and lower bound on lanes.
enum { GCL_LEAST_LANES = 4 };

/// Lanes of the function for whole vectors of `lane`, which is a lane function of b->variant.
unsigned gcl_choose_lanes(const struct gcl_vector_build *b, LLVMValueRef lane);
/// Lanes of the function for parts of vectors; 0: there is none, threads run one by one.
unsigned gcl_choose_masked_lanes(const struct gcl_vector_build *b);
/// How the lanes lie for the function for whole vectors, or the one for part of the lanes.
struct gcl_lane_geometry gcl_choose_geometry(const struct gcl_vector_build *b, bool is_full);
/// Whether threads of the kernel may stand before different cuts.
bool gcl_choose_may_part(const struct gcl_device_kernel *kernel);
/// Whether a region is worth a function for whole vectors.
bool gcl_choose_wants_full(const struct gcl_vector_build *b);
/// Whether what threads keep across cuts stays in registers while a block runs. Changes b->lanes.
bool gcl_choose_holds_frame(struct gcl_vector_build *b);
/// Whether the function for whole vectors leaves its loop after a few iterations, so that the
/// vectors of several blocks go through it in step (gcl_vector_build.pauses).
bool gcl_choose_pauses(const struct gcl_vector_build *b);
/// Whether a region does little but write to memory that others see (gcl_vector_build.streams).
bool gcl_choose_streams(const struct gcl_vector_build *b);

#endif
