// O_TMPFILE makes a file that never has a name; with O_EXCL it never gets one. Where a file system
// hasn't that, the file is created under a random name for its owner alone, and the name is taken
// away before anything is written: had somebody put another file under it, ours would keep its own.
#include "exec/residency/spill.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "base/log.h"

enum { ATTEMPTS = 16 }; ///< names that are tried

/// File systems by their numbers in statfs(2), which say what a folder is.
static const struct kind {
    uint64_t number;
    const char *name;
    bool is_memory;
} kinds[] = {
    {0x01021994, "tmpfs", true},   {0x858458f6, "ramfs", true},  {0x6969, "NFS", false},
    {0xff534d42, "CIFS", false},   {0xfe534d42, "SMB", false},   {0x517b, "SMB", false},
    {0x0bd00bd0, "Lustre", false}, {0x47504653, "GPFS", false},  {0x19830326, "BeeGFS", false},
    {0x00c36400, "Ceph", false},   {0x01021997, "9P", false},    {0x5346414f, "AFS", false},
    {0xaad7aaea, "PanFS", false},  {0x7461636f, "OCFS2", false}, {0x01161970, "GFS2", false},
};

static void warn_of_kind(const char *folder, const struct statfs *system) {
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        if ((uint64_t)(unsigned long)system->f_type != kinds[i].number)
            continue;
        if (kinds[i].is_memory)
            gcl_log(GCL_LOG_WARN,
                    "GCL_SPILL=%s is a folder in memory (%s): what is kept there takes the "
                    "host's memory; GCL_HOST_MEMORY does so at less cost",
                    folder, kinds[i].name);
        else
            gcl_log(GCL_LOG_WARN,
                    "GCL_SPILL=%s is on other hosts' disks (%s): a local disk is faster, and "
                    "doesn't load the network",
                    folder, kinds[i].name);
    }
}

/// Opens a file under a name that nobody can know, and takes the name away. Negative: errno.
static int open_named(int folder) {
    const int flags = O_CREAT | O_EXCL | O_NOFOLLOW | O_RDWR | O_CLOEXEC;
    for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
        uint64_t number;
        char name[40];
        if (getrandom(&number, sizeof number, 0) != sizeof number)
            return -errno;
        snprintf(name, sizeof name, ".gcluster-%016" PRIx64, number);
        int descriptor = openat(folder, name, flags, 0600);
        if (descriptor < 0 && errno == EEXIST)
            continue;
        if (descriptor < 0)
            return -errno;
        struct stat status;
        unlinkat(folder, name, 0);
        if (fstat(descriptor, &status) == 0 && status.st_nlink == 0)
            return descriptor;
        close(descriptor);
        return -EPERM;
    }
    return -EEXIST;
}

/// Opens a file without a name. Negative: errno.
static int open_unnamed(int folder) {
    int descriptor = openat(folder, ".", O_TMPFILE | O_EXCL | O_RDWR | O_CLOEXEC, 0600);
    if (descriptor >= 0)
        return descriptor;
    // Systems that don't know O_TMPFILE take this for a folder that is to be written.
    return errno == EOPNOTSUPP || errno == EISDIR ? open_named(folder) : -errno;
}

/// Bytes that a file may have: what the file system gives to such processes, which needs some for
/// itself, and what the process is allowed.
static size_t find_free(const struct statfs *system) {
    uint64_t free = (uint64_t)system->f_bavail * (uint64_t)system->f_bsize;
    struct rlimit limit;
    free -= free / 64;
    if (getrlimit(RLIMIT_FSIZE, &limit) == 0 && limit.rlim_cur < free)
        free = limit.rlim_cur;
    return free;
}

static bool fail(const char *folder, int error) {
    gcl_log(GCL_LOG_ERROR,
            "GCL_SPILL=%s: no file can be written there (%s): it takes a folder that exists and "
            "that this user may write, on a local disk",
            folder, strerror(error));
    return false;
}

bool gcl_spill_open(const char *folder, struct gcl_spill *spill) {
    struct statfs system;
    int parent = open(folder, O_PATH | O_DIRECTORY | O_CLOEXEC);
    if (parent < 0)
        return fail(folder, errno);
    int descriptor = open_unnamed(parent);
    close(parent);
    if (descriptor < 0)
        return fail(folder, -descriptor);
    if (fstatfs(descriptor, &system) != 0) {
        int error = errno;
        close(descriptor);
        return fail(folder, error);
    }
    warn_of_kind(folder, &system);
    bool is_direct = fcntl(descriptor, F_SETFL, O_DIRECT) == 0;
    if (!is_direct)
        gcl_log(GCL_LOG_DEBUG,
                "GCL_SPILL=%s: its file system has no direct access; what is kept "
                "there passes through the system's cache",
                folder);
    *spill = (struct gcl_spill){
        .descriptor = descriptor, .is_direct = is_direct, .free = find_free(&system)};
    return true;
}

void gcl_spill_close(struct gcl_spill *spill) {
    close(spill->descriptor);
}
