// The footprint of a launch, or of some of its blocks: which bytes of which allocations they read,
// write and reduce.
#ifndef GCL_PLAN_FOOTPRINT_H
#define GCL_PLAN_FOOTPRINT_H

#include "plan/evaluate.h"
#include "plan/region.h"

/// Where memory lies, as the one who asks knows it.
struct gcl_memory {
    /// Finds the allocation that holds `address`, as addresses; false: none does.
    bool (*find)(void *context, uint64_t address, struct gcl_span *allocation);
    void *context;
};

/// What happens to one allocation. Offsets count from its begin. A byte may be in several regions.
struct gcl_use {
    struct gcl_span allocation; ///< addresses
    struct gcl_region read;     ///< at most these are read
    struct gcl_region written;  ///< these are written, certainly
    struct gcl_region touched;  ///< at most these are written besides
    struct gcl_region reduced;  ///< at most these are combined by `reduction`, and nobody sees them
    struct gcl_region claimed;  ///< at most these are changed by atomic operations with a result
    uint8_t reduction;          ///< enum gcl_reduction
    uint16_t element;           ///< bytes of what is reduced
};

struct gcl_footprint {
    struct gcl_use *uses;
    size_t count;
    /// Pointers from memory, or of unknown origin, are followed: whatever has escaped may be read,
    /// or written.
    bool reads_escaped;
    bool writes_escaped;
    bool outside; ///< something may be touched that is in no allocation
    bool exact;   ///< no byte is in vain in any region
};

/// The address of a base; false if that isn't known before the kernel runs.
bool gcl_footprint_base(const struct gcl_program *program, const struct gcl_launch_part *launch,
                        uint16_t index, uint64_t *address);

/// Where the bytes of a program's accesses come from: `each` visits those of one access.
struct gcl_bytes_source {
    const struct gcl_program *program;
    void (*each)(void *context, uint16_t access, gcl_bytes_visit *visit, void *visitor);
    void *context;
};

/// Puts the footprint together from `source`. False: no memory; the footprint is empty then.
GCL_MUST_USE bool gcl_footprint_gather(const struct gcl_bytes_source *source,
                                       const struct gcl_launch_part *launch,
                                       const struct gcl_memory *memory,
                                       struct gcl_footprint *footprint);

/// Finds the footprint of `launch`. False: no memory; the footprint is empty then.
GCL_MUST_USE bool gcl_footprint_find(struct gcl_evaluator *evaluator,
                                     const struct gcl_launch_part *launch,
                                     const struct gcl_memory *memory,
                                     struct gcl_footprint *footprint);
void gcl_footprint_finish(struct gcl_footprint *footprint);

#endif
