// For LD_PRELOAD: on some nodes of a job something is where device memory could be. OCCUPIED names
// pairs of nodes and addresses, in TiB, of a page each: "0:17 2:49"; without an address all are
// taken.
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

static void take(size_t begin, size_t size) {
    const int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE;
    if (mmap((void *)begin, size, PROT_NONE, flags, -1, 0) == MAP_FAILED && errno != EEXIST)
        abort();
}

__attribute__((constructor)) static void occupy(void) {
    const char *rank = getenv("GCL_NODE"), *at = getenv("OCCUPIED");
    while (rank && at && *at) {
        char *end;
        long node = strtol(at, &end, 10);
        size_t address = *end == ':' ? strtoul(end + 1, &end, 10) << 40 : 0;
        if (node == atol(rank) && address > 0) {
            take(address, 4096);
        } else if (node == atol(rank)) {
            take((size_t)256 << 30, (size_t)256 << 30); // sanitizers have something of it
            for (size_t tib = 17; tib < 81; tib++)
                take(tib << 40, (size_t)1 << 40);
        }
        at = end + strspn(end, " ");
    }
}
