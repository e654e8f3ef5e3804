// What an inspection finds as long as it goes on, or several threads do: marks of each allocation.
#ifndef GCL_PLAN_MARKED_H
#define GCL_PLAN_MARKED_H

#include "plan/region/marks.h"

struct gcl_inspection;

struct gcl_marked_part {
    struct gcl_span allocation; ///< addresses
    struct gcl_marks marks;     ///< of offsets in it
};

/// Zeroed, nothing.
struct gcl_marked {
    struct gcl_marked_part *parts;
    size_t count;
    bool outside;     ///< something may be touched that is in no allocation
    bool is_doubtful; ///< some of it may not be touched
};

/// Adds an allocation, as the last part, for accesses of `size` bytes as gcl_marks_init has it.
/// False: no memory.
GCL_MUST_USE bool gcl_marked_add(struct gcl_marked *marked, const struct gcl_span *allocation,
                                 uint32_t size);
/// Takes over all that `other` has, of the same access, which has nothing then. What comes of it
/// doesn't depend on the order of such calls. False: no memory.
GCL_MUST_USE bool gcl_marked_unite(struct gcl_marked *marked, struct gcl_marked *other);
/// Makes regions of the marks, which are gone then; `is_written`: each byte that isn't certain has
/// to be put together afterwards. False: no memory; there is no inspection then.
GCL_MUST_USE bool gcl_marked_tell(struct gcl_marked *marked, bool is_written,
                                  struct gcl_inspection *inspection);
void gcl_marked_finish(struct gcl_marked *marked);

#endif
