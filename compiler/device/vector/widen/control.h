// Control flow of the vector function.
#ifndef GCL_DEVICE_WIDEN_CONTROL_H
#define GCL_DEVICE_WIDEN_CONTROL_H

#include "device/vector/widen/widen.h"

/// Decides which blocks run under a mask and what follows each: fills v->blocks and v->loops.
void gcl_vector_plan(struct gcl_vector *v);
/// Builds the whole body as planned.
void gcl_vector_body(struct gcl_vector *v);

#endif
