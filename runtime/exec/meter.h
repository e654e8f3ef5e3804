// A courier that another one works for: it measures what that one carries.
#ifndef GCL_EXEC_METER_H
#define GCL_EXEC_METER_H

#include "cluster/parcel.h"

struct gcl_stats;

/// Lives as long as the process. GCL_NO_MEMORY: `courier` stays as it is.
GCL_MUST_USE enum gcl_status gcl_meter_init(struct gcl_courier *courier, struct gcl_stats *stats);

#endif
