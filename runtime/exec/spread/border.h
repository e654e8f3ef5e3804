// Launches whose inner blocks run while bytes move for the others (plan/schedule/border.h).
//
// Such a launch has two streams. Its inner blocks are in the one that all of it would be in; what
// moves before it, and then the blocks of its border, in a stream beside that one, before whose
// commands no other goes first. So bytes come while inner blocks run; and the border's blocks run
// as soon as what they need is there, after which what the next launch sends is on its way while
// this one's inner blocks still run, if those have nothing to do with that.
#ifndef GCL_EXEC_SPREAD_BORDER_H
#define GCL_EXEC_SPREAD_BORDER_H

#include "exec/spread/core.h"
#include "plan/schedule/border.h"

/// A launch that is being submitted.
struct gcl_bordered {
    struct gcl_border *border;
    enum gcl_track track;
    struct gcl_stream *stream, *beside;
    struct gcl_fence before; ///< all that `stream` was given before
    bool is_early;           ///< `beside` hasn't waited for that yet
};

/// False: no memory.
bool gcl_spread_create_borders(struct gcl_spread *spread);
/// Begins to submit a launch with that plan to a track's stream, after gcl_spread_begin: what moves
/// before it goes to `beside` next. False, after it has given up: no memory.
bool gcl_spread_begin_bordered(struct gcl_spread *spread, const struct gcl_plan *plan,
                               struct gcl_bordered *launch);
/// Submits the blocks, of which `command` runs all of this node; the fence is reached when they are
/// done.
struct gcl_fence gcl_spread_run_bordered(struct gcl_spread *spread, struct gcl_bordered *launch,
                                         unsigned axis, struct gcl_command *command);

#endif
