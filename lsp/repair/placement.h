// Where a function that is made of another one's statements goes: in front of that one, with what
// it needs of its head. A member that is defined outside of its class is declared in it, too.
#ifndef GCL_LSP_PLACEMENT_H
#define GCL_LSP_PLACEMENT_H

#include "lsp/read/node.h"
#include "lsp/read/view.h"

struct gcl_placement {
    TSNode definition;   ///< of the function around the statements, with its template's head
    CXCursor function;   ///< the same function
    const char *storage; ///< "static " or ""
    const char *suffix;  ///< " const" or ""
    char *head;          ///< "template <int N>\n" without indentation, or ""
    char *arguments;     ///< "<N>", or ""
    GPtrArray *names;    ///< char *: of the template's parameters
    char *scope;         ///< "A::" in front of the name of a member that is defined outside, or ""
    TSNode declaration;  ///< of that member in its class; null: there is no scope
};

/// Finds the place beside `function`, a definition in tree-sitter's tree of the view's text. NULL,
/// or in words why there is none; the placement is to be finished anyway.
const char *gcl_placement_find(const struct gcl_view *view, TSNode function,
                               struct gcl_placement *placement);
void gcl_placement_finish(struct gcl_placement *placement);

#endif
