// Memory beyond a device: what has no room there, goes to other tiers of this node, or to another
// node's, and comes from there (exec/residency).
#ifndef GCL_PROCESS_BEYOND_H
#define GCL_PROCESS_BEYOND_H

#include "process/runtime.h"

/// Opens the tiers that this node has, once its device is chosen: the device's memory comes and
/// goes from then on. False, after a message: what the user asked for can't be had.
GCL_MUST_USE bool gcl_beyond_open(struct gcl_runtime *runtime);
/// Bytes that the tiers hold beyond the device; 0: there are none.
size_t gcl_beyond_memory(void);
/// Once it is known where memory is, and before any is allocated. False, after a message: no memory
/// or threads.
GCL_MUST_USE bool gcl_beyond_begin(struct gcl_runtime *runtime);
/// In a job: other nodes may keep what this one's tiers can't, and the other way round. False: no
/// memory.
GCL_MUST_USE bool gcl_beyond_join(const struct gcl_runtime *runtime,
                                  const struct gcl_communicator *communicator);
/// The engine is closed.
void gcl_beyond_end(void);

#endif
