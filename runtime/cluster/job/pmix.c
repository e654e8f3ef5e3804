// PMIx's way, for mpirun and srun. PMIx is asked for little: who we are, rounds of bytes, and the
// end. Its events are not used: they don't arrive with the versions that Debian 12 has;
// lifeline/lifeline.h is what is used instead. Node 0 makes the secret: PMIx hands it to the
// processes of the job, or to whom it takes for one (see check_beliefs).
#include <assert.h>
#include <pmix.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/log.h"
#include "cluster/job/way.h"

#define SECOND_NS 1000000000
#define MOMENT_NS 20000000

static enum gcl_status fail(const char *what, pmix_status_t status) {
    gcl_log(GCL_LOG_ERROR, "%s: the launcher says %s", what, PMIx_Error_string(status));
    return GCL_SYSTEM;
}

// A number of the job's (node GCL_NO_NODE) or of a process'; `otherwise` if PMIx hasn't got it.
static uint32_t get_number(const struct gcl_job *job, gcl_node node, const char *key,
                           uint32_t otherwise) {
    pmix_proc_t process;
    pmix_value_t *value;
    uint32_t number = otherwise;

    PMIX_LOAD_PROCID(&process, job->name, node == GCL_NO_NODE ? PMIX_RANK_WILDCARD : node);
    if (PMIx_Get(&process, key, NULL, 0, &value) != PMIX_SUCCESS)
        return otherwise;
    if (value->type == PMIX_UINT32)
        number = value->data.uint32;
    else if (value->type == PMIX_UINT16)
        number = value->data.uint16;
    PMIX_VALUE_RELEASE(value);
    return number;
}

static void get_host(struct gcl_job *job) {
    pmix_proc_t process;
    pmix_value_t *value;

    PMIX_LOAD_PROCID(&process, job->name, job->node);
    if (PMIx_Get(&process, PMIX_HOSTNAME, NULL, 0, &value) == PMIX_SUCCESS) {
        if (value->type == PMIX_STRING && value->data.string)
            snprintf(job->host, sizeof job->host, "%s", value->data.string);
        PMIX_VALUE_RELEASE(value);
    }
    if (!job->host[0] && gethostname(job->host, sizeof job->host - 1) != 0)
        snprintf(job->host, sizeof job->host, "unknown");
}

// PMIx's "native" security, over TCP, takes a process for that of the user whom it says it is
// (openpmix 4.2, psec_native.c), and its servers listen on the loopback interface: any user of a
// host can join the job there, and read the secret. Of several kinds whoever connects chooses one.
static bool believes_anybody(void) {
    const char *mode = getenv("PMIX_SECURITY_MODE");
    return !mode || strstr(mode, "native") || strstr(mode, "none") || strstr(mode, "dummy");
}

static enum gcl_status check_beliefs(const struct gcl_job *job, bool is_strict) {
    if (job->count == 1 || job->node != 0 || !believes_anybody())
        return GCL_OK;
    gcl_log(is_strict ? GCL_LOG_ERROR : GCL_LOG_WARN,
            "the launcher's PMIx believes whatever user a process says it is: other users of this "
            "host can join the job and read its secret; gcluster-run --hosts needs no PMIx, and "
            "gcluster-run(1), SECURITY, says what else helps");
    return is_strict ? GCL_SYSTEM : GCL_OK;
}

static enum gcl_status join(struct gcl_job *job, bool is_strict) {
    pmix_proc_t self;
    pmix_status_t status = PMIx_Init(&self, NULL, 0);
    if (status != PMIX_SUCCESS)
        return fail("can't join the job", status);
    snprintf(job->name, sizeof job->name, "%s", self.nspace);
    job->node = self.rank;
    job->count = get_number(job, GCL_NO_NODE, PMIX_JOB_SIZE, 0);
    job->local_rank = get_number(job, job->node, PMIX_LOCAL_RANK, 0);
    job->local_count = get_number(job, GCL_NO_NODE, PMIX_LOCAL_SIZE, 1);
    get_host(job);
    if (job->local_count == 0)
        job->local_count = 1;
    return check_beliefs(job, is_strict);
}

