// What each allocation needs when the blocks of a launch run as several ranges, each on a node of
// its own. A pure function of the ranges' footprints.
//
// The launch is assumed to have no race: that no block changes, other than by atomic
// operations, what another block reads or changes. So bytes that one range reads and another one
// changes (as halos of a stencil in place, or bounds of what is read that are too wide) are read as
// they were before the launch, or it doesn't matter what is read. That is kept by fetching for all
// ranges before any of them starts (GCL_HANDLE_OLD says where that counts). Bytes that two ranges
// write aren't taken for a race: kernels set flags so, and bounds of what is written may overlap.
#ifndef GCL_PLAN_CLASSES_H
#define GCL_PLAN_CLASSES_H

#include "plan/program/footprint.h"

/// What the runtime has to do. Regions are those of each range's struct gcl_allocation_use.
enum gcl_handle {
    GCL_HANDLE_FETCH = 1,    ///< each range needs what it reads, and no more
    GCL_HANDLE_WHOLE = 2,    ///< a range may read all of it
    GCL_HANDLE_OLD = 4,      ///< a range reads what another one changes: fetch for all, then start
    GCL_HANDLE_OWN = 8,      ///< each range owns what it has written; it needn't be fetched
    GCL_HANDLE_KEEP = 16,    ///< each range fetches what it may change, and owns it afterwards
    GCL_HANDLE_MERGE = 32,   ///< ranges may change the same bytes: twins, instead of owning
    GCL_HANDLE_REDUCE = 64,  ///< ranges start with the neutral element, results are combined
    GCL_HANDLE_COMBINE = 128 ///< as that, but they start with what lies there: twice does no harm
};

struct gcl_handling {
    struct gcl_span allocation; ///< addresses
    unsigned handles;           ///< enum gcl_handle
    bool is_disjoint;  ///< with GCL_HANDLE_MERGE: a pragma says that no byte is changed twice
    uint8_t reduction; ///< enum gcl_reduction
    uint16_t element;  ///< bytes of what is reduced, or with GCL_HANDLE_MERGE of values stored
    struct gcl_region *values; ///< with GCL_HANDLE_MERGE, as in struct gcl_demand
};

struct gcl_classes {
    struct gcl_handling *handlings;
    size_t count;
    uint16_t reason; ///< enum gcl_reason_code: why it can't run as several ranges; 0: it can
    uint16_t access; ///< that this is about, GCL_NONE: the kernel
};

/// Whether a reason keeps the kernel on one node.
bool gcl_classes_is_single(uint16_t code);

/// An access of a kind that goes, or may go, to an allocation; GCL_NONE: there is none.
uint16_t gcl_classes_access(const struct gcl_program *program, const struct gcl_launch_part *launch,
                            const struct gcl_span *allocation, enum gcl_access_kind kind);

/// `launch`: any part of it; `ranges`: the footprints of `count` ranges that have no block in
/// common. False: no memory; the classes are empty then.
GCL_MUST_USE bool gcl_classes_find(const struct gcl_program *program,
                                   const struct gcl_launch_part *launch,
                                   const struct gcl_footprint *ranges, size_t count,
                                   struct gcl_classes *classes);
void gcl_classes_finish(struct gcl_classes *classes);

#endif
