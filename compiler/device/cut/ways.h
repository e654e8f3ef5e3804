// Ways through the control flow of a kernel on which threads don't wait for each other.
#ifndef GCL_DEVICE_WAYS_H
#define GCL_DEVICE_WAYS_H

#include <stdint.h>

#include "device/ir/cfg.h"

/// Threads that wait for each other: lanes of a warp, or all threads of a block (which makes the
/// lanes of its warps wait too).
enum gcl_wait { GCL_WAIT_WARP, GCL_WAIT_BLOCK };

/// Whether instruction `i` makes those threads wait for each other.
bool gcl_wait_is_at(LLVMValueRef i, enum gcl_wait wait);

/// The innermost loop around blocks `a` and `b` of the control flow, GCL_NOWHERE if there is none.
int gcl_ways_common_loop(const struct gcl_cfg *cfg, int a, int b);

/// Answers in constant time, after a search per block, which instructions can be run after which
/// others without a wait between.
struct gcl_ways;

/// Keeps `cfg`. Calls may be added to its function if gcl_ways_add is told of them.
struct gcl_ways *gcl_ways_create(const struct gcl_cfg *cfg);
void gcl_ways_destroy(struct gcl_ways *ways);
/// Takes note of a call that was added to the function.
void gcl_ways_add(struct gcl_ways *ways, LLVMValueRef call);

/// Waits in front of instruction `i` in its basic block.
uint32_t gcl_ways_waits_before(const struct gcl_ways *ways, LLVMValueRef i, enum gcl_wait wait);
/// Whether a wait stands behind instruction `i` in its basic block, so that no way without one
/// leads from `i` out of the block.
bool gcl_ways_waits_behind(const struct gcl_ways *ways, LLVMValueRef i, enum gcl_wait wait);

/// Whether a way without a wait leads from behind instruction `from` to `to`, however often it goes
/// round in loops.
bool gcl_ways_lead(struct gcl_ways *ways, LLVMValueRef from, LLVMValueRef to, enum gcl_wait wait);
/// Whether a way without a wait leads from behind instruction `from` to `to` that doesn't go round
/// in a loop around both.
bool gcl_ways_lead_once(struct gcl_ways *ways, LLVMValueRef from, LLVMValueRef to,
                        enum gcl_wait wait);
/// Whether a way without a wait leads from behind instruction `from` to the end of an iteration of
/// `loop` and on to `to` in the next one, without leaving the loop.
bool gcl_ways_lead_round(struct gcl_ways *ways, LLVMValueRef from, LLVMValueRef to, int loop,
                         enum gcl_wait wait);

#endif
