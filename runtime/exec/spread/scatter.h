// What comes from the host goes on to other nodes.
#ifndef GCL_EXEC_SPREAD_SCATTER_H
#define GCL_EXEC_SPREAD_SCATTER_H

#include "exec/spread/core.h"

/// False: no memory.
bool gcl_spread_create_readers(struct gcl_spread *spread);
/// A launch is going to be carried out by this plan.
void gcl_spread_note_readers(struct gcl_spread *spread, struct gcl_plan *plan);
/// The allocation that begins there is going to be free.
void gcl_spread_forget_readers(struct gcl_spread *spread, uint64_t begin);
/// Node 0 has been submitted a copy of the box from the host: submits what goes on from there.
void gcl_spread_scatter(struct gcl_spread *spread, const struct gcl_directory_entry *entry,
                        const struct gcl_operation_box *box);

#endif
