// Copies and sets.
#ifndef GCL_EXEC_SPREAD_COPY_H
#define GCL_EXEC_SPREAD_COPY_H

#include "exec/spread/core.h"

/// The allocation that a box is in; NULL: none.
const struct gcl_directory_entry *gcl_spread_entry(struct gcl_spread *spread,
                                                   const struct gcl_operation_box *box);
/// Submits what an ACCESS asks of this node, with node 0's command.
struct gcl_fence gcl_spread_access(struct gcl_spread *spread, struct gcl_stream *stream,
                                   const struct gcl_operation *o, struct gcl_command *command);
struct gcl_fence gcl_spread_fill(struct gcl_spread *spread, struct gcl_stream *stream,
                                 const struct gcl_operation *o);
struct gcl_fence gcl_spread_submit_copy(struct gcl_spread *spread, struct gcl_stream *stream,
                                        struct gcl_command *command);

#endif
