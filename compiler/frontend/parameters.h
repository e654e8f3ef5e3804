// Parameters of a kernel and their fields, as pragmas can name them.
#ifndef GCL_FRONTEND_PARAMETERS_H
#define GCL_FRONTEND_PARAMETERS_H

#include <clang-c/Index.h>

#include "frontend/text/unit.h"

/// Fills in `symbol`, `parameter_count` and `parameters` of the kernel that `function` declares.
void gcl_parameters_see(struct gcl_source_kernel *kernel, CXCursor function);
/// The name in device code of a kernel or a variable, to be freed; NULL if it has none.
char *gcl_parameters_symbol(CXCursor declaration);

#endif
