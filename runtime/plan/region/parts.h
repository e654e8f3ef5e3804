// Lists of boxes within an operation on regions: what of a box lies in a range. Private to this
// room.
//
// They borrow motifs from the boxes that they are made of.
#ifndef GCL_PLAN_PARTS_H
#define GCL_PLAN_PARTS_H

#include "base/status.h"
#include "plan/region/strided.h"

enum { GCL_PARTS_FEW = 8 };

/// Boxes in ascending order. Zeroed by gcl_parts_init; they mustn't be moved.
struct gcl_parts {
    size_t count, capacity;
    struct gcl_strided *boxes; ///< or `few`
    struct gcl_strided few[GCL_PARTS_FEW];
};

void gcl_parts_init(struct gcl_parts *parts);
void gcl_parts_finish(struct gcl_parts *parts);
/// All functions that add return false without memory.
GCL_MUST_USE bool gcl_parts_add(struct gcl_parts *parts, const struct gcl_strided *box);
/// Adds `count` copies of a box's uppermost level, from copy `first` on: as a box, or the boxes of
/// the one motif.
GCL_MUST_USE bool gcl_parts_add_copies(struct gcl_parts *parts, const struct gcl_strided *box,
                                       int64_t first, int64_t count);
/// Adds what of `box` is in [begin, end).
GCL_MUST_USE bool gcl_parts_add_within(struct gcl_parts *parts, const struct gcl_strided *box,
                                       int64_t begin, int64_t end);

#endif
