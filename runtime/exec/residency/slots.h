// Places of chunks in one tier, numbered from 0. What is behind them, memory or a disk's space, is
// asked for and given back in stretches of many: a stretch that has room is filled before another
// one is asked for, and a few empty ones stay, for what comes next.
#ifndef GCL_EXEC_SLOTS_H
#define GCL_EXEC_SLOTS_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "exec/residency/bits.h"

#define GCL_SLOT_NONE GCL_BITS_NONE

struct gcl_slots_kind {
    uint64_t stretch;   ///< slots in one
    uint64_t idle_most; ///< empty stretches that are kept
    /// Has what is behind slots [begin, end) be there. False, after a message: it can't be had.
    bool (*obtain)(void *owner, uint64_t begin, uint64_t end);
    /// Gives back what is behind slots.
    void (*give_back)(void *owner, uint64_t begin, uint64_t end);
};

struct gcl_slots {
    const struct gcl_slots_kind *kind;
    void *owner;
    uint64_t count;
    pthread_mutex_t lock; ///< of what follows; `kind` is called under it
    atomic_uint_fast64_t taken;
    struct gcl_bits free;    ///< slots that aren't taken and have something behind them
    struct gcl_bits missing; ///< stretches that have nothing behind them
    uint32_t *stretch_taken; ///< slots of each stretch
    uint64_t idle;           ///< stretches of which no slot is taken, and that aren't missing
};

/// `count` slots, which may be 0; `owner` is what the kind's functions get. False: no memory.
bool gcl_slots_init(struct gcl_slots *slots, const struct gcl_slots_kind *kind, void *owner,
                    uint64_t count);
/// Gives nothing back: what is behind the slots goes with its owner. Takes zeroed ones.
void gcl_slots_finish(struct gcl_slots *slots);
/// A slot that nobody has; GCL_SLOT_NONE: all are taken, or, after a message, no more can be had.
/// Any thread.
uint64_t gcl_slots_take(struct gcl_slots *slots);
/// Gives up a slot that was taken. Any thread.
void gcl_slots_drop(struct gcl_slots *slots, uint64_t slot);

#endif
