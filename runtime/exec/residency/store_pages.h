// The host's memory as a tier that takes pages instead of bytes: they are moved there as they are.
// A block of chunks, as many as a large page has, has a block of addresses while any of them is
// kept, and each chunk its own place in it: so a large page stays one, and what lies side by side
// in a block moves by one call of the system. Any thread may call.
#ifndef GCL_EXEC_STORE_PAGES_H
#define GCL_EXEC_STORE_PAGES_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "exec/residency/chunk.h"
#include "exec/residency/slots.h"

struct gcl_memory_guard;

struct gcl_store_pages {
    unsigned char *memory; ///< blocks of addresses; NULL: there are none
    size_t mapped;
    uint64_t count;       ///< chunks that may be kept
    pthread_mutex_t lock; ///< of what follows; anybody reads how many are taken
    atomic_uint_fast64_t taken;
    struct gcl_slots blocks;
    uint32_t *homes;        ///< of blocks of chunks: one more than their blocks here; 0: none
    struct gcl_page_block { ///< of blocks here
        uint32_t owner;     ///< block of chunks
        uint32_t kept;      ///< chunks of it
    } *owners;
};

/// `count` chunks of numbers from 1 to `chunk_count` may be kept. Takes zeroed storage. False, with
/// `errno`: the guard can't move pages, or there is no memory.
bool gcl_store_pages_init(struct gcl_store_pages *pages, struct gcl_memory_guard *guard,
                          uint64_t count, uint32_t chunk_count);
void gcl_store_pages_finish(struct gcl_store_pages *pages);
/// Takes places for chunks, which have no pages. Returns for how many there is room.
size_t gcl_store_pages_take(struct gcl_store_pages *pages, const uint32_t *chunks, uint64_t *places,
                            size_t count);
/// Gives a place up that has no pages any more.
void gcl_store_pages_drop(struct gcl_store_pages *pages, uint64_t place);
/// Drops the pages of places [begin, end).
void gcl_store_pages_clear(const struct gcl_store_pages *pages, uint64_t begin, uint64_t end);
/// Counts `count` chunks as taken for good. False: there is no room for all of them.
bool gcl_store_pages_spare(struct gcl_store_pages *pages, uint64_t count);
/// Where the pages of a place are.
void *gcl_store_pages_at(const struct gcl_store_pages *pages, uint64_t place);

#endif
