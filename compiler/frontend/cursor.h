// Questions about libclang's cursors that more than one file of the frontend asks.
#ifndef GCL_FRONTEND_CURSOR_H
#define GCL_FRONTEND_CURSOR_H

#include <stdbool.h>

#include <clang-c/Index.h>

/// True for functions, templates of them, methods, constructors, destructors and conversions.
bool gcl_cursor_is_function(enum CXCursorKind kind);

/// True for null, and for the invalid ones with which clang says that there is nothing.
bool gcl_cursor_is_null(CXCursor cursor);

/// The first child of a cursor; null if it has no children.
CXCursor gcl_cursor_first_child(CXCursor cursor);

/// Visits what stands at the top of a unit as clang_visitChildren does, but for system headers,
/// macros and instances of templates. Where the unit's index leaves out what precompiled headers
/// and preambles declare, clang has instances among the rest.
void gcl_cursor_visit_tops(CXTranslationUnit unit, CXCursorVisitor visitor, CXClientData data);

/// One of libclang's ways to say where a location is: clang_getFileLocation and its like.
typedef void gcl_cursor_locate(CXSourceLocation location, CXFile *file, unsigned *line,
                               unsigned *column, unsigned *offset);

/// Takes `string` and returns its text, to be freed; "" if it has none.
char *gcl_cursor_take_text(CXString string);
/// The name of a declaration, to be freed; "" if it has none, of which clang says
/// "(unnamed enum at …)".
char *gcl_cursor_name(CXCursor cursor);

#endif
