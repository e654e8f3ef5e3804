// Tracks: operations of one are carried out in order, on all nodes, and so is what nodes exchange
// for them. Those of different tracks may be under way at the same time.
#ifndef GCL_CLUSTER_TRACK_H
#define GCL_CLUSTER_TRACK_H

#include <stdint.h>

enum gcl_track {
    GCL_TRACK_KERNELS, ///< launches, and what device memory needs besides
    /// Up to this one: the same for streams that have something to do while others are at work.
    GCL_TRACK_KERNELS_LAST = GCL_TRACK_KERNELS + 3,
    GCL_TRACK_IN,      ///< copies from the host
    GCL_TRACK_OUT,     ///< copies to the host
    GCL_TRACK_SCATTER, ///< what came from the host goes on to other nodes
    GCL_TRACK_COUNT
};

/// The place of an exchange among others. Moments of a track grow from exchange to exchange on each
/// node, and are the same on all that take part.
struct gcl_turn {
    enum gcl_track track;
    uint64_t moment;
    uint64_t *mapped; ///< grows by bytes that are copied from where other nodes' memory is mapped;
                      ///< NULL: nobody counts them
};

#endif
