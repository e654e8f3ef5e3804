// Commands that carry out a plan on this node, and those of the runtime's own.
#ifndef GCL_EXEC_SPREAD_CARRY_H
#define GCL_EXEC_SPREAD_CARRY_H

#include "exec/spread/core.h"

/// Submits a call of the runtime's own.
struct gcl_fence gcl_spread_call(struct gcl_spread *spread, struct gcl_stream *stream,
                                 struct gcl_host_call call);
/// Submits what takes no time; the fence is reached when all that the stream was given before is
/// done.
struct gcl_fence gcl_spread_submit_nothing(struct gcl_spread *spread, struct gcl_stream *stream);
/// Submits this node's share of a plan in its turn, whose moment is the operation's number: what
/// comes before the command (NULL: none), the command, and what comes after it.
struct gcl_fence gcl_spread_carry_out(struct gcl_spread *spread, struct gcl_stream *stream,
                                      struct gcl_plan *plan, struct gcl_turn turn,
                                      struct gcl_command *command);
/// Like gcl_spread_carry_out, of a launch's schedule; the log names its kernel.
struct gcl_fence gcl_spread_carry_out_launch(struct gcl_spread *spread, struct gcl_stream *stream,
                                             const struct gcl_schedule *schedule,
                                             const struct gcl_kernel *kernel, struct gcl_turn turn,
                                             struct gcl_command *command);

#endif
