// PMIx is asked for little: who we are, one exchange of bytes, and the end. Its events are not
// used: they don't arrive with the versions that Debian 12 has (see lifeline.h for what is used
// instead).
#include "job.h"

#include <pmix.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/log.h"

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

// By removing from the array while walking it backwards, nothing is skipped.
static void clean_environment(void) {
    size_t count = 0;
    while (environ && environ[count])
        count++;
    for (size_t i = count; i-- > 0;) {
        const char *equals = strchr(environ[i], '=');
        char name[128];
        if (strncmp(environ[i], "PMIX_", 5) != 0 || !equals)
            continue;
        snprintf(name, sizeof name, "%.*s", (int)(equals - environ[i]), environ[i]);
        unsetenv(name);
    }
}

enum gcl_status gcl_job_join(struct gcl_job *job) {
    pmix_proc_t self;

    memset(job, 0, sizeof *job);
    pmix_status_t status = PMIx_Init(&self, NULL, 0);
    if (status != PMIX_SUCCESS)
        return fail("can't join the job", status);
    snprintf(job->name, sizeof job->name, "%s", self.nspace);
    job->node = self.rank;
    job->count = get_number(job, GCL_NO_NODE, PMIX_JOB_SIZE, 0);
    job->local_rank = get_number(job, job->node, PMIX_LOCAL_RANK, 0);
    job->local_count = get_number(job, GCL_NO_NODE, PMIX_LOCAL_SIZE, 1);
    get_host(job);
    clean_environment();
    if (job->count == 0 || job->count > GCL_MAX_NODES || job->node >= job->count) {
        gcl_log(GCL_LOG_ERROR, "the launcher calls this process node %u of %u", job->node,
                job->count);
        gcl_job_leave(job);
        return GCL_SYSTEM;
    }
    if (job->local_count == 0)
        job->local_count = 1;
    return GCL_OK;
}

enum gcl_status gcl_job_put(struct gcl_job *job, const char *key, const void *bytes, size_t size) {
    pmix_value_t value = {.type = PMIX_BYTE_OBJECT,
                          .data.bo = {.bytes = (char *)(uintptr_t)bytes, .size = size}};
    (void)job;
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
    if (!has_arrived) {
        gcl_log(GCL_LOG_ERROR, "not all nodes of the job have started within %u s",
                patience->seconds);
        return GCL_SYSTEM;
    }
    free_arrival(arrival);
    return status == PMIX_SUCCESS ? GCL_OK : fail("can't meet the other nodes", status);
}

enum gcl_status gcl_job_fence(struct gcl_job *job, const struct gcl_job_patience *patience) {
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

enum gcl_status gcl_job_get(struct gcl_job *job, gcl_node node, const char *key, void **bytes,
                            size_t *size) {
    pmix_proc_t process;
    pmix_value_t *value;
    enum gcl_status result = GCL_OK;

    PMIX_LOAD_PROCID(&process, job->name, node);
    pmix_status_t status = PMIx_Get(&process, key, NULL, 0, &value);
    if (status != PMIX_SUCCESS)
        return fail("can't hear of another node", status);
    if (value->type != PMIX_BYTE_OBJECT || value->data.bo.size == 0) {
        gcl_log(GCL_LOG_ERROR, "node %u has left something strange with the launcher", node);
        result = GCL_SYSTEM;
    } else if (!(*bytes = malloc(value->data.bo.size))) {
        result = GCL_NO_MEMORY;
    } else {
        *size = value->data.bo.size;
        memcpy(*bytes, value->data.bo.bytes, *size);
    }
    PMIX_VALUE_RELEASE(value);
    return result;
}

void gcl_job_leave(struct gcl_job *job) {
    if (job->name[0])
        PMIx_Finalize(NULL, 0);
    job->name[0] = 0;
}
