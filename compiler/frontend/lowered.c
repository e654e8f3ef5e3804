// Elements of the array are addresses, within casts: the first name in each is what it is about,
// and what follows stands in its template arguments.
#include "frontend/lowered.h"

#include <string.h>

#include "frontend/cursor.h"
#include "frontend/parameters.h"
#include "gcluster/module.h"

static enum CXChildVisitResult see_element(CXCursor cursor, CXCursor parent, CXClientData data) {
    (void)parent;
    if (clang_getCursorKind(cursor) != CXCursor_DeclRefExpr)
        return CXChildVisit_Recurse;
    *(CXCursor *)data = clang_getCursorReferenced(cursor);
    return CXChildVisit_Break;
}

static enum CXChildVisitResult see_list(CXCursor cursor, CXCursor parent, CXClientData names) {
    CXCursor found = clang_getNullCursor();
    if (clang_getCursorKind(parent) != CXCursor_InitListExpr)
        return CXChildVisit_Recurse;
    clang_visitChildren(cursor, see_element, &found);
    char *name = gcl_cursor_is_null(found) ? NULL : gcl_parameters_symbol(found);
    g_ptr_array_add(names, name ? name : g_strdup(""));
    return CXChildVisit_Continue;
}

static enum CXChildVisitResult see_top(CXCursor cursor, CXCursor parent, CXClientData names) {
    (void)parent;
    if (clang_getCursorKind(cursor) != CXCursor_VarDecl)
        return CXChildVisit_Continue;
    g_autofree char *name = gcl_cursor_name(cursor);
    if (strcmp(name, GCL_MODULE_NAMES) == 0)
        clang_visitChildren(cursor, see_list, names);
    return CXChildVisit_Continue;
}

void gcl_lowered_collect(CXTranslationUnit unit, GPtrArray *names) {
    gcl_cursor_visit_tops(unit, see_top, names);
}
