// LSP's edits of a text, put together.
#ifndef GCL_LSP_EDITS_H
#define GCL_LSP_EDITS_H

#include "lsp/base/line_table.h"

/// Appends that the bytes [begin, end) become `with`.
void gcl_edits_replace(const struct gcl_line_table *text, json_t *edits, uint32_t begin,
                       uint32_t end, const char *with);

/// Appends that a declaration comes in front of the statement that begins at a byte: on a line of
/// its own, before pragmas about the statement, unless something else is on the statement's line.
void gcl_edits_declare(const struct gcl_line_table *text, json_t *edits, uint32_t statement,
                       const char *declaration);

/// The name that is wanted or, with a number behind it, one that the text doesn't have; to be
/// freed.
char *gcl_edits_name(const struct gcl_line_table *text, const char *wanted);

#endif
