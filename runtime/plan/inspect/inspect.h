// The room of inspections: what memory holds that a launch only reads, and which bytes accesses
// touch whose places come from there, thread by thread. To be read in this order:
//
//     memory.h       which allocations there are, and what they hold
//     base.h         where pointers of a kernel lead to
//     contents.h     what is looked up for a launch, but for what the launch may change
//     lanes.h        nodes of a program as numbers, for many threads at once
//     nest.h         in which order threads and iterations around an access are gone through
//     batch.h        up to so many of them at once
//     marked.h       what has been found as long as it goes on
//     look.h         the same by the compiler's code, where there is some
//
// Which bytes an access touches whose address, or whose loops' bounds, come from memory that the
// launch only reads: x[columns[k]] for k from row[i] to row[i + 1].
#ifndef GCL_PLAN_INSPECT_H
#define GCL_PLAN_INSPECT_H

#include "plan/directory/origins.h"
#include "plan/inspect/contents.h"
#include "plan/inspect/marked.h"

/// Bytes of one allocation.
struct gcl_inspected_part {
    struct gcl_span allocation; ///< addresses
    struct gcl_region bytes;    ///< offsets in it
    bool exact;                 ///< all of them are touched
};

struct gcl_inspection {
    struct gcl_inspected_part *parts;
    size_t count;
    bool outside; ///< something may be touched that is in no allocation
};

/// The value of a node, if it is the same for all threads; false: it isn't, or isn't known.
bool gcl_inspect_constant(const struct gcl_program *program, const struct gcl_launch_part *launch,
                          struct gcl_contents *contents, uint16_t node, uint64_t *value);

/// Whether the address of an access, or the end of a loop around it, comes from memory and isn't
/// the same for all threads. `origins` are its.
bool gcl_inspect_is_needed(const struct gcl_program *program, uint16_t access,
                           const struct gcl_launch_part *launch, struct gcl_contents *contents,
                           const struct gcl_origins *origins);

/// Unless it was found, nothing is marked.
enum gcl_inspected {
    GCL_INSPECTED_FOUND,
    GCL_INSPECTED_NOTHING, ///< contents aren't known, or memory is short
    GCL_INSPECTED_LONG,    ///< it would take too long
};
/// An access for some blocks of a launch. What isn't among the loads of `origins` is unknown.
struct gcl_inspect_input {
    const struct gcl_program *program;
    uint16_t access;
    const struct gcl_launch_part *launch;
    struct gcl_contents *contents;
    const struct gcl_origins *origins;
    unsigned shares; ///< these blocks are one of so many shares of those for which it has to pay
};
/// Goes through the threads and iterations of the blocks, one by one where that counts.
GCL_MUST_USE enum gcl_inspected gcl_inspect(const struct gcl_inspect_input *input,
                                            struct gcl_marked *marked);
void gcl_inspection_finish(struct gcl_inspection *inspection);

#endif
