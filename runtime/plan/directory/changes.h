// Which bytes of an allocation have been changed since when, so that who has found something by
// them needs to look again only at those.
#ifndef GCL_PLAN_CHANGES_H
#define GCL_PLAN_CHANGES_H

#include "plan/region/region.h"

enum { GCL_CHANGES_MOST = 4 }; // that are told apart

/// Bytes that have changed, at the latest with that version of their allocation.
struct gcl_change {
    uint64_t version;
    struct gcl_region bytes;
};

/// Zeroed, nothing has changed.
struct gcl_changes {
    struct gcl_change list[GCL_CHANGES_MOST]; ///< the oldest first
    unsigned count;
};

/// Adds a change, whose version is above all before. Old ones are taken together when there are
/// many, so that more may be said to have changed with them.
void gcl_changes_add(struct gcl_changes *changes, uint64_t version, const struct gcl_region *bytes);
/// Adds to `bytes` what has changed after a version, or more.
void gcl_changes_since(const struct gcl_changes *changes, uint64_t version,
                       struct gcl_region *bytes);
/// Bytes of memory that changes take besides struct gcl_changes.
size_t gcl_changes_memory(const struct gcl_changes *changes);
void gcl_changes_finish(struct gcl_changes *changes);

#endif
