// What is shared has the form: proof, bytes. The proof names node and round, so that nothing of one
// place can be shown in another.
#include "job.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/log.h"
#include "cluster/job/way.h"

_Static_assert(GCL_JOB_SHARE_SIZE + GCL_WIRE_PROOF_SIZE <= GCL_RENDEZVOUS_SHARE_SIZE, "no room");

// Programs that this process starts are no part of the job, whichever launcher it came from.
static void clean_environment(void) {
    size_t count = 0;
    while (environ && environ[count])
        count++;
    // Walked backwards, nothing is skipped when an entry is removed.
    for (size_t i = count; i-- > 0;) {
        const char *equals = strchr(environ[i], '=');
        char name[128];
        if (strncmp(environ[i], "PMIX_", 5) != 0 || !equals)
            continue;
        snprintf(name, sizeof name, "%.*s", (int)(equals - environ[i]), environ[i]);
        unsetenv(name);
    }
    unsetenv(GCL_RENDEZVOUS_DESCRIPTOR);
    unsetenv(GCL_RENDEZVOUS_NODE);
}

enum gcl_status gcl_job_join(struct gcl_job *job, bool is_strict) {
    memset(job, 0, sizeof *job);
    job->launcher = -1;
    job->way = getenv(GCL_RENDEZVOUS_DESCRIPTOR) ? &gcl_job_gcluster_run : &gcl_job_pmix;
    enum gcl_status status = job->way->join(job, is_strict);
    clean_environment();
    if (status == GCL_OK &&
        (job->count == 0 || job->count > GCL_MAX_NODES || job->node >= job->count)) {
        gcl_log(GCL_LOG_ERROR, "the launcher calls this process node %u of %u", job->node,
                job->count);
        status = GCL_SYSTEM;
    }
    if (status != GCL_OK)
        gcl_job_leave(job);
    return status;
}

enum gcl_status gcl_job_learn_secret(struct gcl_job *job, const struct gcl_job_patience *patience) {
    assert(job->way);
    return job->way->learn_secret(job, patience);
}

// Removes the proofs, once they are right.
static enum gcl_status check_proofs(const struct gcl_job *job, struct gcl_job_shares *shares) {
    uint8_t proof[GCL_WIRE_PROOF_SIZE];
    for (gcl_node n = 0; n < job->count; n++) {
        struct gcl_rendezvous_share *share = &shares->of[n];
        bool has_proof = share->size >= sizeof proof;
        if (has_proof) {
            gcl_secret_seal(job->secret, n, job->round, share->bytes + sizeof proof,
                            share->size - sizeof proof, proof);
            share->bytes += sizeof proof;
            share->size -= sizeof proof;
        }
        if (has_proof && gcl_secret_equal(proof, share->bytes - sizeof proof, sizeof proof))
            continue;
        gcl_log(GCL_LOG_ERROR,
                "what node %u says of itself doesn't prove that it knows the job's secret", n);
        return GCL_SYSTEM;
    }
    return GCL_OK;
}

enum gcl_status gcl_job_share(struct gcl_job *job, const void *bytes, size_t size,
                              const struct gcl_job_patience *patience,
                              struct gcl_job_shares *shares) {
    uint8_t sealed[GCL_RENDEZVOUS_SHARE_SIZE];
    assert(job->way && (bytes || size == 0));
    *shares = (struct gcl_job_shares){.of = NULL};
    if (size > GCL_JOB_SHARE_SIZE) {
        gcl_log(GCL_LOG_ERROR, "node %u has %zu bytes to say of itself, more than the %d allowed",
                job->node, size, GCL_JOB_SHARE_SIZE);
        return GCL_SYSTEM;
    }
    if (size > 0)
        memcpy(sealed + GCL_WIRE_PROOF_SIZE, bytes, size);
    gcl_secret_seal(job->secret, job->node, job->round, sealed + GCL_WIRE_PROOF_SIZE, size, sealed);
    enum gcl_status status =
        job->way->share(job, sealed, size + GCL_WIRE_PROOF_SIZE, patience, shares);
    if (status == GCL_OK)
        status = check_proofs(job, shares);
    if (status != GCL_OK)
        gcl_job_shares_free(shares);
    job->round++;
    return status;
}

void gcl_job_shares_free(struct gcl_job_shares *shares) {
    free(shares->of);
    free(shares->body);
    *shares = (struct gcl_job_shares){.of = NULL};
}

void gcl_job_leave(struct gcl_job *job) {
    if (job->way)
        job->way->leave(job);
    job->way = NULL;
}
