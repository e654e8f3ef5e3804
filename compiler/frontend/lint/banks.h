// Banks of shared memory, and rows that are padded so that threads don't meet in one.
#ifndef GCL_FRONTEND_LINT_BANKS_H
#define GCL_FRONTEND_LINT_BANKS_H

#include "base/diagnostic.h"
#include "frontend/lint/lint.h"
#include "frontend/lint/values.h"

/// How many words of one bank an instruction needs at most for `lanes` threads, each of which
/// accesses `size` bytes at its offset.
unsigned gcl_lint_count_conflicts(const struct gcl_lanes *offset, int lanes, int64_t size);

/// An array whose rows may be padded.
struct gcl_lint_padding {
    CXCursor variable;
    int dimensions;
    int64_t row; ///< elements of a row, with one more
    bool helps;  ///< with one more element in a row, threads meet in no bank, or two in each
};

/// What padding does for an access to an element of a shared array.
struct gcl_lint_padding gcl_lint_padding_find(const struct gcl_lint_values *values,
                                              CXCursor access);

/// Adds the edit that pads the rows, where nothing in `kernel` depends on how long they are.
void gcl_lint_padding_mend(const struct gcl_lint *lint, CXCursor kernel,
                           const struct gcl_lint_padding *padding,
                           struct gcl_diagnostic *diagnostic);

#endif
