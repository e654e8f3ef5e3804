#include "cursor.h"

#include <glib.h>

bool gcl_cursor_is_function(enum CXCursorKind kind) {
    return kind == CXCursor_FunctionDecl || kind == CXCursor_FunctionTemplate ||
           kind == CXCursor_CXXMethod || kind == CXCursor_Constructor;
}

char *gcl_cursor_take_text(CXString string) {
    char *copy = g_strdup(clang_getCString(string));
    clang_disposeString(string);
    return copy ? copy : g_strdup("");
}
