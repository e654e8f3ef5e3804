#include "exec/residency/store_pages.h"

#include <assert.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "exec/memory/guard.h"
#include "exec/residency/store_host.h"

enum { BLOCK_SIZE = GCL_BLOCK_CHUNKS * GCL_CHUNK_SIZE };
#define ADDRESSES_MOST ((uint64_t)16 << 40) ///< bytes of all blocks

/// Whether the system gives large pages to who asks for them.
static bool has_large_pages(void) {
    char setting[64] = "";
    FILE *file = fopen("/sys/kernel/mm/transparent_hugepage/enabled", "re");
    bool is_read = file && fgets(setting, sizeof setting, file);
    if (file)
        fclose(file);
    errno = ENOTSUP;
    return is_read && !strstr(setting, "[never]");
}

static bool obtain(void *owner, uint64_t begin, uint64_t end) {
    (void)owner, (void)begin, (void)end;
    return true;
}

static void give_back(void *owner, uint64_t begin, uint64_t end) {
    (void)owner, (void)begin, (void)end; // nobody has pages there
}

static const struct gcl_slots_kind kind = {
    .stretch = 64, .idle_most = UINT64_MAX, .obtain = obtain, .give_back = give_back};

bool gcl_store_pages_init(struct gcl_store_pages *pages, struct gcl_memory_guard *guard,
                          uint64_t count, uint32_t chunk_count) {
    uint64_t most = ADDRESSES_MOST / BLOCK_SIZE, blocks = count < most ? count : most;
    *pages = (struct gcl_store_pages){.count = count, .mapped = blocks * BLOCK_SIZE};
    pthread_mutex_init(&pages->lock, NULL);
    if (!has_large_pages() || !gcl_slots_init(&pages->blocks, &kind, pages, blocks))
        return false;
    // What of these is never used takes no memory.
    pages->homes = calloc(chunk_count / GCL_BLOCK_CHUNKS + 1, sizeof *pages->homes);
    pages->owners = calloc(blocks, sizeof *pages->owners);
    pages->memory = gcl_store_host_map(pages->mapped);
    if (!pages->homes || !pages->owners || !pages->memory)
        return false;
    return gcl_guard_watch_target(guard, (uintptr_t)pages->memory, pages->mapped);
}

void gcl_store_pages_finish(struct gcl_store_pages *pages) {
    gcl_slots_finish(&pages->blocks);
    if (pages->memory)
        munmap(pages->memory, pages->mapped);
    free(pages->homes);
    free(pages->owners);
    *pages = (struct gcl_store_pages){.count = 0};
}

/// A place for a chunk. False: there is no block for it. The lock is held.
static bool take(struct gcl_store_pages *pages, uint32_t chunk, uint64_t *place) {
    uint32_t owner = (chunk - 1) / GCL_BLOCK_CHUNKS;
    uint64_t block = pages->homes[owner] ? pages->homes[owner] - 1 : gcl_slots_take(&pages->blocks);
    if (block == GCL_SLOT_NONE)
        return false;
    pages->homes[owner] = (uint32_t)block + 1;
    pages->owners[block].owner = owner;
    pages->owners[block].kept++;
    pages->taken++;
    *place = block * GCL_BLOCK_CHUNKS + (chunk - 1) % GCL_BLOCK_CHUNKS;
    return true;
}

size_t gcl_store_pages_take(struct gcl_store_pages *pages, const uint32_t *chunks, uint64_t *places,
                            size_t count) {
    size_t i = 0;
    pthread_mutex_lock(&pages->lock);
    while (i < count && pages->taken < pages->count && take(pages, chunks[i], &places[i]))
        i++;
    pthread_mutex_unlock(&pages->lock);
    return i;
}

void gcl_store_pages_drop(struct gcl_store_pages *pages, uint64_t place) {
    uint64_t block = place / GCL_BLOCK_CHUNKS;
    pthread_mutex_lock(&pages->lock);
    struct gcl_page_block *owner = &pages->owners[block];
    assert(owner->kept > 0 && pages->taken > 0);
    pages->taken--;
    if (--owner->kept == 0) {
        pages->homes[owner->owner] = 0;
        gcl_slots_drop(&pages->blocks, block);
    }
    pthread_mutex_unlock(&pages->lock);
}

void gcl_store_pages_clear(const struct gcl_store_pages *pages, uint64_t begin, uint64_t end) {
    madvise(gcl_store_pages_at(pages, begin), (end - begin) * GCL_CHUNK_SIZE, MADV_DONTNEED);
}

bool gcl_store_pages_spare(struct gcl_store_pages *pages, uint64_t count) {
    pthread_mutex_lock(&pages->lock);
    bool has_room = pages->taken + count <= pages->count;
    pages->taken += has_room ? count : 0;
    pthread_mutex_unlock(&pages->lock);
    return has_room;
}

void *gcl_store_pages_at(const struct gcl_store_pages *pages, uint64_t place) {
    return pages->memory + place * GCL_CHUNK_SIZE;
}
