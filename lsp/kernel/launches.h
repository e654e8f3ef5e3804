// Where kernels are launched in a view's text, and which kernel a place in it is about.
#ifndef GCL_LSP_LAUNCHES_H
#define GCL_LSP_LAUNCHES_H

#include "lsp/kernel/kernels.h"

/// The name at the end of "a::k<int>", to be freed; NULL if it isn't a launch after all.
char *gcl_launches_name(const struct gcl_view *view, const struct gcl_source_launch *launch);

/// What the analysis knows of the kernel that is launched there; borrowed, NULL: nothing.
json_t *gcl_launches_kernel(const struct gcl_view *view, const struct gcl_source_launch *launch);

/// The launch whose kernel, configuration or arguments hold that byte, or NULL.
const struct gcl_source_launch *gcl_launches_at(const struct gcl_view *view, uint32_t offset);

/// The definition or declaration of a kernel around that byte, in this text; null if there is none.
CXCursor gcl_launches_function(const struct gcl_view *view, uint32_t offset);

/// What the analysis knows of the kernel that is launched, defined or declared around the query's
/// place. Borrowed; NULL: there is no kernel, or, with a mistake in the query, nothing is known.
json_t *gcl_launches_explained(const struct gcl_query *query);

#endif
