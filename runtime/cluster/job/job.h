// The job as its launcher shows it: which node this process is, the secret that only the job's
// nodes know, and rounds in which all nodes share bytes before they are connected.
//
// Two launchers' ways are behind it: gcluster-run's (rendezvous.h) and PMIx, for mpirun and srun.
// What nodes share carries a proof of the secret, whichever way it goes.
//
// All functions are called by one thread.
#ifndef GCL_CLUSTER_JOB_H
#define GCL_CLUSTER_JOB_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"
#include "cluster/communicator/node.h"
#include "cluster/job/rendezvous.h"
#include "cluster/wire/secret.h"

struct gcl_job_way;

struct gcl_job {
    gcl_node node, count;
    unsigned local_rank, local_count; ///< among the nodes of this host
    char host[256];                   ///< this host's name, as the launcher has it
    const struct gcl_job_way *way;
    int launcher;                    ///< gcluster-run's: the socket to it
    char name[256];                  ///< PMIx's: the job's
    uint32_t round;                  ///< of sharing
    uint8_t secret[GCL_SECRET_SIZE]; ///< after gcl_job_learn_secret
};

/// How long to wait for all nodes.
struct gcl_job_patience {
    unsigned seconds;
    bool (*is_in_vain)(void *context); ///< asked now and then; NULL: nobody knows
    void *context;
};

/// What all nodes have shared in one round.
struct gcl_job_shares {
    struct gcl_rendezvous_share *of; ///< by node
    void *body;                      ///< that these point into
};

/// Joins the job that the environment names, and removes it from the environment: programs that
/// this one starts are no part of the job. GCL_SYSTEM, after a message, if the launcher doesn't
/// answer, or if what the environment names isn't of this user. A launcher that would let other
/// users in is warned of, and is an error if `is_strict`. The launcher notices that the process
/// ends without gcl_job_leave.
GCL_MUST_USE enum gcl_status gcl_job_join(struct gcl_job *job, bool is_strict);

/// Learns the secret: the first thing to do after joining. Under PMIx node 0 makes it, and all
/// nodes have to call this; GCL_SYSTEM, after a message, if they aren't there in time.
GCL_MUST_USE enum gcl_status gcl_job_learn_secret(struct gcl_job *job,
                                                  const struct gcl_job_patience *patience);

/// Shares up to GCL_JOB_SHARE_SIZE bytes, which may be none, with all nodes, and waits until all
/// have. GCL_SYSTEM, after a message, if they aren't there in time, or if what one of them shares
/// isn't authentic; GCL_NODE_LOST if waiting is in vain. `shares` to be freed by
/// gcl_job_shares_free.
GCL_MUST_USE enum gcl_status gcl_job_share(struct gcl_job *job, const void *bytes, size_t size,
                                           const struct gcl_job_patience *patience,
                                           struct gcl_job_shares *shares);
enum { GCL_JOB_SHARE_SIZE = 15 * 1024 };
/// Takes zeroed ones.
void gcl_job_shares_free(struct gcl_job_shares *shares);

/// Tells the launcher that this process ends as it should. `job` may be zeroed.
void gcl_job_leave(struct gcl_job *job);

#endif
