// What kernels of this process run on: the user says (GCL_DEVICE), or what there is decides.
#ifndef GCL_PROCESS_CHOOSE_H
#define GCL_PROCESS_CHOOSE_H

#include <stdio.h>

#include "base/env.h"
#include "cluster/cluster.h"
#include "exec/device/device.h"
#include "process/binding.h"

/// Lists the GPUs that this process may use in its seat, after objects have registered. None: the
/// program or the user wants none.
void gcl_choose_list_gpus(const struct gcl_env *env, struct gcl_seat *seat);

/// With what the nodes of this host have agreed on. NULL, after a message: the user insists on what
/// can't be had.
const struct gcl_device *gcl_choose_device(const struct gcl_env *env,
                                           const struct gcl_cluster_place *place,
                                           const struct gcl_binding *binding);

/// Writes what GPUs of this machine the driver shows, and what of that can be used, for people.
__attribute__((visibility("default"))) void gcl_choose_write_gpus(FILE *out);

#endif
