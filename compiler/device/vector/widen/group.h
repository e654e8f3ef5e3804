// Groups: loads or stores that are neighbours in memory.
#ifndef GCL_DEVICE_WIDEN_GROUP_H
#define GCL_DEVICE_WIDEN_GROUP_H

#include "device/vector/widen/widen.h"

/// Upper bound on the members of a group.
enum { GCL_GROUP_MOST = 8 };

/// Loads or stores of one block side by side in memory, which are done at once.
struct gcl_group {
    LLVMValueRef members[GCL_GROUP_MOST]; ///< by address
    unsigned count;                       ///< a power of two; 1: no neighbours
    LLVMValueRef first, last;             ///< members, in the program's order
    int64_t distance;                     ///< bytes from members[0] to `first`
    LLVMValueRef lanes[GCL_GROUP_MOST];   ///< vectors that members have loaded
};

/// The group that a load or store belongs to, the same for all members.
struct gcl_group *gcl_group_of(struct gcl_vector *v, LLVMValueRef i);
/// Fills `lanes` from the vector of all members of all lanes as they lie in memory.
void gcl_group_sort(struct gcl_vector *v, struct gcl_group *g, LLVMValueRef joined);
/// The vector of what all members of all lanes store, as it has to lie in memory.
LLVMValueRef gcl_group_merge(struct gcl_vector *v, const struct gcl_group *g);
/// `count` vectors, a power of two up to GCL_GROUP_MOST, as one: the first elements of all, …
LLVMValueRef gcl_group_interleave(struct gcl_vector *v, LLVMValueRef *vectors, unsigned count);

#endif
