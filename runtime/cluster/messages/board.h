// A node's board: memory that its neighbours map, on which it says how far it is, and into which
// they write small messages for it. Whoever waits for a word on a board sleeps on the board.
#ifndef GCL_CLUSTER_BOARD_H
#define GCL_CLUSTER_BOARD_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cluster/communicator/node.h"
#include "cluster/communicator/track.h"
#include "cluster/messages/ring.h"
#include "cluster/wire/wire.h"

/// What a node says to one other.
struct gcl_board_line {
    /// Of each track: the moment up to which it has read all that the other sent,
    _Atomic uint64_t taken[GCL_TRACK_COUNT];
    /// and where what it packed for the other lies; read once it is ready.
    _Atomic uint64_t packed_at[GCL_TRACK_COUNT];
    atomic_bool can_read; ///< the other's memory
    atomic_bool refuses;  ///< to be lent more of the other's device memory
};

struct gcl_board {
    uint64_t magic;
    /// Of each track: the moment up to which neighbours may read what it sends.
    _Atomic uint64_t ready[GCL_TRACK_COUNT];
    _Atomic uint32_t changes; ///< grows with each change: what sleepers sleep on
    _Atomic uint32_t sleepers;
    struct gcl_board_line lines[]; ///< by node; rings follow, by node and track
};

/// What the boards of a job have in common.
struct gcl_board_form {
    gcl_node count;
    size_t room; ///< of a ring; 0: there are too many nodes for rings
    size_t size; ///< of a board
};
struct gcl_board_form gcl_board_form_of(gcl_node count);

/// Makes this node's board, zeroed but for what marks it. NULL: no memory. `*descriptor` is to be
/// closed either way, if it isn't negative.
struct gcl_board *gcl_board_create(const struct gcl_board_form *form, int *descriptor);
/// Maps the board of the node with a card. NULL, with errno: there is none.
struct gcl_board *gcl_board_open(const struct gcl_board_form *form,
                                 const struct gcl_wire_card *card);
/// Takes NULL.
void gcl_board_close(struct gcl_board *board, const struct gcl_board_form *form);
/// Whether this process can read the memory of the node with a card; errno says why not.
bool gcl_board_can_read(const struct gcl_wire_card *card);

/// What `from` writes for the board's owner. There are rings.
struct gcl_ring *gcl_board_ring(struct gcl_board *board, const struct gcl_board_form *form,
                                gcl_node from, enum gcl_track track);
/// Sets a word on a board, and wakes those who sleep on the board.
void gcl_board_announce(struct gcl_board *board, _Atomic uint64_t *word, uint64_t value);
/// Sleeps until a word on a board has come to a value, or until `has_failed`: then false.
bool gcl_board_sleep(struct gcl_board *board, const _Atomic uint64_t *word, uint64_t value,
                     const atomic_bool *has_failed);

#endif
