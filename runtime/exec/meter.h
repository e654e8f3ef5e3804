// A courier that another one works for: it measures what that one carries.
#ifndef GCL_EXEC_METER_H
#define GCL_EXEC_METER_H

#include "cluster/parcel.h"

struct gcl_stats;
struct gcl_trace;

/// Tells `stats` and `trace` (either may be NULL) from here on what `courier` carries; lives as
/// long as the process. GCL_NO_MEMORY: `courier` stays as it is.
GCL_MUST_USE enum gcl_status gcl_meter_init(struct gcl_courier *courier, struct gcl_stats *stats,
                                            struct gcl_trace *trace);

#endif
