#include "exec/memory/fault_file.h"

#include <errno.h>
#include <linux/userfaultfd.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "plan/directory/pages.h"

int gcl_fault_file_begin(int file, uint64_t features) {
    struct uffdio_api api = {.api = UFFD_API, .features = features};
    if (file < 0)
        return file;
    bool is_good = sysconf(_SC_PAGESIZE) == GCL_PAGE_SIZE;
    errno = ENOTSUP;
    if (is_good && ioctl(file, UFFDIO_API, &api) == 0)
        return file;
    int error = errno;
    close(file);
    errno = error;
    return -1;
}

// UFFDIO_MOVE of Linux 6.8, which the headers of older ones lack: ioctl_userfaultfd(2).
#define MOVE_NUMBER 5
#define MOVE_ALLOWS_HOLES 2
struct move {
    uint64_t target, source, size, mode;
    int64_t moved; ///< bytes, or the negative reason
};
#define MOVE_REQUEST _IOWR(UFFDIO, MOVE_NUMBER, struct move)

bool gcl_fault_file_watch(int file, uintptr_t begin, size_t size, uint64_t mode, bool is_target) {
    struct uffdio_register range = {.range = {.start = begin, .len = size}, .mode = mode};
    if (ioctl(file, UFFDIO_REGISTER, &range) != 0)
        return false;
    if (!is_target || range.ioctls >> MOVE_NUMBER & 1)
        return true;
    gcl_fault_file_forget(file, begin, size);
    errno = ENOTSUP;
    return false;
}

void gcl_fault_file_forget(int file, uintptr_t begin, size_t size) {
    struct uffdio_range range = {.start = begin, .len = size};
    ioctl(file, UFFDIO_UNREGISTER, &range);
}

/// Fills what the system takes at once. Bytes that are filled, or 0 or less, with errno: none are.
static int64_t fill_some(int file, uintptr_t begin, const void *bytes, size_t size, uint64_t mode) {
    struct uffdio_copy copy = {.dst = begin, .src = (uintptr_t)bytes, .len = size, .mode = mode};
    struct uffdio_zeropage zero = {.range = {.start = begin, .len = size}, .mode = mode};
    if (bytes)
        return ioctl(file, UFFDIO_COPY, &copy) == 0 ? (int64_t)size : copy.copy;
    return ioctl(file, UFFDIO_ZEROPAGE, &zero) == 0 ? (int64_t)size : zero.zeropage;
}

/// How many bytes are tried after nothing could be done with so many: the system takes ranges that
/// lie in one mapping alone (ENOENT), for protection before Linux 6.4. 0: it has failed.
static size_t next_size(size_t tried, size_t left) {
    if (errno == EAGAIN || errno == EEXIST)
        return left;
    bool is_dividable = errno == ENOENT && tried > GCL_PAGE_SIZE;
    return is_dividable ? (tried / 2 + GCL_PAGE_SIZE - 1) / GCL_PAGE_SIZE * GCL_PAGE_SIZE : 0;
}

bool gcl_fault_file_fill(int file, uintptr_t begin, const void *bytes, size_t size, uint64_t mode) {
    const unsigned char *source = bytes;
    for (size_t at = 0, next = size; at < size;) {
        int64_t filled = fill_some(file, begin + at, source ? source + at : NULL, next, mode);
        if (filled > 0)
            at += (size_t)filled;
        else if (errno == EEXIST)
            at += GCL_PAGE_SIZE;
        next = filled > 0 ? size - at : next_size(next, size - at);
        if (next == 0 && at < size)
            return false;
    }
    return true;
}

size_t gcl_fault_file_move(int file, uintptr_t target, uintptr_t source, size_t size) {
    size_t at = 0;
    while (at < size) {
        struct move move = {.target = target + at,
                            .source = source + at,
                            .size = size - at,
                            .mode = MOVE_ALLOWS_HOLES};
        if (ioctl(file, MOVE_REQUEST, &move) == 0)
            return size;
        if (move.moved > 0)
            at += (size_t)move.moved;
        else if (errno != EAGAIN)
            break;
    }
    return at;
}

bool gcl_fault_file_protect(int file, uintptr_t begin, size_t size, uint64_t mode) {
    for (size_t at = 0, next = size; at < size;) {
        struct uffdio_writeprotect protection = {.range = {.start = begin + at, .len = next},
                                                 .mode = mode};
        bool is_done = ioctl(file, UFFDIO_WRITEPROTECT, &protection) == 0;
        at += is_done ? next : 0;
        next = is_done ? size - at : next_size(next, size - at);
        if (next == 0 && at < size)
            return false;
    }
    return true;
}
