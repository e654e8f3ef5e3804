// What is looked up in memory to plan a launch.
#ifndef GCL_EXEC_SPREAD_CONTENTS_H
#define GCL_EXEC_SPREAD_CONTENTS_H

#include "exec/spread/core.h"
#include "plan/survey/reader.h"

// The functions of struct gcl_reader; `spread` is a struct gcl_spread.
bool gcl_spread_fetch(void *spread, const struct gcl_demand *demands, size_t count);
const unsigned char *gcl_spread_memory_at(void *spread, uint64_t begin);
bool gcl_spread_tell(void *spread, const struct gcl_words *own, struct gcl_words *all);
void gcl_spread_blame(void *spread, uint32_t node);
void gcl_spread_share(void *spread, void (*work)(void *context, uint32_t number), void *context,
                      uint32_t count);

/// In the middle of planning: waits until this node has done what was submitted to it before, which
/// doesn't count as planning.
void gcl_spread_reach_before(struct gcl_spread *spread);

/// Forgets what has been looked at of an allocation, which is gone.
void gcl_spread_drop_mirror(struct gcl_spread *spread, uint64_t begin);

/// Allocations that have escaped.
struct gcl_escapes {
    struct gcl_allocation *list;
    size_t count;
    bool are_unknown; ///< what comes before may wait for the program: everything may have
};
/// Node 0: finds what has escaped where a kernel needs to know that, after a little time for what
/// may wait for the program where a kernel is planned by what is in memory. The lock isn't held.
struct gcl_escapes gcl_spread_find_escapes(struct gcl_spread *spread,
                                           const struct gcl_kernel *kernel);
/// Tells the other nodes what is new of it, and frees the list.
void gcl_spread_tell_escapes(struct gcl_spread *spread, struct gcl_escapes *escapes);

#endif
