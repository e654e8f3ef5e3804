// What users can see of a program as it runs: its trace, its statistics.
#ifndef GCL_PROCESS_WATCH_H
#define GCL_PROCESS_WATCH_H

#include <stdbool.h>

#include "cluster/communicator/communicator.h"

struct gcl_runtime;

/// Begins what the environment asks for.
void gcl_watch_begin(struct gcl_runtime *runtime);
/// In a job of several nodes, which are connected: has `communicator` measured. False: no memory.
bool gcl_watch_connect(struct gcl_runtime *runtime, struct gcl_communicator *communicator);
/// Node 0, when all nodes have settled: takes what they have seen.
void gcl_watch_collect(struct gcl_runtime *runtime);
/// Writes what was seen.
void gcl_watch_end(struct gcl_runtime *runtime);

#endif
