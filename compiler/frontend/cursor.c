// libclang hands out strings that it frees itself, and names what has no name by where it stands
// ("(lambda at x.cu:3:5)"); here strings are the caller's and such names empty.
#include "frontend/cursor.h"

#include <glib.h>

bool gcl_cursor_is_function(enum CXCursorKind kind) {
    return kind == CXCursor_FunctionDecl || kind == CXCursor_FunctionTemplate ||
           kind == CXCursor_CXXMethod || kind == CXCursor_Constructor;
}

bool gcl_cursor_is_null(CXCursor cursor) {
    return clang_Cursor_isNull(cursor) || clang_isInvalid(clang_getCursorKind(cursor));
}

static enum CXChildVisitResult take_first(CXCursor cursor, CXCursor parent, CXClientData data) {
    (void)parent;
    *(CXCursor *)data = cursor;
    return CXChildVisit_Break;
}

CXCursor gcl_cursor_first_child(CXCursor cursor) {
    CXCursor child = clang_getNullCursor();
    clang_visitChildren(cursor, take_first, &child);
    return child;
}

char *gcl_cursor_take_text(CXString string) {
    char *copy = g_strdup(clang_getCString(string));
    clang_disposeString(string);
    return copy ? copy : g_strdup("");
}

char *gcl_cursor_name(CXCursor cursor) {
    char *name = gcl_cursor_take_text(clang_getCursorSpelling(cursor));
    if (*name == '(')
        *name = '\0';
    return name;
}
