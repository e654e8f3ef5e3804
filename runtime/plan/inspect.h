// Which bytes an access touches whose address, or whose loops' bounds, come from memory that the
// launch only reads: x[columns[k]] for k from row[i] to row[i + 1].
#ifndef GCL_PLAN_INSPECT_H
#define GCL_PLAN_INSPECT_H

#include "plan/contents.h"

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

/// Goes through the threads and iterations of the blocks, one by one where that counts. False, and
/// nothing found: that isn't what the access needs, or contents aren't known, or it would take too
/// long, or memory is short.
GCL_MUST_USE bool gcl_inspect(const struct gcl_program *program, uint16_t access,
                              const struct gcl_launch_part *launch, struct gcl_contents *contents,
                              struct gcl_inspection *inspection);
void gcl_inspection_finish(struct gcl_inspection *inspection);

#endif
