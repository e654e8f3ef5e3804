// What the ways to a launcher have in common: each waits for all nodes, for so long.
#include "way.h"

#include "base/log.h"

enum gcl_status gcl_way_fail_late(const struct gcl_job_patience *patience) {
    gcl_log(GCL_LOG_ERROR, "not all nodes of the job have started within %u s", patience->seconds);
    return GCL_SYSTEM;
}
