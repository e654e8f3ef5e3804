// All processes are clients of this one server, so that a fence is complete once the library says
// that the local clients are there, and what they have put needs to go nowhere.
#include "server.h"

#include <hwloc.h>
#include <inttypes.h>
#include <pmix.h>
#include <pmix_server.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "folder.h"

struct gcl_server {
    unsigned count;
    struct gcl_folder folder;
    pmix_nspace_t name;
    hwloc_topology_t topology;
    char ***environments;
    atomic_uchar *joined, *left; // by rank; PMIx's thread writes them
};

// PMIx's callbacks have no context of ours.
static struct gcl_server *the_server;

// Waiting for PMIx's thread.
struct completion {
    pthread_mutex_t lock;
    pthread_cond_t condition;
    bool is_done;
    pmix_status_t status;
};

static void complete(pmix_status_t status, void *context) {
    struct completion *completion = context;
    pthread_mutex_lock(&completion->lock);
    completion->status = status;
    completion->is_done = true;
    pthread_cond_signal(&completion->condition);
    pthread_mutex_unlock(&completion->lock);
}

static pmix_status_t await(struct completion *completion, pmix_status_t started) {
    if (started == PMIX_OPERATION_SUCCEEDED)
        return PMIX_SUCCESS;
    if (started != PMIX_SUCCESS)
        return started;
    pthread_mutex_lock(&completion->lock);
    while (!completion->is_done)
        pthread_cond_wait(&completion->condition, &completion->lock);
    pthread_mutex_unlock(&completion->lock);
    return completion->status;
}

#define COMPLETION                                                                                 \
    { .lock = PTHREAD_MUTEX_INITIALIZER, .condition = PTHREAD_COND_INITIALIZER }

// What clients ask for.

static void mark(atomic_uchar *marks, const pmix_proc_t *process) {
    if (process->rank < the_server->count)
        atomic_store(&marks[process->rank], 1);
}

static pmix_status_t client_connected(const pmix_proc_t *process, void *object, pmix_info_t info[],
                                      size_t info_count, pmix_op_cbfunc_t done, void *context) {
    (void)object, (void)info, (void)info_count;
    mark(the_server->joined, process);
    if (done)
        done(PMIX_SUCCESS, context);
    return PMIX_SUCCESS;
}

static pmix_status_t client_finalized(const pmix_proc_t *process, void *object,
                                      pmix_op_cbfunc_t done, void *context) {
    (void)object;
    mark(the_server->left, process);
    if (done)
        done(PMIX_SUCCESS, context);
    return PMIX_SUCCESS;
}

static pmix_status_t fence(const pmix_proc_t processes[], size_t process_count,
                           const pmix_info_t info[], size_t info_count, char *data, size_t size,
                           pmix_modex_cbfunc_t done, void *context) {
    (void)processes, (void)process_count, (void)info, (void)info_count;
    if (done)
        done(PMIX_SUCCESS, data, size, context, free, data);
    return PMIX_SUCCESS;
}

static pmix_server_module_t module = {
    .client_connected2 = client_connected,
    .client_finalized = client_finalized,
    .fence_nb = fence,
};

// Start.

static struct gcl_server *fail(struct gcl_server *server, const char *what, pmix_status_t status) {
    fprintf(stderr, "gcluster-run: can't %s: %s\n", what, PMIx_Error_string(status));
    gcl_server_stop(server);
    return NULL;
}

// A machine of one core. Without it PMIx looks through all devices of this one, OpenCL's among
// them, which takes longer than the rest of a job's start; nobody asks it for them.
static hwloc_topology_t make_topology(void) {
    hwloc_topology_t topology;
    if (hwloc_topology_init(&topology) != 0)
        return NULL;
    if (hwloc_topology_set_synthetic(topology, "pu:1") == 0 && hwloc_topology_load(topology) == 0)
        return topology;
    hwloc_topology_destroy(topology);
    return NULL;
}

static pmix_status_t init(struct gcl_server *server) {
    pmix_topology_t topology = {.source = "hwloc", .topology = server->topology};
    pmix_info_t info[3];

    PMIX_INFO_LOAD(&info[0], PMIX_SERVER_TMPDIR, server->folder.path, PMIX_STRING);
    PMIX_INFO_LOAD(&info[1], PMIX_SYSTEM_TMPDIR, server->folder.path, PMIX_STRING);
    // PMIX_INFO_LOAD would make a copy that nobody frees.
    PMIX_INFO_CONSTRUCT(&info[2]);
    PMIX_LOAD_KEY(info[2].key, PMIX_TOPOLOGY2);
    info[2].value.type = PMIX_TOPO;
    info[2].value.data.topo = &topology;
    pmix_status_t status = PMIx_server_init(&module, info, 3);
    PMIX_INFO_DESTRUCT(&info[0]);
    PMIX_INFO_DESTRUCT(&info[1]);
    return status;
}

// "0,1,2"
static char *list_ranks(unsigned count) {
    char *text = NULL;
    size_t size;
    FILE *stream = open_memstream(&text, &size);
    if (!stream)
        return NULL;
    for (unsigned i = 0; i < count; i++)
        fprintf(stream, i ? ",%u" : "%u", i);
    fclose(stream);
    return text;
}

