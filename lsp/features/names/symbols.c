// The outline of a text.
#include "frontend/cursor.h"
#include "lsp/base/json.h"
#include "lsp/features/names/names.h"
#include "lsp/read/symbol.h"
#include "lsp/read/tree.h"

struct outline {
    const struct gcl_view *view;
    json_t *symbols;
};

static bool has_inner_symbols(enum CXCursorKind kind) {
    return gcl_tree_is_class(kind) || kind == CXCursor_Namespace || kind == CXCursor_EnumDecl;
}

static json_t *describe(const struct gcl_view *view, CXCursor cursor, int kind) {
    uint32_t begin, end, name_begin, name_end;
    if (!gcl_tree_extent(view, clang_getCursorExtent(cursor), &begin, &end))
        return NULL;
    if (!gcl_tree_name(view, cursor, &name_begin, &name_end) || name_begin < begin ||
        name_end > end)
        name_begin = name_end = begin;
    g_autofree char *name = gcl_cursor_name(cursor);
    g_autofree char *type =
        gcl_cursor_take_text(clang_getTypeSpelling(clang_getCursorType(cursor)));
    const char *detail = gcl_tree_is_kernel(cursor) ? "__global__" : type;
    return json_pack("{s:o, s:o, s:i, s:o, s:o}", "name",
                     gcl_json_text(*name ? name : "(anonymous)"), "detail", gcl_json_text(detail),
                     "kind", kind, "range", gcl_line_table_range(view->text, begin, end),
                     "selectionRange", gcl_line_table_range(view->text, name_begin, name_end));
}

static enum CXChildVisitResult visit(CXCursor cursor, CXCursor parent, CXClientData data) {
    const struct outline *outline = data;
    int kind = gcl_symbol_kind(cursor);
    (void)parent;
    if (clang_getCursorKind(cursor) == CXCursor_LinkageSpec)
        return CXChildVisit_Recurse;
    json_t *symbol = kind ? describe(outline->view, cursor, kind) : NULL;
    if (!symbol)
        return CXChildVisit_Continue;
    json_array_append_new(outline->symbols, symbol);
    if (has_inner_symbols(clang_getCursorKind(cursor))) {
        struct outline inner = {outline->view, json_array()};
        clang_visitChildren(cursor, visit, &inner);
        json_object_set_new(symbol, "children", inner.symbols);
    }
    return CXChildVisit_Continue;
}

json_t *gcl_feature_symbols(const struct gcl_query *query) {
    if (!query->view->symbols) {
        struct outline outline = {query->view, json_array()};
        gcl_tree_visit(query->view, visit, &outline);
        query->view->symbols = outline.symbols;
    }
    return json_incref(query->view->symbols);
}
