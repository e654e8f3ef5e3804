// Copies and sets.
#ifndef GCL_EXEC_SPREAD_COPY_H
#define GCL_EXEC_SPREAD_COPY_H

#include "exec/spread/core.h"

/// One end of a copy.
struct gcl_operation_box gcl_spread_box(const void *begin, size_t pitch, size_t slice,
                                        const struct gcl_box_copy *copy);
/// The allocation that a box is in; NULL: none.
const struct gcl_directory_entry *gcl_spread_entry(struct gcl_spread *spread,
                                                   const struct gcl_operation_box *box);
/// The bytes of a box in its allocation; false if that can't be said exactly.
bool gcl_spread_region(const struct gcl_directory_entry *entry, const struct gcl_operation_box *box,
                       struct gcl_region *region);
/// Submits what an ACCESS asks of this node, with node 0's command.
struct gcl_fence gcl_spread_access(struct gcl_spread *spread, struct gcl_stream *stream,
                                   const struct gcl_operation *o, struct gcl_command *command);
struct gcl_fence gcl_spread_fill(struct gcl_spread *spread, struct gcl_stream *stream,
                                 const struct gcl_operation *o);
struct gcl_fence gcl_spread_submit_copy(struct gcl_spread *spread, struct gcl_stream *stream,
                                        struct gcl_command *command);

#endif
