// An expression that is selected, as the value of a variable of its own.
#ifndef GCL_LSP_EXTRACT_H
#define GCL_LSP_EXTRACT_H

#include "lsp/read/glance.h"

/// {title, edits} for the expression that the bytes [begin, end) of a text are but for blanks; NULL
/// if they are none, if it is changed where it stands or its address is taken, or if it is computed
/// only sometimes, or again and again, where its statement is.
json_t *gcl_extract_variable(struct gcl_glance *glance, const struct gcl_line_table *text,
                             uint32_t begin, uint32_t end);

#endif
