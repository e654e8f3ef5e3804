// Conditions under which blocks run and loops go on.
#ifndef GCL_DEVICE_ACCESS_GUARD_H
#define GCL_DEVICE_ACCESS_GUARD_H

#include "device/access/build.h"

/// Fills x->up.
void gcl_access_find_ups(struct gcl_extraction *x);
/// The condition under which control gets to `block` from the start of the iteration, or from
/// x->up of the block.
uint32_t gcl_access_reach(struct gcl_extraction *x, int block);
/// Whether the edge from `from` has led to `block`: that decides which of the values that meet
/// there it is..
uint32_t gcl_access_choice(struct gcl_extraction *x, int from, int block);
/// The condition under which the loop goes on.
uint32_t gcl_access_repeats(struct gcl_extraction *x, int loop);

#endif
