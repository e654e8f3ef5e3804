// What the shares of an inspection have found, and where they looked it up: when some of that
// changes, only the shares that have looked there have to look again.
#ifndef GCL_PLAN_KEPT_H
#define GCL_PLAN_KEPT_H

#include "plan/directory/directory.h"
#include "plan/inspect/inspect.h"

/// Pages of an allocation.
struct gcl_kept_read {
    uint64_t begin; ///< address of the allocation
    struct gcl_region pages;
};

/// Marks of an allocation.
struct gcl_kept_found {
    struct gcl_span allocation; ///< addresses
    struct gcl_marks_copy marks;
};

struct gcl_kept_share {
    bool is_there;
    bool outside, is_doubtful; ///< as in struct gcl_marked
    struct gcl_kept_read *reads;
    size_t read_count;
    struct gcl_kept_found *found;
    size_t found_count;
};

/// Zeroed, nothing is kept.
struct gcl_kept {
    uint64_t version; ///< the directory's when shares were still right
    struct gcl_kept_share *shares;
    unsigned count;
};

/// Drops the shares that have looked at what has changed since; the others are right now.
void gcl_kept_drop_changed(struct gcl_kept *kept, struct gcl_directory *directory);
/// Has room for so many shares, and keeps those that there are if they are as many. False: no
/// memory.
GCL_MUST_USE bool gcl_kept_reserve(struct gcl_kept *kept, unsigned count);
/// Keeps what a share has found by what it has read in `contents`, which were lent for that, unless
/// that takes more memory than it has read, or depends on more than what was there. On any thread,
/// a share each.
void gcl_kept_put(struct gcl_kept_share *share, const struct gcl_marked *marked,
                  const struct gcl_contents *contents);
/// Adds what a share has found to `marked`, of accesses of `size` bytes. False: no memory.
GCL_MUST_USE bool gcl_kept_add(const struct gcl_kept_share *share, uint32_t size,
                               struct gcl_marked *marked);
/// Bytes of memory that it takes besides struct gcl_kept.
size_t gcl_kept_memory(const struct gcl_kept *kept);
void gcl_kept_finish(struct gcl_kept *kept);

#endif