static pmix_status_t register_job(struct gcl_server *server) {
    struct completion completion = COMPLETION;
    char host[256] = "localhost", *ranks = list_ranks(server->count), *nodes, *processes;
    uint32_t count = server->count;
    pmix_info_t info[8];

    if (!ranks)
        return PMIX_ERR_NOMEM;
    gethostname(host, sizeof host - 1);
    pmix_status_t status = PMIx_generate_regex(host, &nodes);
    if (status == PMIX_SUCCESS)
        status = PMIx_generate_ppn(ranks, &processes);
    if (status != PMIX_SUCCESS) {
        free(ranks);
        return status;
    }
    PMIX_INFO_LOAD(&info[0], PMIX_UNIV_SIZE, &count, PMIX_UINT32);
    PMIX_INFO_LOAD(&info[1], PMIX_JOB_SIZE, &count, PMIX_UINT32);
    PMIX_INFO_LOAD(&info[2], PMIX_LOCAL_SIZE, &count, PMIX_UINT32);
    PMIX_INFO_LOAD(&info[3], PMIX_MAX_PROCS, &count, PMIX_UINT32);
    PMIX_INFO_LOAD(&info[4], PMIX_NODE_MAP, nodes, PMIX_REGEX);
    PMIX_INFO_LOAD(&info[5], PMIX_PROC_MAP, processes, PMIX_REGEX);
    PMIX_INFO_LOAD(&info[6], PMIX_LOCAL_PEERS, ranks, PMIX_STRING);
    PMIX_INFO_LOAD(&info[7], PMIX_HOSTNAME, host, PMIX_STRING);
    status = PMIx_server_register_nspace(server->name, (int)count, info, 8, complete, &completion);
    status = await(&completion, status);
    for (int i = 0; i < 8; i++)
        PMIX_INFO_DESTRUCT(&info[i]);
    free(ranks);
    free(nodes);
    free(processes);
    return status;
}

static pmix_status_t register_client(struct gcl_server *server, unsigned rank) {
    struct completion completion = COMPLETION;
    pmix_proc_t process;
    PMIX_LOAD_PROCID(&process, server->name, rank);
    pmix_status_t status =
        PMIx_server_register_client(&process, getuid(), getgid(), NULL, complete, &completion);
    return await(&completion, status);
}

// PMIx waits for itself for ever once it has found no room.
static bool has_room(const struct gcl_server *server) {
    const uint64_t needed = ((uint64_t)8 << 20) + (uint64_t)server->count * 8192;
    struct statvfs status;
    if (statvfs(server->folder.path, &status) != 0)
        return true;
    uint64_t left = (uint64_t)status.f_bavail * status.f_frsize;
    if (left >= needed)
        return true;
    fprintf(stderr,
            "gcluster-run: %" PRIu64 " KiB are free for temporary files in %s, and the job needs "
            "%" PRIu64 ": TMPDIR may name another folder\n",
            left >> 10, server->folder.path, needed >> 10);
    return false;
}

struct gcl_server *gcl_server_start(unsigned count) {
    struct gcl_server *server = calloc(1, sizeof *server);

    if (!server)
        return NULL;
    server->count = count;
    the_server = server;
    server->environments = calloc(count, sizeof(char **));
    server->joined = calloc(count, sizeof(atomic_uchar));
    server->left = calloc(count, sizeof(atomic_uchar));
    snprintf(server->name, sizeof server->name, "gcluster-%d", (int)getpid());
    if (!server->environments || !server->joined || !server->left ||
        !gcl_folder_make(&server->folder))
        return fail(server, "make a temporary folder", PMIX_ERR_NO_PERMISSIONS);
    server->topology = make_topology();
    if (!server->topology)
        return fail(server, "describe this machine", PMIX_ERR_NOMEM);
    if (!has_room(server)) {
        gcl_server_stop(server);
        return NULL;
    }
    pmix_status_t status = init(server);
    if (status != PMIX_SUCCESS)
        return fail(server, "start a PMIx server", status);
    status = register_job(server);
    for (unsigned rank = 0; status == PMIX_SUCCESS && rank < count; rank++)
        status = register_client(server, rank);
    return status == PMIX_SUCCESS ? server : fail(server, "describe the job to PMIx", status);
}

static void free_list(char **list) {
    for (size_t i = 0; list && list[i]; i++)
        free(list[i]);
    free(list);
}

// In memory of its own, piece by piece: PMIx appends to it.
static char **copy_environment(void) {
    size_t count = 0;
    while (environ[count])
        count++;
    char **list = calloc(count + 1, sizeof(char *));
    for (size_t i = 0; list && i < count; i++) {
        list[i] = strdup(environ[i]);
        if (!list[i]) {
            free_list(list);
            return NULL;
        }
    }
    return list;
}

char **gcl_server_environment(struct gcl_server *server, unsigned rank) {
    pmix_proc_t process;
    char **list = copy_environment();

    if (!list)
        return NULL;
    PMIX_LOAD_PROCID(&process, server->name, rank);
    pmix_status_t status = PMIx_server_setup_fork(&process, &list);
    server->environments[rank] = list;
    if (status == PMIX_SUCCESS)
        return list;
    fprintf(stderr, "gcluster-run: can't prepare process %u: %s\n", rank,
            PMIx_Error_string(status));
    return NULL;
}

bool gcl_server_has_joined(struct gcl_server *server, unsigned rank) {
    return atomic_load(&server->joined[rank]);
}

bool gcl_server_has_left(struct gcl_server *server, unsigned rank) {
    return atomic_load(&server->left[rank]);
}

// End.

void gcl_server_stop(struct gcl_server *server) {
    if (!server)
        return;
    if (PMIx_Initialized())
        PMIx_server_finalize();
    if (server->topology)
        hwloc_topology_destroy(server->topology);
    gcl_folder_remove(&server->folder);
    for (unsigned i = 0; server->environments && i < server->count; i++)
        free_list(server->environments[i]);
    free(server->environments);
    free(server->joined);
    free(server->left);
    free(server);
    the_server = NULL;
}
