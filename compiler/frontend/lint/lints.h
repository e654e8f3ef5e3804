// The lints, each of which looks at one kind of place.
#ifndef GCL_FRONTEND_LINT_LINTS_H
#define GCL_FRONTEND_LINT_LINTS_H

#include "frontend/lint/lint.h"

/// Warnings about a launch: the call that configures it, and the call of the kernel.
void gcl_lint_launch(const struct gcl_lint *lint, CXCursor configuration, CXCursor launch);
/// Warnings about the pointers of a function that runs on the host.
void gcl_lint_memory(const struct gcl_lint *lint, CXCursor function);
/// Warnings about memory that is freed while a stream still uses it.
void gcl_lint_streams(const struct gcl_lint *lint, CXCursor function);
/// Warnings about barriers of a kernel that some threads can't reach.
void gcl_lint_divergence(const struct gcl_lint *lint, CXCursor kernel);
/// Warnings about shared memory that a loop of a kernel writes again too early.
void gcl_lint_shared(const struct gcl_lint *lint, CXCursor kernel);
/// Warnings about shared memory that GPUs don't have, and constant memory that is set.
void gcl_lint_limits(const struct gcl_lint *lint, CXCursor function);
/// Hints at accesses of a kernel for which a warp needs many transactions.
void gcl_lint_warps(const struct gcl_lint *lint, CXCursor kernel);
/// Hints at literals that have a function of the device compute in double.
void gcl_lint_literals(const struct gcl_lint *lint, CXCursor function);
/// Errors of a kernel that the device pass will find.
void gcl_lint_refusals(const struct gcl_lint *lint, CXCursor kernel);

#endif