static enum gcl_status put(const char *key, const void *bytes, size_t size) {
    pmix_value_t value = {.type = PMIX_BYTE_OBJECT,
                          .data.bo = {.bytes = (char *)(uintptr_t)bytes, .size = size}};
    pmix_status_t status = PMIx_Put(PMIX_GLOBAL, key, &value);
    if (status == PMIX_SUCCESS)
        status = PMIx_Commit();
    return status == PMIX_SUCCESS ? GCL_OK : fail("can't tell the other nodes", status);
}

// What a fence leaves behind: PMIx's thread may finish it after the waiter has given up, so that
// the last of the two frees it.
struct arrival {
    pthread_mutex_t lock;
    pthread_cond_t condition;
    pmix_status_t status;
    bool has_arrived, is_abandoned;
};

static void free_arrival(struct arrival *arrival) {
    pthread_mutex_destroy(&arrival->lock);
    pthread_cond_destroy(&arrival->condition);
    free(arrival);
}

static void arrive(pmix_status_t status, void *context) {
    struct arrival *arrival = context;

    pthread_mutex_lock(&arrival->lock);
    arrival->status = status;
    arrival->has_arrived = true;
    bool is_abandoned = arrival->is_abandoned;
    pthread_cond_signal(&arrival->condition);
    pthread_mutex_unlock(&arrival->lock);
    if (is_abandoned)
        free_arrival(arrival);
}

/// Waits a moment for it, with the lock held.
static void wait_for_moment(struct arrival *arrival) {
    struct timespec end;
    clock_gettime(CLOCK_REALTIME, &end);
    end.tv_nsec += MOMENT_NS;
    end.tv_sec += end.tv_nsec / SECOND_NS;
    end.tv_nsec %= SECOND_NS;
    pthread_cond_timedwait(&arrival->condition, &arrival->lock, &end);
}

static enum gcl_status await_arrival(struct arrival *arrival,
                                     const struct gcl_job_patience *patience) {
    uint64_t end_ns = gcl_clock_ns() + patience->seconds * (uint64_t)SECOND_NS;
    bool is_in_vain = false;

    pthread_mutex_lock(&arrival->lock);
    while (!arrival->has_arrived && !is_in_vain && gcl_clock_ns() < end_ns) {
        wait_for_moment(arrival);
        is_in_vain = patience->is_in_vain && patience->is_in_vain(patience->context);
    }
    bool has_arrived = arrival->has_arrived;
    pmix_status_t status = arrival->status;
    arrival->is_abandoned = !has_arrived;
    pthread_mutex_unlock(&arrival->lock);
    if (is_in_vain && !has_arrived)
        return GCL_NODE_LOST;
    if (!has_arrived)
        return gcl_way_fail_late(patience);
    free_arrival(arrival);
    return status == PMIX_SUCCESS ? GCL_OK : fail("can't meet the other nodes", status);
}

static enum gcl_status fence(const struct gcl_job *job, const struct gcl_job_patience *patience) {
    struct arrival *arrival = calloc(1, sizeof *arrival);
    pmix_proc_t all;
    pmix_info_t collect;
    bool yes = true;

    if (!arrival)
        return GCL_NO_MEMORY;
    pthread_mutex_init(&arrival->lock, NULL);
    pthread_cond_init(&arrival->condition, NULL);
    PMIX_LOAD_PROCID(&all, job->name, PMIX_RANK_WILDCARD);
    PMIX_INFO_LOAD(&collect, PMIX_COLLECT_DATA, &yes, PMIX_BOOL);
    pmix_status_t status = PMIx_Fence_nb(&all, 1, &collect, 1, arrive, arrival);
    enum gcl_status result;
    if (status == PMIX_SUCCESS) {
        result = await_arrival(arrival, patience);
    } else {
        free_arrival(arrival);
        result = status == PMIX_OPERATION_SUCCEEDED ? GCL_OK : fail("can't meet the nodes", status);
    }
    PMIX_INFO_DESTRUCT(&collect);
    return result;
}

