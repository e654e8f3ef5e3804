// The file asks for signals instead of messages (UFFD_FEATURE_SIGBUS), and for faults of user mode
// alone, which the system grants to everybody unless a filter of system calls forbids it.
#include "exec/memory/absent.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/userfaultfd.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/log.h"
#include "exec/memory/fault_file.h"
#include "plan/directory/pages.h"

#ifndef UFFD_USER_MODE_ONLY // headers before Linux 5.11
#define UFFD_USER_MODE_ONLY 1
#endif

struct gcl_absent {
    struct gcl_absent_options options;
    int file;
};

static _Atomic(const struct gcl_absent *) current; // signal handlers have no context

static _Thread_local uint64_t waited_ns;

static int open_file(void) {
    return gcl_fault_file_begin((int)syscall(SYS_userfaultfd, O_CLOEXEC | UFFD_USER_MODE_ONLY),
                                UFFD_FEATURE_SIGBUS);
}

bool gcl_absent_is_possible(void) {
    int file = open_file();
    if (file >= 0)
        close(file);
    return file >= 0;
}

struct gcl_absent *gcl_absent_create(const struct gcl_absent_options *options) {
    struct gcl_absent *absent = malloc(sizeof *absent);
    const struct gcl_absent *none = NULL;
    if (!absent)
        return NULL;
    *absent = (struct gcl_absent){.options = *options, .file = open_file()};
    if (absent->file >= 0 && atomic_compare_exchange_strong(&current, &none, absent))
        return absent;
    int error = absent->file >= 0 ? EBUSY : errno;
    if (absent->file >= 0)
        close(absent->file);
    free(absent);
    errno = error;
    return NULL;
}

bool gcl_absent_is_open(void) {
    return atomic_load_explicit(&current, memory_order_relaxed) != NULL;
}

static enum gcl_status fail(const char *what, uintptr_t begin, size_t size) {
    gcl_log(GCL_LOG_ERROR, "%zu bytes at %p can't come as they are touched: %s: %s", size,
            (void *)begin, what, strerror(errno));
    return GCL_SYSTEM;
}

enum gcl_status gcl_absent_begin(const struct gcl_absent *absent, uintptr_t begin, size_t size) {
    if (!gcl_fault_file_watch(absent->file, begin, size, UFFDIO_REGISTER_MODE_MISSING, false))
        return fail("UFFDIO_REGISTER", begin, size);
    return madvise((void *)begin, size, MADV_DONTNEED) == 0 ? GCL_OK
                                                            : fail("MADV_DONTNEED", begin, size);
}

void gcl_absent_end(const struct gcl_absent *absent, uintptr_t begin, size_t size) {
    gcl_fault_file_forget(absent->file, begin, size);
}

enum gcl_status gcl_absent_fill(const struct gcl_absent *absent, uintptr_t begin, const void *bytes,
                                size_t size) {
    return gcl_fault_file_fill(absent->file, begin, bytes, size, 0)
               ? GCL_OK
               : fail("UFFDIO_COPY", begin, size);
}

enum gcl_absent_answer gcl_absent_touch(uintptr_t address) {
    const struct gcl_absent *absent = atomic_load(&current);
    int error = errno; // of the code that has stopped
    enum gcl_absent_answer answer = GCL_ABSENT_UNKNOWN;
    uint64_t begin_ns = gcl_clock_ns();
    if (absent)
        answer = absent->options.touched(absent->options.context,
                                         address / GCL_PAGE_SIZE * GCL_PAGE_SIZE);
    waited_ns += gcl_clock_ns() - begin_ns;
    errno = error;
    return answer;
}

uint64_t gcl_absent_waited_ns(void) {
    return waited_ns;
}
