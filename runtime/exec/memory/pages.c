// Reserved addresses are mapped without access, which takes no memory; the system gives pages when
// they are used for the first time.
#include "exec/memory/pages.h"

#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

#include "exec/memory/share.h"

#define HUGE_PAGE ((size_t)2 << 20)

/// Says what is mapped in a range.
static void find_occupant(uintptr_t begin, uintptr_t end, char why[GCL_PAGES_WHY_SIZE]) {
    FILE *maps = fopen("/proc/self/maps", "re");
    char line[512], name[PATH_MAX] = "";
    uintptr_t from = 0, to = 0;
    bool is_found = false;
    while (maps && !is_found && fgets(line, sizeof line, maps)) {
        name[0] = 0;
        is_found = sscanf(line, "%" SCNxPTR "-%" SCNxPTR " %*s %*s %*s %*s %511s", &from, &to,
                          name) >= 2 &&
                   from < end && to > begin;
    }
    if (maps)
        fclose(maps);
    const char *last = strrchr(name, '/');
    snprintf(why, GCL_PAGES_WHY_SIZE, "%.60s is mapped at %#" PRIxPTR,
             is_found && name[0] ? (last ? last + 1 : name) : "something", is_found ? from : begin);
}

/// TSan lets nobody choose addresses, and gives others.
static bool chooses_addresses(void) {
#ifdef __has_feature
    return !__has_feature(thread_sanitizer);
#else
    return true;
#endif
}

// Systems that don't know MAP_FIXED_NOREPLACE take the address for a wish.
static uintptr_t reserve(uintptr_t wanted, size_t size, char why[GCL_PAGES_WHY_SIZE]) {
    if (wanted && !chooses_addresses()) {
        snprintf(why, GCL_PAGES_WHY_SIZE, "the thread sanitizer gives others");
        return 0;
    }
    const int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE;
    void *base =
        mmap((void *)wanted, size, PROT_NONE, flags | (wanted ? MAP_FIXED_NOREPLACE : 0), -1, 0);
    if (base == MAP_FAILED && errno != EEXIST) {
        snprintf(why, GCL_PAGES_WHY_SIZE, "the system doesn't give them (%s)", strerror(errno));
        return 0;
    }
    if (base == MAP_FAILED || (wanted && (uintptr_t)base != wanted)) {
        if (base != MAP_FAILED)
            munmap(base, size);
        find_occupant(wanted, wanted + size, why);
        return 0;
    }
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
    gcl_share_forget(begin, begin + size);
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
