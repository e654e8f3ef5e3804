// What the integers of a kernel are in the lanes of one warp, as its source shows.
#ifndef GCL_FRONTEND_LINT_VALUES_H
#define GCL_FRONTEND_LINT_VALUES_H

#include <stdbool.h>
#include <stdint.h>

#include <clang-c/Index.h>
#include <glib.h>

#include "frontend/lint/lanes.h"

/// What is known of the variables of a kernel, or of a function of the device that it calls.
struct gcl_lint_values {
    uint32_t block[3];     ///< of all its launches; 0, 0, 0: not known
    bool has_several_axes; ///< the kernel speaks of threadIdx.y, threadIdx.z or threadIdx itself
    const struct gcl_lint_values *caller; ///< what calls the function; NULL: it is the kernel
    CXCursor call;                        ///< by which the caller does
    CXCursor function;
    GArray *changes, *loops; ///< private
};

/// Looks through a kernel. `block` is the size of its blocks; 0, 0, 0: that isn't known.
void gcl_lint_values_init(struct gcl_lint_values *values, CXCursor kernel, const uint32_t block[3]);
/// Looks through the definition of a function that is called where `caller` knows the values.
void gcl_lint_values_enter(struct gcl_lint_values *values, CXCursor function,
                           const struct gcl_lint_values *caller, CXCursor call);
void gcl_lint_values_finish(struct gcl_lint_values *values);

/// How many lanes a warp has.
int gcl_lint_values_lanes(const struct gcl_lint_values *values);
/// What a variable of the kernel is at first, if it gets no other value; null: that isn't known.
CXCursor gcl_lint_values_only(const struct gcl_lint_values *values, CXCursor variable);
/// What the caller gives for a parameter that keeps its value, or binds a reference to; null:
/// nobody knows, or the function is the kernel.
CXCursor gcl_lint_values_argument(const struct gcl_lint_values *values, CXCursor parameter);
/// Whether an expression names a parameter of the kernel that keeps its value, or a member of it,
/// at any depth, or of what it leads to: all threads read the same.
bool gcl_lint_values_are_given(const struct gcl_lint_values *values, CXCursor expression);
/// What an expression is, where it stands.
struct gcl_lanes gcl_lint_values_find(const struct gcl_lint_values *values, CXCursor expression);
/// Whether all lanes of most warps go on where a condition is `wanted` (conditions.c).
bool gcl_lint_lets_warps_through(const struct gcl_lint_values *values, CXCursor condition,
                                 bool wanted);

#endif
