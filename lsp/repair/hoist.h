// What a loop's condition reads anew in each turn, read once in front of the loop.
#ifndef GCL_LSP_HOIST_H
#define GCL_LSP_HOIST_H

#include "lsp/read/glance.h"

/// {title, edits} for the condition around a byte of the text; NULL if it isn't in one, or nothing
/// there leads to `name`, or something in it changes with the loop as far as one can see. That
/// nothing else changes it, through another pointer, the title says.
json_t *gcl_hoist_edit(struct gcl_glance *glance, const struct gcl_line_table *text,
                       uint32_t offset, const char *name);

#endif
