// Runs what a launch's blocks have launched themselves (gcluster/child.h).
#ifndef GCL_EXEC_DESCEND_H
#define GCL_EXEC_DESCEND_H

#include "exec/device/device.h"
#include "exec/engine/turn.h"

/// Whether a run, whose blocks are done, has launched something.
bool gcl_descend_is_needed(const struct gcl_run *run);
/// Runs the grids that a run's blocks have launched, and those that these launch, on the calling
/// thread: one after the other, each followed by its own. After a fault, which is the run's, the
/// others are forgotten. `scratch` is the calling thread's, as for run_units, and so is `turn`,
/// which others may have between grids.
void gcl_descend(const struct gcl_device *device, void *scratch, struct gcl_run *run,
                 struct gcl_turn_taken *turn);

#endif
