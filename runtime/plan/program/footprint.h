// The room of access programs (gcluster/access.h): from a kernel's program and a launch to the
// bytes that blocks touch, and to what that means for several nodes. To be read in this order:
//
//     check.h        whether a program from an object file can be evaluated
//     value.h        what nodes of a program are over a piece of a launch
//     evaluate.h     which bytes one access touches; needs.h: what an access depends on; passed.h:
//                    what guards leave of a part, for all of its accesses
//     footprint.h    which bytes of which allocations a launch, or a part of it, touches
//     contents.h     what memory holds that a launch only reads
//     lanes.h        nodes of a program as numbers, for many threads at once
//     nest.h         in which order threads and iterations around an access are gone through
//     inspect.h      accesses whose addresses come from such memory, thread by thread
//     marked.h       what such an inspection has found as long as it goes on
//     inspect_shares.h  inspections that several threads share
//     steady.h       what counts for an access if what only conditions read isn't looked at
//     survey.h       inspections shared out over nodes, each of which goes through its own blocks
//     reader.h       how nodes look into memory and tell each other
//     classes.h      what allocations need when blocks run as several ranges
//     split.h        along which axis a launch is cut; shares.h: what single blocks touch
//     key.h          what a result depends on, as bytes by which it is found again
//
// The footprint of a launch, or of some of its blocks, says which bytes of which allocations these
// blocks read, write and reduce.
#ifndef GCL_PLAN_FOOTPRINT_H
#define GCL_PLAN_FOOTPRINT_H

#include "plan/program/evaluate.h"
#include "plan/region/region.h"

/// Where memory lies, as the one who asks knows it.
struct gcl_memory {
    /// Finds the allocation that holds `address`, as addresses; false: none does.
    bool (*find)(void *context, uint64_t address, struct gcl_span *allocation);
    /// Allocation `index` of those that a pointer found in memory may lead to; false: there aren't
    /// so many. NULL: they aren't known.
    bool (*escaped)(void *context, size_t index, struct gcl_span *allocation);
    /// Where the bytes of an allocation lie, of which those of `run` can be read until the launch
    /// begins, and a number that is another one whenever they have been changed. The run, offsets,
    /// may become larger. NULL: not on this machine. As callback NULL: nothing can be read,
    /// addresses that come from memory aren't known.
    const unsigned char *(*contents)(void *context, const struct gcl_span *allocation,
                                     struct gcl_span *run, uint64_t *version);
    void *context;
};

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
};

/// An allocation whose contents were read to find a footprint.
struct gcl_reading {
    struct gcl_span allocation; ///< addresses
    uint64_t version;
};

struct gcl_contents;
struct gcl_inspection;

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

/// The address of a base; false if that isn't known before the kernel runs.
bool gcl_footprint_base(const struct gcl_program *program, const struct gcl_launch_part *launch,
                        uint16_t index, uint64_t *address);

/// What `launch` changes, without looking into memory. False: no memory; it is empty then.
GCL_MUST_USE bool gcl_footprint_changes(struct gcl_evaluator *evaluator,
                                        const struct gcl_launch_part *launch,
                                        const struct gcl_memory *memory,
                                        struct gcl_footprint *footprint);
/// Where the bytes of a program's accesses come from: `each` visits those of one access.
struct gcl_bytes_source {
    const struct gcl_program *program;
    void (*each)(void *context, uint16_t access, gcl_bytes_visit *visit, void *visitor);
    void *context;
    struct gcl_contents *contents; ///< where to look up what comes from memory; NULL: nowhere
    /// By access, what was found by looking that up, NULL of those for which that isn't needed or
    /// possible; as array NULL: it is to be done.
    const struct gcl_inspection *const *inspections;
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
void gcl_footprint_finish(struct gcl_footprint *footprint);

#endif
