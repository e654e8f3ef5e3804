#include "exec/memory/share.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/log.h"

#define MAGIC 0x73657261687367u // "gshares"

/// Pages of this process that it shares.
struct shared {
    uintptr_t begin, end;
    int file;
    struct shared *next;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct shared *list;
static atomic_uint count;

static struct shared *find(uintptr_t begin, uintptr_t end) {
    struct shared *found = list;
    while (found && (found->begin > begin || found->end < end))
        found = found->next;
    return found;
}

static bool is_shared_in_part(uintptr_t begin, uintptr_t end) {
    struct shared *found = list;
    while (found && (found->begin >= end || found->end <= begin))
        found = found->next;
    return found != NULL;
}

/// Writes a range into a file. False, with `errno`: it can't be done.
static bool write_all(int file, uintptr_t begin, uintptr_t end) {
    uintptr_t at = begin;
    while (at < end) {
        ssize_t written = pwrite(file, (const void *)at, end - at, (off_t)(at - begin));
        if (written <= 0 && errno != EINTR)
            return false;
        at += written > 0 ? (size_t)written : 0;
    }
    return true;
}

/// Puts a file behind a range. While its bytes are copied nobody can write them.
static bool replace(int file, uintptr_t begin, uintptr_t end) {
    size_t size = end - begin;
    const int access = PROT_READ | PROT_WRITE;
    bool ok = ftruncate(file, (off_t)size) == 0 && mprotect((void *)begin, size, PROT_READ) == 0 &&
              write_all(file, begin, end) &&
              mmap((void *)begin, size, access, MAP_SHARED | MAP_FIXED, file, 0) != MAP_FAILED;
    if (!ok)
        mprotect((void *)begin, size, access);
    return ok;
}

static struct shared *add(uintptr_t begin, uintptr_t end) {
    struct shared *shared = malloc(sizeof *shared);
    int file = shared ? memfd_create("gcluster", MFD_CLOEXEC) : -1;
    if (file < 0 || !replace(file, begin, end)) {
        gcl_log(GCL_LOG_ERROR, "no memory to share %zu bytes with other processes: %s",
                (size_t)(end - begin), strerror(errno));
        if (file >= 0)
            close(file);
        free(shared);
        return NULL;
    }
    *shared = (struct shared){.begin = begin, .end = end, .file = file, .next = list};
    list = shared;
    atomic_fetch_add(&count, 1);
    return shared;
}

enum gcl_status gcl_share_pages(uintptr_t begin, uintptr_t end, struct gcl_share *share) {
    struct stat status;
    assert(begin < end);
    pthread_mutex_lock(&lock);
    struct shared *shared = find(begin, end);
    if (!shared && is_shared_in_part(begin, end))
        gcl_log(GCL_LOG_ERROR, "memory at %p has pages with memory that is shared already",
                (void *)begin);
    else if (!shared)
        shared = add(begin, end);
    bool ok = shared && fstat(shared->file, &status) == 0;
    if (ok)
        *share = (struct gcl_share){.magic = MAGIC,
                                    .device = status.st_dev,
                                    .inode = status.st_ino,
                                    .begin = shared->begin,
                                    .size = shared->end - shared->begin,
                                    .process = (uint32_t)getpid(),
                                    .file = shared->file};
    pthread_mutex_unlock(&lock);
    return ok ? GCL_OK : GCL_NO_MEMORY;
}

enum gcl_status gcl_share_map(const struct gcl_share *share, uintptr_t begin) {
    char path[64];
    struct stat status;
    if (share->magic != MAGIC)
        return GCL_INVALID_HANDLE;
    snprintf(path, sizeof path, "/proc/%u/fd/%d", share->process, share->file);
    int file = open(path, O_RDWR | O_CLOEXEC);
    bool ok = file >= 0 && fstat(file, &status) == 0 && status.st_dev == share->device &&
              status.st_ino == share->inode && (uint64_t)status.st_size == share->size;
    if (!ok)
        gcl_log(GCL_LOG_INFO, "process %u shares no such memory", share->process);
    ok = ok && mmap((void *)begin, share->size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED,
                    file, 0) != MAP_FAILED;
    if (file >= 0)
        close(file); // the mapping stays
    return ok ? GCL_OK : GCL_INVALID_HANDLE;
}

void gcl_share_forget(uintptr_t begin, uintptr_t end) {
    if (atomic_load(&count) == 0)
        return;
    pthread_mutex_lock(&lock);
    for (struct shared **link = &list; *link;) {
        struct shared *shared = *link;
        if (shared->begin >= end || shared->end <= begin) {
            link = &shared->next;
            continue;
        }
        *link = shared->next;
        close(shared->file);
        free(shared);
        atomic_fetch_sub(&count, 1);
    }
    pthread_mutex_unlock(&lock);
}
