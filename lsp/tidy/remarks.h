// What clang-tidy has found, as LSP's diagnostics.
#ifndef GCL_LSP_TIDY_REMARKS_H
#define GCL_LSP_TIDY_REMARKS_H

#include "lsp/base/line_table.h"

/// Diagnostics of `text`, the file `path`, from what --export-fixes has written (YAML), a new
/// reference. What concerns other files is left out. Fixes are in `data`, as
/// features/report/code_action.c takes them.
json_t *gcl_remarks_of(const char *fixes, const char *path, const struct gcl_line_table *text);

#endif
