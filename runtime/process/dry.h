// A dry run (GCL_DRY_NODES): nodes and a device that this process pretends to have.
#ifndef GCL_PROCESS_DRY_H
#define GCL_PROCESS_DRY_H

#include <stdbool.h>

struct gcl_runtime;

/// Makes this process node 0 of as many nodes as the environment says. False: no memory.
bool gcl_dry_join(struct gcl_runtime *runtime);
/// In a dry run, once there is a space, and before there is an engine: what is submitted is
/// counted.
void gcl_dry_listen(struct gcl_runtime *runtime);
/// At the end of a dry run: writes what was counted.
void gcl_dry_end(const struct gcl_runtime *runtime);

#endif
