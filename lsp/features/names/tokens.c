// Colours by meaning: what each name of a text is, by what clang knows of it.
#include <assert.h>
#include <string.h>

#include "lsp/base/colours.h"
#include "lsp/features/names/names.h"
#include "lsp/read/occurrences.h"
#include "lsp/read/tree.h"

static enum gcl_colour_type type_of(CXCursor target) {
    switch (clang_getCursorKind(target)) {
    case CXCursor_Namespace:
    case CXCursor_NamespaceAlias:
        return GCL_COLOUR_NAMESPACE;
    case CXCursor_TypedefDecl:
    case CXCursor_TypeAliasDecl:
    case CXCursor_TypeAliasTemplateDecl:
        return GCL_COLOUR_TYPE;
    case CXCursor_ClassDecl:
    case CXCursor_ClassTemplate:
    case CXCursor_ClassTemplatePartialSpecialization:
    case CXCursor_Constructor:
        return GCL_COLOUR_CLASS;
    case CXCursor_EnumDecl:
        return GCL_COLOUR_ENUM;
    case CXCursor_StructDecl:
    case CXCursor_UnionDecl:
        return GCL_COLOUR_STRUCT;
    case CXCursor_TemplateTypeParameter:
    case CXCursor_TemplateTemplateParameter:
    case CXCursor_NonTypeTemplateParameter:
        return GCL_COLOUR_TYPE_PARAMETER;
    case CXCursor_ParmDecl:
        return GCL_COLOUR_PARAMETER;
    case CXCursor_VarDecl:
        return GCL_COLOUR_VARIABLE;
    case CXCursor_UnexposedDecl: // `auto [a, b]`
        return clang_getCursorType(target).kind == CXType_Invalid ? GCL_COLOUR_NONE
                                                                  : GCL_COLOUR_VARIABLE;
    case CXCursor_FieldDecl:
        return GCL_COLOUR_PROPERTY;
    case CXCursor_EnumConstantDecl:
        return GCL_COLOUR_ENUM_MEMBER;
    case CXCursor_FunctionTemplate:
        return gcl_tree_is_member(target) ? GCL_COLOUR_METHOD : GCL_COLOUR_FUNCTION;
    case CXCursor_FunctionDecl:
        return GCL_COLOUR_FUNCTION;
    case CXCursor_CXXMethod:
    case CXCursor_Destructor:
        return GCL_COLOUR_METHOD;
    case CXCursor_MacroDefinition:
        return GCL_COLOUR_MACRO;
    default:
        return GCL_COLOUR_NONE;
    }
}

static unsigned modifiers_of(const struct gcl_occurrence *o, enum gcl_colour_type type) {
    unsigned modifiers = 0;
    if (o->defines)
        modifiers |= 1u << GCL_COLOUR_IS_DEFINITION;
    else if (o->declares)
        modifiers |= 1u << GCL_COLOUR_IS_DECLARATION;
    if (type == GCL_COLOUR_VARIABLE && clang_isConstQualifiedType(clang_getCursorType(o->target)))
        modifiers |= 1u << GCL_COLOUR_IS_READONLY;
    if (clang_Location_isInSystemHeader(clang_getCursorLocation(o->target)))
        modifiers |= 1u << GCL_COLOUR_IS_DEFAULT_LIBRARY;
    if (type == GCL_COLOUR_FUNCTION && gcl_tree_is_kernel(o->target))
        modifiers |= 1u << GCL_COLOUR_IS_KERNEL;
    return modifiers;
}

static json_t *encode(struct gcl_view *view, uint32_t begin, uint32_t end) {
    const GArray *list = gcl_occurrences_of(view);
    struct gcl_colours_place last = {0};
    json_t *data = json_array();
    for (guint i = 0; i < list->len; i++) {
        const struct gcl_occurrence *o = &g_array_index(list, struct gcl_occurrence, i);
        enum gcl_colour_type type =
            o->begin >= begin && o->end <= end ? type_of(o->target) : GCL_COLOUR_NONE;
        if (type == GCL_COLOUR_NONE)
            continue;
        struct gcl_colour colour = {o->begin, o->end, type, modifiers_of(o, type)};
        gcl_colours_append(data, view->text, &last, &colour);
    }
    return data;
}

// Keeps an answer for the next delta; returns the number that the answer gets.
static json_t *keep(struct gcl_view *view, json_t *data) {
    json_decref(view->tokens);
    view->tokens = json_incref(data);
    view->tokens_id++;
    return json_sprintf("%u", view->tokens_id);
}

json_t *gcl_feature_tokens(const struct gcl_query *query) {
    json_t *data = encode(query->view, 0, UINT32_MAX);
    return json_pack("{s:o, s:o}", "resultId", keep(query->view, data), "data", data);
}

json_t *gcl_feature_tokens_range(const struct gcl_query *query) {
    uint32_t begin, end;
    if (!gcl_line_table_range_of(query->view->text, json_object_get(query->params, "range"), &begin,
                                 &end))
        return NULL;
    return json_pack("{s:o}", "data", encode(query->view, begin, end));
}

// One edit: what is between the numbers that are the same in front and behind.
static json_t *difference(const json_t *old, const json_t *new) {
    size_t olds = json_array_size(old), news = json_array_size(new), common = MIN(olds, news);
    size_t before = 0, behind = 0;
    while (before < common && json_equal(json_array_get(old, before), json_array_get(new, before)))
        before++;
    while (behind < common - before && json_equal(json_array_get(old, olds - 1 - behind),
                                                  json_array_get(new, news - 1 - behind)))
        behind++;
    if (before + behind == olds && olds == news)
        return json_array();
    assert(before + behind <= common);
    json_t *data = json_array();
    for (size_t i = before; i < news - behind; i++)
        json_array_append(data, json_array_get(new, i));
    return json_pack("[{s:I, s:I, s:o}]", "start", (json_int_t)before, "deleteCount",
                     (json_int_t)(olds - before - behind), "data", data);
}

json_t *gcl_feature_tokens_delta(const struct gcl_query *query) {
    struct gcl_view *view = query->view;
    const char *id = json_string_value(json_object_get(query->params, "previousResultId"));
    g_autofree char *known = g_strdup_printf("%u", view->tokens_id);
    if (!view->tokens || g_strcmp0(id, known) != 0)
        return gcl_feature_tokens(query);
    json_t *old = json_incref(view->tokens), *data = encode(view, 0, UINT32_MAX);
    json_t *edits = difference(old, data);
    json_t *answer = json_pack("{s:o, s:o}", "resultId", keep(view, data), "edits", edits);
    json_decref(old);
    json_decref(data);
    return answer;
}
