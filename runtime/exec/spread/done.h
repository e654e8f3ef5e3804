// Which plans node 0 is done with, for those who listen: the program may be far ahead of that.
#ifndef GCL_EXEC_DONE_H
#define GCL_EXEC_DONE_H

#include "exec/engine/engine.h"
#include "exec/watch/listener.h"

/// Plans on their way, in the order of commands. Used by one thread at a time.
struct gcl_done {
    struct gcl_engine *engine;
    const struct gcl_listeners *listeners;
    struct gcl_done_plan *first, *last;
    uint64_t count; ///< added so far
};

/// Holds `plan`, which `heard` is about, until it is done, at the fence. Tells of those before it
/// now and then.
void gcl_done_add(struct gcl_done *done, const struct gcl_heard_plan *heard, struct gcl_plan *plan,
                  struct gcl_fence fence);
/// Tells listeners of all that are done.
void gcl_done_tell(struct gcl_done *done);

#endif
