// The place in memory that an expression of a kernel names, in the lanes of one warp.
#ifndef GCL_FRONTEND_LINT_PLACE_H
#define GCL_FRONTEND_LINT_PLACE_H

#include "frontend/lint/values.h"

enum gcl_lint_space {
    GCL_SPACE_OTHER, ///< a thread's own, or not known
    GCL_SPACE_GLOBAL,
    GCL_SPACE_SHARED,
};

struct gcl_lint_place {
    enum gcl_lint_space space;
    CXCursor variable;       ///< the array, or the pointer that leads to it
    struct gcl_lanes offset; ///< bytes from where the variable's memory begins
    CXType record;           ///< the class of the elements that lanes choose; kind 0: it is none
};

/// The place of an lvalue, and the one that a pointer leads to. Factors of the offset stay where it
/// isn't known (lanes.h).
struct gcl_lint_place gcl_lint_place_find(const struct gcl_lint_values *values, CXCursor lvalue);
struct gcl_lint_place gcl_lint_place_find_pointer(const struct gcl_lint_values *values,
                                                  CXCursor pointer);

#endif
