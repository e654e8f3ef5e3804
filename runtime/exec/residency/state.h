// What the parts of the room share; not for others.
#ifndef GCL_EXEC_RESIDENCY_STATE_H
#define GCL_EXEC_RESIDENCY_STATE_H

#include <pthread.h>
#include <stdatomic.h>

#include "exec/memory/guard.h"
#include "exec/residency/ahead.h"
#include "exec/residency/patch.h"
#include "exec/residency/residency.h"
#include "exec/residency/store.h"

enum chunk_state {
    CHUNK_NONE,     ///< no memory is allocated there
    CHUNK_ZERO,     ///< nobody has touched it: it is zeros, and takes no memory
    CHUNK_HERE,     ///< on the device
    CHUNK_STORED,   ///< in the store alone
    CHUNK_GIVEN_UP, ///< nowhere, but for its patch: the next use overwrites it
    CHUNK_MOVING,   ///< somebody has it come or go
};

/// One that is here and has a place in the store is the same there; it is write-protected.
struct chunk {
    gcl_store_place place;   ///< 0: the store hasn't got it
    struct gcl_patch *patch; ///< of one that is given up; NULL: all of it is overwritten
    uint32_t newer, older;   ///< among those that are here, in order of their last use; 0: none
    uint32_t use;            ///< number of the latest use (use.h) that has had it come
    uint32_t slot;           ///< in choice.c; 0: none
    uint32_t gone_at;        ///< how many chunks had gone when it went last, modulo 2^32
    uint16_t pages;          ///< that are allocated, a bit for each
    uint8_t state;           ///< enum chunk_state
    bool is_awaited;         ///< threads have stopped at it while it moves
    bool is_recent;          ///< a thread has just stopped at it
    bool is_touched;         ///< it has come for a thread that had stopped
    bool is_partial;         ///< it may lack some of its pages, which are zeros
};

/// Room for chunks that come (arrival.c); begins a free one.
struct gcl_residency_buffer {
    struct gcl_residency_buffer *next;
};

enum { GCL_RESIDENCY_WALKS = 16, GCL_RESIDENCY_STOPS = 64 };

/// A chunk at which a thread has stopped, and that it waits for.
struct gcl_residency_stop {
    uint32_t chunk;
    bool is_written;
};

struct gcl_residency {
    struct gcl_residency_options options;
    struct gcl_memory_guard *guard;
    atomic_bool is_engaged;

    pthread_mutex_t lock;
    bool is_fixed;        ///< nothing goes
    pthread_cond_t moved; ///< a chunk is no longer moving
    struct chunk *chunks; ///< of all addresses, from number 1 on
    uint32_t chunk_count; ///< with number 0, which is none
    uint64_t committed;   ///< bytes of chunks that are allocated
    uint64_t places;      ///< that chunks have in the store, or will have soon
    uint64_t most_places; ///< that there are now
    uint64_t top_places;  ///< that there have been at most
    uint32_t most_moved;  ///< chunks that one thread moves at once
    uint32_t block;       ///< chunks that move best together: a large page's, or 1
    struct gcl_chunk_range walks[GCL_RESIDENCY_WALKS]; ///< what has come last for stops
    unsigned next_walk;
    struct gcl_residency_stop stops[GCL_RESIDENCY_STOPS]; ///< that are put off
    unsigned stop_count;
    bool has_waiter;     ///< a thread of the guard's sees to it that they aren't put off for long
    unsigned left_count; ///< uses that have begun and that nothing comes for
    uint32_t newest, oldest;
    const unsigned char *zeros;           ///< GCL_MOVE_MOST chunks
    struct gcl_residency_buffer *buffers; ///< for bytes that come, of no thread now
    uint32_t in_use; ///< the first use that isn't over: chunks of it and of later ones stay
    struct gcl_residency_counts counts;
    size_t under_way;          ///< chunks that go, and that come and have room
    bool has_warned;           ///< of stops
    struct gcl_uses *uses;     ///< use.c
    struct gcl_choice *choice; ///< choice.c; NULL: nothing goes yet
};

/// Orders numbers of chunks, or of their slots, for qsort.
static inline int gcl_numbers_compare(const void *a, const void *b) {
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

static inline uint32_t gcl_chunk_at(const struct gcl_residency *residency, uintptr_t address) {
    return (uint32_t)((address - residency->options.begin) / GCL_CHUNK_SIZE) + 1;
}

/// The first chunk of the block in which one is.
static inline uint32_t gcl_block_begin(const struct gcl_residency *residency, uint32_t number) {
    return number - (number - 1) % residency->block;
}

static inline uintptr_t gcl_chunk_begin(const struct gcl_residency *residency, uint32_t number) {
    return residency->options.begin + (uintptr_t)(number - 1) * GCL_CHUNK_SIZE;
}

#endif
