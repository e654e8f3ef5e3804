// Inside the job: the ways to a launcher, one table each.
#ifndef GCL_CLUSTER_WAY_H
#define GCL_CLUSTER_WAY_H

#include "cluster/job/job.h"

/// See the functions of job.h. `share` hands on bytes as they are.
struct gcl_job_way {
    enum gcl_status (*join)(struct gcl_job *job, bool is_strict);
    enum gcl_status (*learn_secret)(struct gcl_job *job, const struct gcl_job_patience *patience);
    enum gcl_status (*share)(struct gcl_job *job, const void *bytes, size_t size,
                             const struct gcl_job_patience *patience,
                             struct gcl_job_shares *shares);
    void (*leave)(struct gcl_job *job);
};

extern const struct gcl_job_way gcl_job_gcluster_run, gcl_job_pmix;

/// Says that not all nodes have come in time; returns GCL_SYSTEM.
enum gcl_status gcl_way_fail_late(const struct gcl_job_patience *patience);

#endif