// Copies what `node` has put, of at most `room` bytes.
static enum gcl_status get(const struct gcl_job *job, gcl_node node, const char *key,
                           uint8_t *bytes, size_t room, size_t *size) {
    pmix_proc_t process;
    pmix_value_t *value;
    enum gcl_status result = GCL_OK;

    PMIX_LOAD_PROCID(&process, job->name, node);
    pmix_status_t status = PMIx_Get(&process, key, NULL, 0, &value);
    if (status != PMIX_SUCCESS)
        return fail("can't hear of another node", status);
    if (value->type != PMIX_BYTE_OBJECT || value->data.bo.size > room) {
        gcl_log(GCL_LOG_ERROR, "node %u has left something strange with the launcher", node);
        result = GCL_SYSTEM;
    } else {
        *size = value->data.bo.size;
        memcpy(bytes, value->data.bo.bytes, *size);
    }
    PMIX_VALUE_RELEASE(value);
    return result;
}

static enum gcl_status learn_secret(struct gcl_job *job, const struct gcl_job_patience *patience) {
    static const char key[] = "gcl.secret";
    size_t size = sizeof job->secret;
    enum gcl_status status = GCL_OK;
    if (job->node == 0)
        status = gcl_secret_random(job->secret, sizeof job->secret);
    if (job->node == 0 && status == GCL_OK)
        status = put(key, job->secret, sizeof job->secret);
    if (status == GCL_OK)
        status = fence(job, patience);
    if (status == GCL_OK && job->node != 0)
        status = get(job, 0, key, job->secret, sizeof job->secret, &size);
    if (status == GCL_OK && size != sizeof job->secret) {
        gcl_log(GCL_LOG_ERROR, "the job has no secret");
        status = GCL_SYSTEM;
    }
    return status;
}

// What has been put in this round, in the form that gcluster-run gives it.
static enum gcl_status collect(const struct gcl_job *job, const char *key,
                               struct gcl_job_shares *shares) {
    const size_t most = 4 + (size_t)GCL_RENDEZVOUS_SHARE_SIZE;
    uint8_t *body = NULL, *grown;
    size_t used = 0, room = 0;
    for (gcl_node n = 0; n < job->count; n++) {
        if (room - used < most) {
            room = 2 * room + most;
            grown = realloc(body, room);
            if (!grown) {
                free(body);
                return GCL_NO_MEMORY;
            }
            body = grown;
        }
        size_t size;
        enum gcl_status status =
            get(job, n, key, body + used + 4, GCL_RENDEZVOUS_SHARE_SIZE, &size);
        if (status != GCL_OK) {
            free(body);
            return status;
        }
        gcl_rendezvous_put32(body + used, (uint32_t)size);
        used += 4 + size;
        assert(used <= room);
    }
    shares->body = body;
    gcl_rendezvous_read_shared(body, used, job->count, shares->of);
    return GCL_OK;
}

static enum gcl_status share(struct gcl_job *job, const void *bytes, size_t size,
                             const struct gcl_job_patience *patience,
                             struct gcl_job_shares *shares) {
    char key[32];
    snprintf(key, sizeof key, "gcl.share.%u", job->round);
    shares->of = calloc(job->count, sizeof shares->of[0]);
    enum gcl_status status = shares->of ? put(key, bytes, size) : GCL_NO_MEMORY;
    if (status == GCL_OK)
        status = fence(job, patience);
    return status == GCL_OK ? collect(job, key, shares) : status;
}

static void leave(struct gcl_job *job) {
    if (job->name[0])
        PMIx_Finalize(NULL, 0);
    job->name[0] = 0;
}

const struct gcl_job_way gcl_job_pmix = {
    .join = join, .learn_secret = learn_secret, .share = share, .leave = leave};
