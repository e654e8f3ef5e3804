// A communicator that another one works for: it measures what that one carries.
#ifndef GCL_EXEC_METER_H
#define GCL_EXEC_METER_H

#include "cluster/communicator/communicator.h"

struct gcl_listeners;

/// Tells listeners, which stay, from here on what `communicator` carries; lives as long as the
/// process. GCL_NO_MEMORY: `communicator` stays as it is.
GCL_MUST_USE enum gcl_status gcl_meter_init(struct gcl_communicator *communicator,
                                            const struct gcl_listeners *listeners);

#endif
