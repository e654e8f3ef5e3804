// What a plan asks of memory: which allocations there are, and what they hold.
#ifndef GCL_PLAN_MEMORY_H
#define GCL_PLAN_MEMORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

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

#endif
