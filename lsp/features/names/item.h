// Items of LSP's hierarchies, which an editor shows as a tree and asks about one by one.
#ifndef GCL_LSP_ITEM_H
#define GCL_LSP_ITEM_H

#include "lsp/read/view.h"

/// CallHierarchyItem or TypeHierarchyItem of a function or class; `data` is its USR. Without places
/// if it lies nowhere.
json_t *gcl_item_create(const struct gcl_query *query, struct gcl_view *view, CXCursor declaration);

/// The USR of the item that a query is about, borrowed, "" if it has none.
const char *gcl_item_usr(const struct gcl_query *query);
/// Whether a declaration has that USR.
bool gcl_item_is(CXCursor declaration, const char *usr);

#endif
