// Ranges are watched when they are first needed, since a stop costs microseconds: memory that never
// was on another node is ordinary memory. By then its pages have to be there, the untouched ones
// too: a page that isn't counts as dropped.
#include "exec/memory/guard.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/userfaultfd.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/log.h"
#include "exec/memory/fault_file.h"
#include "plan/directory/pages.h"

struct range {
    uintptr_t begin, end;
};

struct gcl_memory_guard {
    struct gcl_guard_options options;
    int file;
    pthread_mutex_t lock;  ///< of what follows
    struct range *watched; ///< ascending
    size_t count, capacity;
};

// The guard's thread.

void gcl_guard_wake(struct gcl_memory_guard *guard, uintptr_t begin, size_t size) {
    struct uffdio_range range = {.start = begin, .len = size};
    ioctl(guard->file, UFFDIO_WAKE, &range);
}

static void answer(struct gcl_memory_guard *guard, const struct uffd_msg *message) {
    const uint64_t writes = UFFD_PAGEFAULT_FLAG_WRITE | UFFD_PAGEFAULT_FLAG_WP;
    uintptr_t page = message->arg.pagefault.address / GCL_PAGE_SIZE * GCL_PAGE_SIZE;
    if (message->event != UFFD_EVENT_PAGEFAULT)
        return;
    switch (guard->options.touched(guard->options.context, page,
                                   (message->arg.pagefault.flags & writes) != 0,
                                   (pid_t)message->arg.pagefault.feat.ptid)) {
    case GCL_GUARD_FAILED:
        _exit(EXIT_FAILURE);
    case GCL_GUARD_ANSWERED:
        gcl_guard_wake(guard, page, GCL_PAGE_SIZE);
        break;
    case GCL_GUARD_LATER:
        break;
    }
}

static void *run(void *argument) {
    struct gcl_memory_guard *guard = argument;
    struct pollfd file = {.fd = guard->file, .events = POLLIN};
    sigset_t signals;

    sigfillset(&signals);
    pthread_sigmask(SIG_SETMASK, &signals, NULL);
    pthread_setname_np(pthread_self(), "gcl-guard");
    for (;;) {
        struct uffd_msg message;
        if (read(guard->file, &message, sizeof message) == (ssize_t)sizeof message)
            answer(guard, &message);
        else
            poll(&file, 1, -1);
    }
    return NULL;
}

// Life.

/// Where page faults of system calls count, it takes privileges, or an administrator who grants it.
static int open_file(bool is_user_only) {
    const int flags = O_CLOEXEC | O_NONBLOCK;
    int file = (int)syscall(SYS_userfaultfd, is_user_only ? flags | UFFD_USER_MODE_ONLY : flags);
    if (file >= 0)
        return file;
    int error = errno, device = open("/dev/userfaultfd", O_RDWR | O_CLOEXEC);
    if (device >= 0) {
        file = ioctl(device, USERFAULTFD_IOC_NEW, flags);
        error = errno;
        close(device);
    }
    errno = error;
    return file;
}

static int begin(bool is_user_only) {
    return gcl_fault_file_begin(open_file(is_user_only),
                                UFFD_FEATURE_PAGEFAULT_FLAG_WP | UFFD_FEATURE_THREAD_ID);
}

bool gcl_guard_is_permitted(void) {
    int file = begin(true);
    if (file >= 0)
        close(file);
    return file >= 0;
}

/// Returns how many there are; with errno, if there is none.
static unsigned start_threads(struct gcl_memory_guard *guard) {
    unsigned count = 0, wanted = guard->options.thread_count ? guard->options.thread_count : 1;
    pthread_t thread;
    while (count < wanted && (errno = pthread_create(&thread, NULL, run, guard)) == 0) {
        pthread_detach(thread);
        count++;
    }
    return count;
}

struct gcl_memory_guard *gcl_guard_create(const struct gcl_guard_options *options) {
    struct gcl_memory_guard *guard = calloc(1, sizeof *guard);
    if (!guard)
        return NULL;
    guard->options = *options;
    guard->file = begin(options->is_user_only);
    if (guard->file < 0)
        goto free_guard;
    pthread_mutex_init(&guard->lock, NULL);
    if (start_threads(guard) == 0)
        goto close_file;
    return guard;

close_file:;
    int error = errno;
    close(guard->file);
    errno = error;
free_guard:
    free(guard);
    return NULL;
}

