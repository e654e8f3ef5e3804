// The lints, each of which looks at one kind of place.
#ifndef GCL_FRONTEND_LINT_LINTS_H
#define GCL_FRONTEND_LINT_LINTS_H

#include "frontend/lint/lint.h"

/// Warnings about a launch: the call that configures it, and the call of the kernel.
void gcl_lint_launch(const struct gcl_lint *lint, CXCursor configuration, CXCursor launch);
/// Warnings about the pointers of a function that runs on the host.
void gcl_lint_memory(const struct gcl_lint *lint, CXCursor function);
/// Warnings about a kernel.
void gcl_lint_kernel(const struct gcl_lint *lint, CXCursor kernel);

#endif
