// The job as PMIx shows it: which node this process is, and a place where nodes leave bytes for
// each other before they are connected. mpirun, srun and gcluster-run all speak PMIx.
//
// All functions are called by one thread.
#ifndef GCL_CLUSTER_JOB_H
#define GCL_CLUSTER_JOB_H

#include <stdbool.h>
#include <stddef.h>

#include "base/status.h"
#include "cluster/node.h"

struct gcl_job {
    gcl_node node, count;
    unsigned local_rank, local_count; ///< among the nodes of this host
    char host[256];                   ///< this host's name, as the launcher has it
    char name[256];                   ///< the job's
};

/// Joins the job that the environment names, and removes it from the environment: programs that
/// this one starts are no part of the job. GCL_SYSTEM, after a message, if the launcher doesn't
/// answer. The launcher notices that the process ends without gcl_job_leave.
GCL_MUST_USE enum gcl_status gcl_job_join(struct gcl_job *job);

/// Leaves bytes under `key` (at most 64 characters) for the other nodes, who see them after the
/// next fence.
GCL_MUST_USE enum gcl_status gcl_job_put(struct gcl_job *job, const char *key, const void *bytes,
                                         size_t size);
/// How long to wait for all nodes.
struct gcl_job_patience {
    unsigned seconds;
    bool (*is_in_vain)(void *context); ///< asked now and then; NULL: nobody knows
    void *context;
};
/// Waits for all nodes; GCL_SYSTEM, after a message, if they aren't there in time. GCL_NODE_LOST if
/// that is in vain.
GCL_MUST_USE enum gcl_status gcl_job_fence(struct gcl_job *job,
                                           const struct gcl_job_patience *patience);
/// What `node` left under `key`, to be freed.
GCL_MUST_USE enum gcl_status gcl_job_get(struct gcl_job *job, gcl_node node, const char *key,
                                         void **bytes, size_t *size);

/// Tells the launcher that this process ends as it should. `job` may be zeroed.
void gcl_job_leave(struct gcl_job *job);

#endif
