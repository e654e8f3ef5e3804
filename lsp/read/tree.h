// What features ask of clang's tree.
#ifndef GCL_LSP_TREE_H
#define GCL_LSP_TREE_H

#include <clang-c/Index.h>

#include "lsp/read/view.h"

CXTranslationUnit gcl_tree_unit(const struct gcl_view *view);

/// Visits the declarations at the top of the view's file, in order, as clang_visitChildren does,
/// which would have clang load all headers to find them.
void gcl_tree_visit(const struct gcl_view *view, CXCursorVisitor visitor, void *data);

/// The innermost cursor around a byte of the view's file.
CXCursor gcl_tree_cursor(const struct gcl_view *view, uint32_t offset);

/// The byte of a location, macro expansions at the place where they are used; false if that isn't
/// in the view's file.
bool gcl_tree_offset(const struct gcl_view *view, CXSourceLocation location, uint32_t *offset);
/// The bytes of a range, by gcl_tree_offset of both ends.
bool gcl_tree_extent(const struct gcl_view *view, CXSourceRange range, uint32_t *begin,
                     uint32_t *end);

/// The bytes of a declaration's name; false if it isn't in the view's file.
bool gcl_tree_name(const struct gcl_view *view, CXCursor cursor, uint32_t *begin, uint32_t *end);

/// Whether the text itself has the cursor where it stands, be it as a macro's argument. What a
/// macro makes of its own stands where the macro is used.
bool gcl_tree_is_written(CXCursor cursor);

/// The absolute path of a file of the unit, to be freed.
char *gcl_tree_path(const struct gcl_view *view, CXFile file);

/// LSP's Location of a range of any file of the unit; NULL if it is in none.
json_t *gcl_tree_location(const struct gcl_query *query, CXSourceRange range);
/// Where a declaration has its name.
json_t *gcl_tree_location_of(const struct gcl_query *query, CXCursor cursor);

/// Whether a cursor of that kind is a class, struct or union, or a template of them.
bool gcl_tree_is_class(enum CXCursorKind kind);
/// The class that a class's name, an alias or a base of another class stands for, of a
/// specialisation the template; null if it is none.
CXCursor gcl_tree_class(CXCursor cursor);
/// Whether a declaration is a member of a class, struct or union.
bool gcl_tree_is_member(CXCursor declaration);

/// Whether all places of a declaration's name are in one function: a local variable, a parameter.
bool gcl_tree_is_local(CXCursor declaration);

/// Whether clang takes a function for a kernel.
bool gcl_tree_is_kernel(CXCursor function);

/// "__global__ ", "__host__ __device__ " and so on, to be freed; "" if there is none.
char *gcl_tree_qualifiers(CXCursor declaration);

/// LSP's markdown.
json_t *gcl_tree_markdown(const char *text);

#endif
