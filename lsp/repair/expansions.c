// What a macro makes has its places where the macro is used, and is told from the macro's arguments
// by where it is spelt. Only names and statements count: numbers and operators mean the same in
// another function.
#include "lsp/repair/expansions.h"

#include <string.h>

#include "frontend/cursor.h"
#include "lsp/read/meaning.h"
#include "lsp/read/tree.h"

struct search {
    const struct gcl_view *view;
    uint32_t begin, end;
    GArray *named;
    bool is_good;
};

static bool is_inside(const struct search *search, CXCursor cursor) {
    uint32_t offset;
    return gcl_tree_offset(search->view, clang_getCursorLocation(cursor), &offset) &&
           offset >= search->begin && offset < search->end;
}

// Whether another function can't have a statement or declaration, or would do something else by it.
static bool is_fixed(CXCursor cursor) {
    enum CXCursorKind kind = clang_getCursorKind(cursor);
    if (kind == CXCursor_VarDecl) {
        enum CX_StorageClass storage = clang_Cursor_getStorageClass(cursor);
        g_autofree char *words = gcl_tree_qualifiers(cursor);
        return storage == CX_SC_Static || storage == CX_SC_Extern || strstr(words, "__shared__") ||
               clang_getCanonicalType(clang_getCursorType(cursor)).kind == CXType_Record;
    }
    switch (kind) {
    case CXCursor_ReturnStmt:
    case CXCursor_BreakStmt:
    case CXCursor_ContinueStmt:
    case CXCursor_GotoStmt:
    case CXCursor_IndirectGotoStmt:
    case CXCursor_LabelStmt:
    case CXCursor_CaseStmt:
    case CXCursor_DefaultStmt:
    case CXCursor_AsmStmt:
    case CXCursor_LambdaExpr:
        return true;
    default:
        return false;
    }
}

static void see_reference(struct search *search, CXCursor reference) {
    CXCursor target = clang_getCursorReferenced(reference);
    if (gcl_cursor_is_null(target) || !gcl_meaning_is_local(target) || !gcl_tree_is_local(target))
        return;
    search->is_good &= is_inside(search, reference) == is_inside(search, target);
    if (gcl_tree_is_written(target))
        g_array_append_val(search->named, target);
}

static enum CXChildVisitResult see(CXCursor cursor, CXCursor parent, CXClientData data) {
    struct search *search = data;
    (void)parent;
    if (!gcl_tree_is_written(cursor)) {
        if (clang_getCursorKind(cursor) == CXCursor_DeclRefExpr)
            see_reference(search, cursor);
        else
            search->is_good &= !is_fixed(cursor) || !is_inside(search, cursor);
    }
    return search->is_good ? CXChildVisit_Recurse : CXChildVisit_Break;
}

bool gcl_expansions_find(const struct gcl_view *view, CXCursor function, uint32_t begin,
                         uint32_t end, GArray *named) {
    struct search search = {view, begin, end, named, true};
    clang_visitChildren(function, see, &search);
    return search.is_good;
}
