// Inspections that are cut into shares of blocks, which several threads may find at once.
#ifndef GCL_PLAN_INSPECT_SHARES_H
#define GCL_PLAN_INSPECT_SHARES_H

#include "plan/inspect/inspect.h"
#include "plan/survey/kept.h"
#include "plan/survey/reader.h"

/// One access to inspect, and what is found of it.
struct gcl_inspect_task {
    uint16_t access;
    struct gcl_origins origins;
    struct gcl_kept *kept; ///< shares that need no look, and then those that were found; NULL: none
    enum gcl_inspected inspected;
    struct gcl_inspection inspection;
    unsigned looked, recalled; ///< shares that were gone through, and those that were kept
};

/// For all tasks the same.
struct gcl_inspect_part {
    const struct gcl_program *program;
    const struct gcl_launch_part *launch;
    const struct gcl_contents *contents; ///< that are given
    const struct gcl_reader *reader;     ///< whose threads may take part
};

/// The shares that the blocks of a part are cut into: that depends on nothing but these.
unsigned gcl_inspect_share_count(const struct gcl_launch_part *part);
/// Inspects the accesses of all tasks. False: no memory.
GCL_MUST_USE bool gcl_inspect_all(const struct gcl_inspect_part *part,
                                  struct gcl_inspect_task *tasks, size_t count);

#endif
