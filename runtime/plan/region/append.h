// How boxes in ascending order become the list of a region, as few as are found. Private to this
// room, and to those who read regions from elsewhere.
#ifndef GCL_PLAN_APPEND_H
#define GCL_PLAN_APPEND_H

#include "plan/region/region.h"

/// What belongs to one operation: how much work is left, and the motifs that it has made, which it
/// holds until it is finished. So a region that is being made, a draft, needn't hold any.
struct gcl_region_work {
    int64_t steps;
    bool asks; ///< nothing is kept: the operation ends where the first box would be
    struct gcl_motif *motifs;
};

/// The work that an operation on regions may take.
struct gcl_region_work gcl_region_work(void);
/// Takes a motif that was made for the operation.
void gcl_region_work_keep(struct gcl_region_work *work, struct gcl_motif *motif);
void gcl_region_work_finish(struct gcl_region_work *work);

/// Appends a box that begins at or after the end of the last one to a draft, and simplifies. False:
/// the work, the boxes or the memory are used up, or the work only asks.
bool gcl_append(struct gcl_region *draft, struct gcl_strided box, struct gcl_region_work *work);
/// Appends boxes of a region's list. False as above.
bool gcl_append_list(struct gcl_region *draft, const struct gcl_strided *boxes, size_t count,
                     struct gcl_region_work *work);
/// Appends `count` copies, each `stride` bytes after the one before, of boxes that are in order and
/// lie within so many bytes. False as above.
bool gcl_append_copies(struct gcl_region *draft, const struct gcl_strided *boxes, size_t box_count,
                       struct gcl_level level, struct gcl_region_work *work);

/// The boxes of a draft, until it grows.
static inline struct gcl_strided *gcl_draft_boxes(struct gcl_region *draft) {
    return draft->capacity > 0 ? draft->many : draft->few;
}
/// Makes a region of a draft: it holds its motifs.
void gcl_draft_keep(struct gcl_region *draft);
/// Frees a draft; motifs aren't touched.
void gcl_draft_drop(struct gcl_region *draft);
/// Boxes that a region, or a draft, is told by, also those in motifs.
size_t gcl_draft_weight(const struct gcl_region *draft);

#endif
