// The room of access programs (gcluster/access.h): from a kernel's program and a launch to the
// bytes that blocks touch, and to what that means for several nodes. To be read in this order:
//
//     check.h        whether a program from an object file can be evaluated
//     value.h        what nodes of a program are over a piece of a launch
//     evaluate.h     which bytes one access touches; needs.h: what an access depends on; passed.h:
//                    what guards leave of a part, for all of its accesses
//     footprint.h    which bytes of which allocations a launch, or a part of it, touches
//     classes.h      what allocations need when blocks run as several ranges
//     split.h        along which axis a launch is cut; shares.h: what single blocks touch
//     key.h          what a result depends on, as bytes by which it is found again
//
// The footprint of a launch, or of some of its blocks, says which bytes of which allocations these
// blocks read, write and reduce.
#ifndef GCL_PLAN_FOOTPRINT_H
#define GCL_PLAN_FOOTPRINT_H

#include "plan/directory/demand.h"
#include "plan/inspect/memory.h"
#include "plan/program/evaluate.h"

/// What happens to one allocation. Offsets count from its begin. A byte may be in several regions.
struct gcl_allocation_use {
    struct gcl_span allocation; ///< addresses
    struct gcl_region read;     ///< at most these are read
    struct gcl_region written;  ///< these are written, certainly
    struct gcl_region touched;  ///< at most these are written besides
    struct gcl_region reduced;  ///< at most these are combined by `reduction`, and nobody sees them
    struct gcl_region claimed;  ///< at most these are changed by atomic operations with a result
    uint8_t reduction;          ///< enum gcl_reduction
    uint16_t element;           ///< bytes of what is reduced
    uint8_t stored;             ///< of `written` and `touched`: a bit i for values of 2^i bytes
    /// GCL_VALUE_SIZES regions where values of several sizes are stored: entry i is where those of
    /// 2^i bytes are, at most. NULL: all have one size.
    struct gcl_region *values;
    bool reads_vaguely; ///< bytes of `read` may not be read: it is a bound
};

/// An allocation whose contents were read to find a footprint.
struct gcl_reading {
    struct gcl_span allocation; ///< addresses
    uint64_t version;
};

struct gcl_contents;
struct gcl_inspection;
struct gcl_share_alike;
struct gcl_shares;

struct gcl_footprint {
    struct gcl_allocation_use *uses;
    size_t count;
    struct gcl_reading *readings; ///< what it depends on, apart from the launch
    size_t reading_count;
    /// Pointers from memory, or of unknown origin, are followed, and it isn't known which
    /// allocations have escaped: any may be read, or changed.
    bool reads_escaped;
    bool writes_escaped;
    bool inspects; ///< places were looked up in memory
    bool follows;  ///< such pointers were taken to lead to any allocation that has escaped
    bool outside;  ///< something may be touched that is in no allocation
    bool exact;    ///< no byte is in vain in any region
    /// How often memory is accessed; of what isn't known in boxes, as if each thread did once.
    double accesses;
};

/// Whether a program has something to look up in memory.
bool gcl_footprint_looks_up(const struct gcl_program *program);

/// Makes contents for the launch of which `launch` is a part, which borrow `memory`: says what the
/// launch may change, and whether the program has something to look up. False: no memory.
GCL_MUST_USE bool gcl_footprint_open_contents(struct gcl_evaluator *evaluator,
                                              const struct gcl_launch_part *launch,
                                              const struct gcl_memory *memory,
                                              struct gcl_contents *contents);

/// Where the bytes of a program's accesses come from: `each` visits those of one access.
struct gcl_bytes_source {
    const struct gcl_program *program;
    void (*each)(void *context, uint16_t access, gcl_bytes_visit *visit, void *visitor);
    void *context;
    struct gcl_contents *contents; ///< where to look up what comes from memory; NULL: nowhere
    /// By access, what was found by looking that up, NULL of those for which that isn't needed or
    /// possible; as array NULL: it is to be done.
    const struct gcl_inspection *const *inspections;
    /// By access, which ones `each` visits the same bytes for; NULL: none is known.
    const struct gcl_share_alike *alike;
};

/// Puts the footprint of `launch` together from `source`. False: no memory; it is empty then.
GCL_MUST_USE bool gcl_footprint_gather(const struct gcl_bytes_source *source,
                                       const struct gcl_launch_part *launch,
                                       const struct gcl_memory *memory,
                                       struct gcl_footprint *footprint);

/// Finds the footprint of `launch`. False: no memory; the footprint is empty then.
GCL_MUST_USE bool gcl_footprint_find(struct gcl_evaluator *evaluator,
                                     const struct gcl_launch_part *launch,
                                     const struct gcl_memory *memory,
                                     struct gcl_footprint *footprint);
/// What is known of a launch before the footprint of one of its parts is found.
struct gcl_footprint_known {
    struct gcl_contents *contents;
    const struct gcl_inspection *const *inspections; ///< as in struct gcl_bytes_source
    const struct gcl_shares *shares; ///< of the whole launch (shares.h); NULL: they aren't known
};
/// Like gcl_footprint_find, of one part of a launch of which `known` tells the rest.
GCL_MUST_USE bool gcl_footprint_find_known(struct gcl_evaluator *evaluator,
                                           const struct gcl_launch_part *launch,
                                           const struct gcl_footprint_known *known,
                                           struct gcl_footprint *footprint);
/// Like gcl_footprint_find_known, of one access alone.
GCL_MUST_USE bool gcl_footprint_find_access(struct gcl_evaluator *evaluator, uint16_t access,
                                            const struct gcl_launch_part *launch,
                                            const struct gcl_footprint_known *known,
                                            struct gcl_footprint *footprint);
/// What it uses of the allocation that begins there; NULL: nothing.
const struct gcl_allocation_use *gcl_footprint_use(const struct gcl_footprint *footprint,
                                                   int64_t begin);
/// Where values of 2^`size` bytes are stored, at most, which is borrowed from the use, or is put
/// into `room`, which is to be finished.
const struct gcl_region *gcl_footprint_values(const struct gcl_allocation_use *use, unsigned size,
                                              struct gcl_region *room);
void gcl_footprint_finish(struct gcl_footprint *footprint);

#endif
