// Stretches are the system's large pages, which a first use takes one fault for instead of 512.
#include "exec/residency/store_host.h"

#include <errno.h>
#include <string.h>
#include <sys/mman.h>

#include "base/bytes_text.h"
#include "base/log.h"
#include "exec/residency/chunk.h"

static bool obtain(void *owner, uint64_t begin, uint64_t end) {
    (void)owner, (void)begin, (void)end; // the first use does
    return true;
}

static void give_back(void *owner, uint64_t begin, uint64_t end) {
    const struct gcl_store_host *host = owner;
    madvise(gcl_store_host_at(host, begin), (end - begin) * GCL_CHUNK_SIZE, MADV_DONTNEED);
}

static const struct gcl_slots_kind kind = {
    .stretch = GCL_BLOCK_CHUNKS, .idle_most = 32, .obtain = obtain, .give_back = give_back};

void *gcl_store_host_map(size_t size) {
    const size_t large = (size_t)GCL_BLOCK_CHUNKS * GCL_CHUNK_SIZE;
    const int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE;
    unsigned char *base = mmap(NULL, size + large, PROT_READ | PROT_WRITE, flags, -1, 0);
    if (base == MAP_FAILED)
        return NULL;
    size_t before = -(uintptr_t)base % large;
    if (before)
        munmap(base, before);
    munmap(base + before + size, large - before);
    madvise(base + before, size, MADV_HUGEPAGE);
    madvise(base + before, size, MADV_DONTDUMP);
    return base + before;
}

bool gcl_store_host_init(struct gcl_store_host *host, size_t size) {
    uint64_t count = size / GCL_CHUNK_SIZE;
    host->size = count * GCL_CHUNK_SIZE;
    if (count > 0)
        host->memory = gcl_store_host_map(host->size);
    if ((count > 0 && !host->memory) || !gcl_slots_init(&host->slots, &kind, host, count)) {
        gcl_log(GCL_LOG_ERROR,
                "GCL_HOST_MEMORY: no addresses for %s of the host's memory (%s): a smaller size "
                "may do",
                gcl_bytes_text((double)size).text, strerror(errno));
        gcl_store_host_finish(host);
        return false;
    }
    return true;
}

void gcl_store_host_finish(struct gcl_store_host *host) {
    gcl_slots_finish(&host->slots);
    if (host->memory)
        munmap(host->memory, host->size);
    *host = (struct gcl_store_host){.size = 0};
}

void *gcl_store_host_at(const struct gcl_store_host *host, uint64_t slot) {
    return host->memory + slot * GCL_CHUNK_SIZE;
}
