// Vector functions that leave a loop after a few iterations, and go on there when called again.
#ifndef GCL_DEVICE_WIDEN_PAUSE_H
#define GCL_DEVICE_WIDEN_PAUSE_H

#include "device/vector/widen/widen.h"

/// What a vector function returns that has paused; no region's number.
enum { GCL_PAUSED = 0xfffffff0 };
/// What the i32 says with which the state of a paused function starts.
/// GCL_STATE_ALONE: it doesn't pause.
enum { GCL_STATE_FRESH, GCL_STATE_PAUSED, GCL_STATE_DONE, GCL_STATE_ALONE };

/// Whether a lane function has a loop that several vectors may go through in step: one that all
/// lanes leave at the same time, on the function's own level.
bool gcl_vector_has_steps(const struct gcl_uniformity *u, const struct gcl_cfg *cfg);
/// At the start of a function with v->state: the branch to where it paused. Goes on, for the first
/// call, in a block of its own.
void gcl_vector_begin_steps(struct gcl_vector *v);
/// Behind all other code: what is kept while the function pauses. Sets v->state_size.
void gcl_vector_end_steps(struct gcl_vector *v);

#endif
