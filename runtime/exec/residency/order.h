// Which chunk to evict: of those on the device the one whose next use is furthest, which fetches
// least (L. A. Belady, "A study of replacement algorithms for a virtual-storage computer", 1966).
// Uses are numbers of commands, as they run. What nothing is known of goes first, the least
// recently used before others.
//
// Uses are known up to some command; behind it they are expected. What was expected at a command
// that then turns out not to use it is late: it counts as used right behind what is known, for a
// while, since sequences of commands that repeat are shifted by a single other command.
//
// Pure: no memory but its own, no clock. One thread at a time. All functions take a few steps,
// whatever the number of chunks.
#ifndef GCL_EXEC_ORDER_H
#define GCL_EXEC_ORDER_H

#include <stdint.h>

#define GCL_ORDER_UNKNOWN UINT64_MAX ///< as a next use: none is known or expected
#define GCL_ORDER_NONE UINT32_MAX    ///< as a chunk: there is none

struct gcl_order;

/// Chunks are numbers below `chunk_count`, at most 2^31; none is on the device. NULL: no memory.
struct gcl_order *gcl_order_create(uint32_t chunk_count);
/// Takes NULL.
void gcl_order_destroy(struct gcl_order *order);

/// A chunk that is on the device is used now, or what is known of it changes: command `next_use` is
/// the next one that uses it. Commands that are further ahead than a million count as that far.
void gcl_order_use(struct gcl_order *order, uint32_t chunk, uint64_t next_use);
/// A chunk isn't on the device any more, or mustn't be evicted until the next gcl_order_use.
void gcl_order_remove(struct gcl_order *order, uint32_t chunk);
/// The chunk to evict, which stays until it is removed; GCL_ORDER_NONE: there is none.
uint32_t gcl_order_victim(const struct gcl_order *order);

/// Command `number`, one more than the last one, is known from now on: chunks whose use was
/// expected there are late until gcl_order_use says that they are used. `patience` is the number of
/// commands after which what is still late counts as unknown and older than all others, or twice
/// that.
void gcl_order_know(struct gcl_order *order, uint64_t number, uint64_t patience);
/// All commands below `number` are over. What should have been used by them counts as unknown.
void gcl_order_pass(struct gcl_order *order, uint64_t number);

#endif
