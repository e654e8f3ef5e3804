// What a gcl_store_place says: the tier in its highest byte, the slot below.
#ifndef GCL_EXEC_PLACE_H
#define GCL_EXEC_PLACE_H

#include <stdint.h>

#include "exec/residency/store.h"

enum gcl_tier { GCL_TIER_NONE, GCL_TIER_HOST, GCL_TIER_NEIGHBOUR, GCL_TIER_FILE };

enum { GCL_PLACE_SHIFT = 56 };

static inline gcl_store_place gcl_place(enum gcl_tier tier, uint64_t slot) {
    return (gcl_store_place)tier << GCL_PLACE_SHIFT | slot;
}

static inline enum gcl_tier gcl_place_tier(gcl_store_place place) {
    return (enum gcl_tier)(place >> GCL_PLACE_SHIFT);
}

static inline uint64_t gcl_place_slot(gcl_store_place place) {
    return place & ((UINT64_C(1) << GCL_PLACE_SHIFT) - 1);
}

#endif
