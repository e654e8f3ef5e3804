// Races within a block: which of its threads accessed what since all of them stood at a barrier,
// and what is ordered by less than a barrier. See hazards.c for what is remembered.
//
// A struct gcl_hazards is for one block, and one thread of the host, at a time.
#ifndef GCL_EXEC_HAZARDS_H
#define GCL_EXEC_HAZARDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { GCL_HAZARD_WARP = 32, GCL_HAZARD_THREADS = 1024 };

/// With GCL_RACE_ATOMIC among an access' kinds: its result is used, as by a compare-and-swap that
/// is retried. Such loops begin with a plain read.
enum { GCL_HAZARD_RESULT = 32 };

/// An access to a granule, as it is remembered.
struct gcl_hazard_access {
    uint32_t site;   ///< the caller's number; 0: there is none
    uint16_t thread; ///< in the block
    uint8_t kinds;   ///< enum gcl_race_kind and that, a sum; of an atomic load: READ and ATOMIC
    uint8_t padding;
    uint32_t clock;  ///< how many warp operations the thread had passed
    uint32_t fences; ///< how many fences the block had
};

/// A granule or a byte, and what was done to it.
struct gcl_hazard_cell {
    uint64_t key;
    uint64_t turn;     ///< of the block, between two barriers
    uint32_t is_split; ///< bytes have cells of their own
    uint32_t padding;
    struct gcl_hazard_access write;    ///< the last one
    struct gcl_hazard_access reads[2]; ///< by two threads, if possible of two warps
};

/// What a thread has seen.
struct gcl_hazard_thread {
    uint32_t clock[GCL_HAZARD_WARP]; ///< of each lane of its warp, its own included
    uint32_t fenced;                 ///< the block's fences with its own last one
    uint32_t synchronised;           ///< the block's fences when it last looked at something atomic
};

/// Starts zeroed.
struct gcl_hazards {
    struct gcl_hazard_cell *cells; ///< a hash table
    size_t count, capacity;
    uint64_t turn;
    uint32_t fences;
    struct gcl_hazard_thread *threads; ///< GCL_HAZARD_THREADS of them
};

/// A block of `thread_count` threads begins. False: no memory, which can only be the first time.
bool gcl_hazards_begin(struct gcl_hazards *hazards, uint32_t thread_count);
void gcl_hazards_finish(struct gcl_hazards *hazards);

/// All threads of the block stand at a barrier.
void gcl_hazards_barrier(struct gcl_hazards *hazards);
/// The lanes of the warp whose first thread is `first` stand at a warp operation together.
void gcl_hazards_warp(struct gcl_hazards *hazards, uint32_t first, uint32_t lanes);
void gcl_hazards_fence(struct gcl_hazards *hazards, uint32_t thread);

/// Two accesses that nothing orders.
struct gcl_hazard {
    struct gcl_hazard_access other; ///< the earlier one
    uint64_t address;               ///< the first byte that both access
};

/// Notes an access of `access->thread`, of which site, thread and kinds are set, to bytes
/// [address, address + size). True if it races with an earlier one, which is `*found` then. Where
/// there is no memory for what is accessed, that goes unnoticed.
bool gcl_hazards_access(struct gcl_hazards *hazards, struct gcl_hazard_access *access,
                        uint64_t address, uint64_t size, struct gcl_hazard *found);

#endif
