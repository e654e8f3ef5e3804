// Small messages between two nodes of one machine: a ring of bytes in memory that both map. One
// thread of one node writes, one thread of another one takes, in the same order. The writer copies
// into the ring and needn't wait for the other; a message lies in one piece, behind its head.
//
// Positions count bytes from the start of the ring's life, and only grow.
#ifndef GCL_CLUSTER_RING_H
#define GCL_CLUSTER_RING_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// Zeroed, it is empty. Starts at an address that is a multiple of 64.
struct gcl_ring {
    _Alignas(64) _Atomic uint64_t written; ///< up to where its writer has written,
    _Alignas(64) _Atomic uint64_t taken;   ///< and up to where its reader has taken
    _Alignas(64) unsigned char bytes[];    ///< `room` of them
};

/// The least room of a ring; room is a power of two.
#define GCL_RING_LEAST 1024

/// A message in a ring.
struct gcl_ring_message {
    uint64_t moment;            ///< whatever its writer says
    const unsigned char *bytes; ///< NULL: what is in the ring can't be a message
    size_t size;
    uint64_t end; ///< what `taken` becomes with it
};

/// The largest message of a ring, in bytes: several have room beside each other.
static inline size_t gcl_ring_most(size_t room) {
    return room / 4;
}

/// Up to where the reader has to have taken before a message of `size` bytes has room.
uint64_t gcl_ring_wanted(const struct gcl_ring *ring, size_t room, size_t size);
/// Where the bytes of the next message go, for which there is room. The writer's.
unsigned char *gcl_ring_place(struct gcl_ring *ring, size_t room, size_t size);
/// Puts a head to those bytes. What `written` becomes, with which the reader sees the message.
uint64_t gcl_ring_close(struct gcl_ring *ring, size_t room, uint64_t moment, size_t size);
/// The first message of a ring that isn't empty. The reader's, which trusts nothing in it.
struct gcl_ring_message gcl_ring_first(const struct gcl_ring *ring, size_t room);

#endif
