// How the bytes of chunks that come get to their pages.
#ifndef GCL_EXEC_RESIDENCY_ARRIVAL_H
#define GCL_EXEC_RESIDENCY_ARRIVAL_H

#include "exec/residency/state.h"

/// A chunk that comes, and is MOVING.
struct gcl_coming {
    uint32_t number;
    gcl_store_place place;   ///< 0: it comes as zeros
    struct gcl_patch *patch; ///< of these; NULL: none
    bool keeps;              ///< the place, since the chunk isn't going to be written
    bool is_moved;           ///< what is there are its pages
};

/// Chunks come that are MOVING, ascending and less than GCL_MOVE_MOST apart, for which there is
/// room. The lock isn't held.
enum gcl_status gcl_chunks_arrive(struct gcl_residency *residency, const struct gcl_coming *coming,
                                  size_t count);

#endif
