// Commands that carry out a plan on this node, and those of the runtime's own.
#ifndef GCL_EXEC_SPREAD_CARRY_H
#define GCL_EXEC_SPREAD_CARRY_H

#include "exec/spread/core.h"

/// Submits a call of the runtime's own.
struct gcl_fence gcl_spread_call(struct gcl_spread *spread, struct gcl_stream *stream,
                                 struct gcl_host_call call);
/// Whether a plan, of which this node's transfers have been chosen, moves bytes from or to nodes
/// that aren't near (communicator.h).
bool gcl_spread_moves_far(const struct gcl_spread *spread, const struct gcl_plan *plan);
/// Submits what takes no time; the fence is reached when all that the stream was given before is
/// done.
struct gcl_fence gcl_spread_submit_nothing(struct gcl_spread *spread, struct gcl_stream *stream);
/// Submits this node's share of a plan in its turn, whose moment is the operation's number: what
/// comes before the command (NULL: none), the command, and what comes after it.
struct gcl_fence gcl_spread_carry_out(struct gcl_spread *spread, struct gcl_stream *stream,
                                      struct gcl_plan *plan, struct gcl_turn turn,
                                      struct gcl_command *command);
/// This node's share of a launch.
struct gcl_spread_share {
    const struct gcl_kernel *kernel; ///< the log names it
    const struct gcl_schedule *schedule;
    struct gcl_border *border;   ///< of the blocks; NULL: all of them wait for what comes
    struct gcl_command *command; ///< runs the blocks; NULL: there are none
    struct gcl_turn turn;
    struct gcl_spread_touched *touched; ///< counts what comes by its faults; NULL: nobody does
};
/// What came to all nodes by faults of a kernel's launches, as node 0 has heard.
struct gcl_spread_touched {
    uint32_t kernel;            ///< number
    atomic_uint_least32_t part; ///< of what might have come in the latest launch, in parts of 1000
    /// The largest of those since all nodes take part; GCL_FORECAST_UNKNOWN: there was none.
    atomic_uint_least32_t most;
};
/// Like gcl_spread_carry_out, of a launch.
struct gcl_fence gcl_spread_carry_out_launch(struct gcl_spread *spread, struct gcl_stream *stream,
                                             const struct gcl_spread_share *share);

#endif
