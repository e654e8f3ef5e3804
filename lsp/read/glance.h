// What a text is at a glance, by the tree-sitter grammar: without headers, flags or a child, so at
// once, and whatever state the text is in. Clang knows more about names, nobody about folds.
//
// Results are LSP's, to be released; NULL if the text can't be parsed in two seconds.
#ifndef GCL_LSP_GLANCE_H
#define GCL_LSP_GLANCE_H

#include <tree_sitter/api.h>

#include "lsp/base/line_table.h"

struct gcl_glance;

/// A parser with the tree of the text that it has parsed last. For one thread.
struct gcl_glance *gcl_glance_create(void);
void gcl_glance_destroy(struct gcl_glance *glance);

/// The tree of a text, borrowed until another one is asked for.
TSTree *gcl_glance_tree(struct gcl_glance *glance, const struct gcl_line_table *text);

/// Symbols as documentSymbol has them (features/names/symbols.c has clang's).
json_t *gcl_glance_symbols(struct gcl_glance *glance, const struct gcl_line_table *text);

/// Folding ranges; a fold ends in front of the line with its closing bracket.
json_t *gcl_glance_folds(struct gcl_glance *glance, const struct gcl_line_table *text);

/// Semantic tokens of the names in [begin, end), with no number that a delta could be asked from.
json_t *gcl_glance_colours(struct gcl_glance *glance, const struct gcl_line_table *text,
                           uint32_t begin, uint32_t end);

#endif