// Watching.

static size_t count_until(const struct gcl_memory_guard *guard, uintptr_t address) {
    size_t low = 0, high = guard->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (guard->watched[middle].begin <= address)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static bool insert(struct gcl_memory_guard *guard, size_t at, struct range range) {
    if (guard->count == guard->capacity) {
        size_t capacity = guard->capacity ? 2 * guard->capacity : 16;
        struct range *grown = realloc(guard->watched, capacity * sizeof *grown);
        if (!grown)
            return false;
        guard->watched = grown;
        guard->capacity = capacity;
    }
    struct range *place = &guard->watched[at];
    memmove(place + 1, place, (guard->count++ - at) * sizeof *place);
    *place = range;
    return true;
}

static enum gcl_status fail(const char *what) {
    gcl_log(GCL_LOG_ERROR, "can't guard memory: %s: %s", what, strerror(errno));
    return GCL_SYSTEM;
}

/// Has all pages there be there. Huge ones aren't wanted: they come and go in small pieces.
static void populate(uintptr_t begin, size_t size) {
    madvise((void *)begin, size, MADV_NOHUGEPAGE);
    if (madvise((void *)begin, size, MADV_POPULATE_READ) == 0)
        return;
    for (size_t at = 0; at < size; at += GCL_PAGE_SIZE)
        (void)*(volatile const unsigned char *)(begin + at);
}

static bool watch(const struct gcl_memory_guard *guard, uintptr_t begin, size_t size,
                  bool is_target) {
    const uint64_t mode = UFFDIO_REGISTER_MODE_MISSING | UFFDIO_REGISTER_MODE_WP;
    return gcl_fault_file_watch(guard->file, begin, size, mode, is_target);
}

bool gcl_guard_watch_target(struct gcl_memory_guard *guard, uintptr_t begin, size_t size) {
    return watch(guard, begin, size, true);
}

enum gcl_status gcl_guard_watch_bare(struct gcl_memory_guard *guard, uintptr_t begin, size_t size) {
    return watch(guard, begin, size, false) ? GCL_OK : fail("UFFDIO_REGISTER");
}

enum gcl_status gcl_guard_watch(struct gcl_memory_guard *guard, uintptr_t begin, size_t size) {
    enum gcl_status status = GCL_OK;
    pthread_mutex_lock(&guard->lock);
    size_t at = count_until(guard, begin);
    if (at == 0 || guard->watched[at - 1].begin != begin) {
        populate(begin, size);
        if (!insert(guard, at, (struct range){begin, begin + size}))
            status = GCL_NO_MEMORY;
        else
            status = gcl_guard_watch_bare(guard, begin, size);
    }
    pthread_mutex_unlock(&guard->lock);
    return status;
}

void gcl_guard_forget(struct gcl_memory_guard *guard, uintptr_t begin) {
    pthread_mutex_lock(&guard->lock);
    size_t at = count_until(guard, begin);
    if (at > 0 && guard->watched[at - 1].begin == begin) {
        struct range *place = &guard->watched[at - 1];
        gcl_fault_file_forget(guard->file, begin, place->end - begin);
        memmove(place, place + 1, (guard->count-- - at) * sizeof *place);
    }
    pthread_mutex_unlock(&guard->lock);
}

// Pages.

static enum gcl_status write_protect(const struct gcl_memory_guard *guard, uintptr_t begin,
                                     size_t size, uint64_t mode) {
    return gcl_fault_file_protect(guard->file, begin, size, mode) ? GCL_OK
                                                                  : fail("UFFDIO_WRITEPROTECT");
}

enum gcl_status gcl_guard_protect(struct gcl_memory_guard *guard, uintptr_t begin, size_t size) {
    return write_protect(guard, begin, size, UFFDIO_WRITEPROTECT_MODE_WP);
}

enum gcl_status gcl_guard_open(struct gcl_memory_guard *guard, uintptr_t begin, size_t size) {
    return write_protect(guard, begin, size, 0);
}

enum gcl_status gcl_guard_drop(struct gcl_memory_guard *guard, uintptr_t begin, size_t size) {
    (void)guard;
    return madvise((void *)begin, size, MADV_DONTNEED) == 0 ? GCL_OK : fail("MADV_DONTNEED");
}

/// Drops ranges by one call of the system. Returns how many are dropped, from the first one on:
/// none, where it isn't permitted or older than Linux 6.15.
static size_t drop_together(const struct iovec *ranges, size_t count) {
    const int this_process = -10001; // PIDFD_SELF_THREAD_GROUP of linux/pidfd.h
    ssize_t dropped = syscall(SYS_process_madvise, this_process, ranges, count, MADV_DONTNEED, 0);
    size_t i = 0;
    while (i < count && dropped >= (ssize_t)ranges[i].iov_len)
        dropped -= (ssize_t)ranges[i++].iov_len;
    return i;
}

enum gcl_status gcl_guard_drop_all(struct gcl_memory_guard *guard, const struct iovec *ranges,
                                   size_t count) {
    enum gcl_status status = GCL_OK;
    for (size_t i = count > 1 ? drop_together(ranges, count) : 0; i < count && status == GCL_OK;
         i++)
        status = gcl_guard_drop(guard, (uintptr_t)ranges[i].iov_base, ranges[i].iov_len);
    return status;
}

enum gcl_status gcl_guard_fill(struct gcl_memory_guard *guard, uintptr_t begin, const void *bytes,
                               size_t size, bool is_open) {
    uint64_t mode = is_open ? 0 : UFFDIO_COPY_MODE_WP;
    return gcl_fault_file_fill(guard->file, begin, bytes, size, mode) ? GCL_OK
                                                                      : fail("UFFDIO_COPY");
}

enum gcl_status gcl_guard_put(struct gcl_memory_guard *guard, uintptr_t begin, const void *bytes,
                              size_t size, bool is_open) {
    enum gcl_status status = gcl_guard_drop(guard, begin, size);
    return status == GCL_OK ? gcl_guard_fill(guard, begin, bytes, size, is_open) : status;
}

// Moving.

enum { MOVED_MOST = 2 << 20 };

/// What a move does, by a copy that nobody writes to meanwhile.
static enum gcl_status copy_page(struct gcl_memory_guard *guard, uintptr_t target,
                                 uintptr_t source) {
    enum gcl_status status = gcl_guard_protect(guard, source, GCL_PAGE_SIZE);
    if (status == GCL_OK)
        status = gcl_guard_fill(guard, target, (const void *)source, GCL_PAGE_SIZE, true);
    return status == GCL_OK ? gcl_guard_drop(guard, source, GCL_PAGE_SIZE) : status;
}

/// Bytes of a range's beginning that have no pages any more: when the system stops half-way, it may
/// have moved more than it says. MOVED_MOST are looked at.
static size_t moved_already(uintptr_t begin, size_t size) {
    unsigned char is_there[MOVED_MOST / GCL_PAGE_SIZE];
    size_t looked = size < MOVED_MOST ? size : MOVED_MOST, at = 0;
    if (mincore((void *)begin, looked, is_there) != 0)
        return 0;
    while (at < looked && !(is_there[at / GCL_PAGE_SIZE] & 1))
        at += GCL_PAGE_SIZE;
    return at;
}

/// Goes on where a move has stopped, for `errno`. Returns for how many bytes it was done with; 0:
/// it can't be done, after a message.
static size_t step_over(struct gcl_memory_guard *guard, uintptr_t target, uintptr_t source,
                        size_t size) {
    if (errno == EBUSY)
        return copy_page(guard, target, source) == GCL_OK ? GCL_PAGE_SIZE : 0;
    size_t moved = errno == EEXIST ? moved_already(source, size) : 0;
    if (moved == 0)
        fail("UFFDIO_MOVE");
    return moved;
}

enum gcl_status gcl_guard_move(struct gcl_memory_guard *guard, uintptr_t target, uintptr_t source,
                               size_t size) {
    size_t at = gcl_fault_file_move(guard->file, target, source, size);
    while (at < size) {
        size_t step = step_over(guard, target + at, source + at, size - at);
        if (step == 0)
            return GCL_SYSTEM;
        at += step;
        at += gcl_fault_file_move(guard->file, target + at, source + at, size - at);
    }
    return GCL_OK;
}

enum gcl_status gcl_guard_clear(struct gcl_memory_guard *guard, uintptr_t begin, size_t size) {
    return gcl_fault_file_fill(guard->file, begin, NULL, size, 0) ? GCL_OK
                                                                  : fail("UFFDIO_ZEROPAGE");
}
