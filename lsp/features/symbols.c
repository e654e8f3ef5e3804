// The outline of a text.
#include "../tree.h"
#include "features.h"
#include "frontend/cursor.h"

int gcl_symbol_kind(CXCursor cursor) {
    switch (clang_getCursorKind(cursor)) {
    case CXCursor_Namespace:
        return GCL_SYMBOL_NAMESPACE;
    case CXCursor_ClassDecl:
    case CXCursor_ClassTemplate:
    case CXCursor_ClassTemplatePartialSpecialization:
        return GCL_SYMBOL_CLASS;
    case CXCursor_StructDecl:
    case CXCursor_UnionDecl:
        return GCL_SYMBOL_STRUCT;
    case CXCursor_CXXMethod:
    case CXCursor_ConversionFunction:
    case CXCursor_Destructor:
        return GCL_SYMBOL_METHOD;
    case CXCursor_Constructor:
        return GCL_SYMBOL_CONSTRUCTOR;
    case CXCursor_FieldDecl:
        return GCL_SYMBOL_FIELD;
    case CXCursor_EnumDecl:
        return GCL_SYMBOL_ENUM;
    case CXCursor_EnumConstantDecl:
        return GCL_SYMBOL_ENUM_MEMBER;
    case CXCursor_FunctionDecl:
    case CXCursor_FunctionTemplate:
        return GCL_SYMBOL_FUNCTION;
    case CXCursor_VarDecl:
        return clang_isConstQualifiedType(clang_getCursorType(cursor)) ? GCL_SYMBOL_CONSTANT
                                                                       : GCL_SYMBOL_VARIABLE;
    case CXCursor_TypedefDecl:
    case CXCursor_TypeAliasDecl:
    case CXCursor_TypeAliasTemplateDecl:
        return GCL_SYMBOL_TYPE_PARAMETER;
    default:
        return 0;
    }
}

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
                     "kind", kind, "range", gcl_lines_range(view->text, begin, end),
                     "selectionRange", gcl_lines_range(view->text, name_begin, name_end));
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
