// What an operation demands of one allocation: the bytes that each node needs before it, and those
// that it changes. Plans are made of demands (schedule/plan.h).
#ifndef GCL_PLAN_DEMAND_H
#define GCL_PLAN_DEMAND_H

#include "plan/region/region.h"

/// What an operation does with one allocation. Arrays have a region for each node; NULL: no node
/// does that. Regions in `written` are disjoint, and from those in `combined`, too.
enum { GCL_VALUE_SIZES = 4 }; ///< 1, 2, 4 and 8 bytes

struct gcl_demand {
    uint64_t begin;                    ///< address of the allocation
    const struct gcl_region *needed;   ///< has to be valid there before
    const struct gcl_region *written;  ///< is the only valid copy afterwards
    const struct gcl_region *combined; ///< may be changed there, by several nodes
    uint8_t kind;                      ///< of `combined`: enum gcl_combination_kind
    uint8_t reduction;                 ///< of `combined`: enum gcl_reduction, unless it is a merge
    uint16_t element; ///< of `combined`: bytes of what is reduced, or of a merge of values
    /// Of a merge, where nodes store values of several sizes: entry i is where what is taken as a
    /// whole has 2^i bytes. No byte is in two of them. NULL: everywhere `element`.
    const struct gcl_region *values;
    /// `needed` is a bound, of which little may be read: whole pages of it may come one by one, as
    /// they are touched, where there are many and nobody changes the allocation.
    bool is_faulted;
};

#endif
