// The library lies beside libgcluster. It stays loaded: UCX and PMIx have threads in it.
#include <dlfcn.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <unistd.h>

#include "base/log.h"
#include "base/setting.h"
#include "cluster/cluster.h"
#include "cluster/job/rendezvous.h"

#define LIBRARY "libgcluster-cluster.so.0"

/// Says once that the environment names a job in vain.
static void refuse_job(void) {
    static bool is_told;
    if (!is_told)
        gcl_log(GCL_LOG_WARN, "the job that the environment names is ignored: this program has "
                              "rights that its user hasn't, and runs alone");
    is_told = true;
}

static bool calls_mpi(void) {
    return dlsym(RTLD_DEFAULT, "MPI_Init") || dlsym(RTLD_DEFAULT, "MPI_Init_thread");
}

// A program that calls MPI itself counts on a process with a device for each rank that mpirun or
// srun starts. GCL_RANKS says what it is where that can't be seen, as of one that loads MPI later.
static bool are_ranks_nodes(void) {
    const char *said = getenv("GCL_RANKS");
    if (said && (strcmp(said, "nodes") == 0 || strcmp(said, "processes") == 0))
        return strcmp(said, "nodes") == 0;
    return !calls_mpi();
}

const char *gcl_cluster_number(void) {
    bool is_ours = getenv(GCL_RENDEZVOUS_DESCRIPTOR);
    bool is_pmix = !is_ours && getenv("PMIX_NAMESPACE") && are_ranks_nodes();
    if ((is_ours || is_pmix) && getauxval(AT_SECURE) != 0) {
        refuse_job();
        return NULL;
    }
    if (is_ours)
        return getenv(GCL_RENDEZVOUS_NODE);
    return is_pmix ? getenv("PMIX_RANK") : NULL;
}

bool gcl_cluster_is_job(void) {
    return gcl_cluster_number() != NULL;
}

unsigned gcl_cluster_ranks(void) {
    // Open MPI; MPICH and Intel MPI; MVAPICH.
    static const char *const names[] = {"OMPI_COMM_WORLD_LOCAL_SIZE", "MPI_LOCALNRANKS",
                                        "MV2_COMM_WORLD_LOCAL_SIZE"};
    enum { MOST = 1024 };
    if (getenv(GCL_RENDEZVOUS_DESCRIPTOR) || are_ranks_nodes())
        return 1;
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        const char *value = getenv(names[i]);
        unsigned long count = value ? strtoul(value, NULL, 10) : 0;
        if (count > 0)
            return count < MOST ? (unsigned)count : MOST;
    }
    return 1;
}

static void find_library(char path[PATH_MAX]) {
    Dl_info self;
    const char *slash = NULL;
    if (dladdr((void *)(uintptr_t)gcl_cluster_load, &self) != 0 && self.dli_fname)
        slash = strrchr(self.dli_fname, '/');
    if (slash)
        snprintf(path, PATH_MAX, "%.*s/" LIBRARY, (int)(slash - self.dli_fname), self.dli_fname);
    else
        snprintf(path, PATH_MAX, LIBRARY);
}

/// UCX's modules for cards of a fabric link much that takes longer to load than all else.
static bool has_fabric(void) {
    return access("/sys/class/infiniband", F_OK) == 0;
}

// UCX, as it is loaded, would take over fatal signals and patch mmap and its kin in the whole
// program, and it writes its messages to standard output.
const struct gcl_cluster_calls *gcl_cluster_load(void) {
    struct gcl_setting settings[] = {
        {.name = "UCX_HANDLE_ERRORS", .value = "none"},
        {.name = "UCX_MEM_EVENTS", .value = "no"},
        {.name = "UCX_MODULES", .value = has_fabric() ? NULL : "^ib,rdmacm"},
        {.name = "UCX_LOG_FILE", .value = "stderr"},
        {.name = "UCX_LOG_LEVEL", .value = gcl_log_shows(GCL_LOG_DEBUG) ? "warn" : "fatal"},
    };
    const size_t count = sizeof settings / sizeof settings[0];
    char path[PATH_MAX];

    if (!getenv(GCL_RENDEZVOUS_DESCRIPTOR) && calls_mpi()) {
        gcl_log(GCL_LOG_ERROR,
                "GCL_RANKS=nodes: this program calls MPI, and MPI_Init would wait for "
                "ranks that don't run main(); gcluster-run starts it as one rank");
        return NULL;
    }
    find_library(path);
    gcl_settings_apply(settings, count);
    // Lazily: of what OpenSSL, PMIx and UCX call a job needs little.
    void *library = dlopen(path, RTLD_LAZY | RTLD_LOCAL);
    gcl_settings_remove(settings, count);
    const struct gcl_cluster_calls *calls = library ? dlsym(library, "gcl_cluster_calls") : NULL;
    if (!calls)
        gcl_log(GCL_LOG_ERROR, "this process is part of a job, but can't join it: %s", dlerror());
    return calls;
}
