// What the frontend asks of libclang's cursors in more than one place.
#ifndef GCL_FRONTEND_CURSOR_H
#define GCL_FRONTEND_CURSOR_H

#include <stdbool.h>

#include <clang-c/Index.h>

/// True for functions, templates of them, methods and constructors.
bool gcl_cursor_is_function(enum CXCursorKind kind);

/// Takes `string` and returns its text, to be freed; "" if it has none.
char *gcl_cursor_take_text(CXString string);

#endif
