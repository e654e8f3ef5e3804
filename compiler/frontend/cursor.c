// libclang hands out strings that it frees itself, and names what has no name by where it stands
// ("(lambda at x.cu:3:5)"); here strings are the caller's and such names empty.
#include "frontend/cursor.h"

#include <glib.h>

bool gcl_cursor_is_function(enum CXCursorKind kind) {
    return kind == CXCursor_FunctionDecl || kind == CXCursor_FunctionTemplate ||
           kind == CXCursor_CXXMethod || kind == CXCursor_Constructor ||
           kind == CXCursor_Destructor || kind == CXCursor_ConversionFunction;
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

/// A visit of the top of a unit.
struct tops {
    CXCursorVisitor visitor;
    CXClientData data;
};

// An instance stands where its template does.
static bool is_instance(CXCursor cursor) {
    CXCursor template = clang_getSpecializedCursorTemplate(cursor);
    return !clang_Cursor_isNull(template) &&
           clang_equalLocations(clang_getCursorLocation(cursor), clang_getCursorLocation(template));
}

static enum CXChildVisitResult see_top(CXCursor cursor, CXCursor parent, CXClientData data) {
    const struct tops *tops = data;
    if (clang_isPreprocessing(clang_getCursorKind(cursor)) ||
        clang_Location_isInSystemHeader(clang_getCursorLocation(cursor)) || is_instance(cursor))
        return CXChildVisit_Continue;
    enum CXChildVisitResult result = tops->visitor(cursor, parent, tops->data);
    if (result != CXChildVisit_Recurse)
        return result;
    return clang_visitChildren(cursor, tops->visitor, tops->data) ? CXChildVisit_Break
                                                                  : CXChildVisit_Continue;
}

void gcl_cursor_visit_tops(CXTranslationUnit unit, CXCursorVisitor visitor, CXClientData data) {
    struct tops tops = {visitor, data};
    clang_visitChildren(clang_getTranslationUnitCursor(unit), see_top, &tops);
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
