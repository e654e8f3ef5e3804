// The units of one command, shared out to threads: each worker has a contiguous range of its own,
// takes from its front, and steals the back half of somebody else's when it is used up. Units are
// claimed exactly once, by atomics alone.
#ifndef GCL_EXEC_WORK_H
#define GCL_EXEC_WORK_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

/// The slot of a thread that has none of its own.
#define GCL_WORK_GUEST UINT32_MAX

/// One worker's range: begin in the low half, end in the high half.
struct gcl_work_slot {
    _Alignas(64) _Atomic uint64_t range;
};

struct gcl_work {
    struct gcl_work_slot *slots; ///< slot_count of them, or `single`
    uint32_t slot_count;
    uint32_t unit_count;
    _Atomic uint32_t done; ///< units that have run, for progress
    struct gcl_work_slot single;
};

/// Shares out `unit_count` units to `slot_count` slots; with `slots` NULL to one, inside of `work`.
/// Keeps `slots`. No thread may claim yet.
void gcl_work_start(struct gcl_work *work, struct gcl_work_slot *slots, uint32_t slot_count,
                    uint32_t unit_count);

/// Claims units [*begin, *end), `most` of them at most: from `slot`'s own range, else from others.
/// Slots from slot_count on are guests. False if all units are claimed.
bool gcl_work_claim(struct gcl_work *work, uint32_t slot, uint32_t most, uint32_t *begin,
                    uint32_t *end);

/// Units not yet claimed, roughly: others go on claiming.
uint32_t gcl_work_left(const struct gcl_work *work);

#endif
