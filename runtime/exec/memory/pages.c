// Reserved addresses are mapped without access, which takes no memory; the system gives pages when
// they are used for the first time.
#include "exec/memory/pages.h"

#include <string.h>
#include <sys/mman.h>

#define HUGE_PAGE ((size_t)2 << 20)

static uintptr_t reserve(uintptr_t preferred, size_t size, bool is_exact) {
    const int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE;
    void *base = mmap((void *)preferred, size, PROT_NONE,
                      flags | (is_exact ? MAP_FIXED_NOREPLACE : 0), -1, 0);
    if (base == MAP_FAILED)
        return 0;
    madvise(base, size, MADV_DONTDUMP);
    return (uintptr_t)base;
}

static void release(uintptr_t begin, size_t size) {
    munmap((void *)begin, size);
}

static bool commit(uintptr_t begin, size_t size) {
    if (mprotect((void *)begin, size, PROT_READ | PROT_WRITE) != 0)
        return false;
    if (size >= HUGE_PAGE)
        madvise((void *)begin, size, MADV_HUGEPAGE);
    return true;
}

// Mapping anew drops the pages and makes late accesses fault, in one call.
static bool decommit(uintptr_t begin, size_t size) {
    const int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED;
    if (mmap((void *)begin, size, PROT_NONE, flags, -1, 0) == MAP_FAILED)
        return false;
    madvise((void *)begin, size, MADV_DONTDUMP);
    return true;
}

static bool seal(uintptr_t begin, size_t size) {
    return mprotect((void *)begin, size, PROT_READ) == 0;
}

static void clear(uintptr_t begin, size_t size) {
    memset((void *)begin, 0, size);
}

static void write(uintptr_t begin, const void *source, size_t size) {
    memcpy((void *)begin, source, size);
}

const struct gcl_page_ops gcl_pages_host = {.reserve = reserve,
                                            .release = release,
                                            .commit = commit,
                                            .decommit = decommit,
                                            .seal = seal,
                                            .clear = clear,
                                            .write = write};
