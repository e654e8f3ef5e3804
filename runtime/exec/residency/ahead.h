// The next use of each chunk, from what is known of the commands ahead, and behind them from the
// period in which they repeat themselves, or the distance between the chunk's uses; and by these
// which chunk to evict (order.h).
//
// Pure: no memory but its own, no clock. One thread at a time.
#ifndef GCL_EXEC_AHEAD_H
#define GCL_EXEC_AHEAD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "exec/residency/order.h"

/// Chunks [begin, end).
struct gcl_chunk_range {
    uint32_t begin, end;
    bool is_overwritten; ///< by a command, which needs nothing of what is there
};

/// What a command uses: ranges in ascending order that don't overlap.
struct gcl_ahead_command {
    const struct gcl_chunk_range *ranges;
    size_t count;
    uint64_t kind; ///< the same for commands that do the same, also with other memory: a launch's
                   ///< kernel, grid and place among the block ranges that it runs in
};

struct gcl_ahead;

/// Chunks are numbers below `chunk_count`, at most 2^31; none is on the device. NULL: no memory.
struct gcl_ahead *gcl_ahead_create(uint32_t chunk_count);
/// Takes NULL.
void gcl_ahead_destroy(struct gcl_ahead *ahead);

/// A command will run, behind all that were announced before. What it uses is copied. Takes as many
/// steps as it has chunks. False: no memory; the command isn't announced.
bool gcl_ahead_announce(struct gcl_ahead *ahead, const struct gcl_ahead_command *footprint);
/// The oldest command that was announced and hasn't begun begins now: its chunks' next uses are
/// those behind it. Takes as many steps as it has chunks, and some for each command behind it.
void gcl_ahead_begin(struct gcl_ahead *ahead);

/// A chunk is on the device now, and may be evicted.
void gcl_ahead_add(struct gcl_ahead *ahead, uint32_t chunk);
/// A chunk isn't on the device any more, or mustn't be evicted until it is added again.
void gcl_ahead_remove(struct gcl_ahead *ahead, uint32_t chunk);
/// The command that is known or expected to use a chunk next, from 1 as they are announced;
/// GCL_ORDER_UNKNOWN: none is.
uint64_t gcl_ahead_next(const struct gcl_ahead *ahead, uint32_t chunk);
/// Whether a command that was announced uses a chunk next, and overwrites it.
bool gcl_ahead_is_overwritten(const struct gcl_ahead *ahead, uint32_t chunk);
/// The chunk to evict, of those that were added, first what is overwritten next; GCL_ORDER_NONE:
/// there is none.
uint32_t gcl_ahead_victim(const struct gcl_ahead *ahead);

#endif
