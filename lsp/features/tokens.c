// Colours by meaning: what each name is.
#include <string.h>

#include "../occurrences.h"
#include "../tree.h"
#include "features.h"

#define TYPES(X)                                                                                   \
    X(NAMESPACE, "namespace")                                                                      \
    X(TYPE, "type")                                                                                \
    X(CLASS, "class")                                                                              \
    X(ENUM, "enum")                                                                                \
    X(STRUCT, "struct")                                                                            \
    X(TYPE_PARAMETER, "typeParameter")                                                             \
    X(PARAMETER, "parameter")                                                                      \
    X(VARIABLE, "variable")                                                                        \
    X(PROPERTY, "property")                                                                        \
    X(ENUM_MEMBER, "enumMember")                                                                   \
    X(FUNCTION, "function")                                                                        \
    X(METHOD, "method")                                                                            \
    X(MACRO, "macro")
#define MODIFIERS(X)                                                                               \
    X(DECLARATION, "declaration")                                                                  \
    X(DEFINITION, "definition")                                                                    \
    X(READONLY, "readonly")                                                                        \
    X(DEFAULT_LIBRARY, "defaultLibrary")                                                           \
    X(KERNEL, "kernel")

enum type {
#define X(name, text) name,
    TYPES(X)
#undef X
        NONE = -1
};
enum modifier {
#define X(name, text) name,
    MODIFIERS(X)
#undef X
};

json_t *gcl_tokens_legend(void) {
    json_t *types = json_array(), *modifiers = json_array();
#define X(name, text) json_array_append_new(types, json_string(text));
    TYPES(X)
#undef X
#define X(name, text) json_array_append_new(modifiers, json_string(text));
    MODIFIERS(X)
#undef X
    return json_pack("{s:o, s:o}", "tokenTypes", types, "tokenModifiers", modifiers);
}

static int type_of(CXCursor target) {
    switch (clang_getCursorKind(target)) {
    case CXCursor_Namespace:
    case CXCursor_NamespaceAlias:
        return NAMESPACE;
    case CXCursor_TypedefDecl:
    case CXCursor_TypeAliasDecl:
    case CXCursor_TypeAliasTemplateDecl:
        return TYPE;
    case CXCursor_ClassDecl:
    case CXCursor_ClassTemplate:
    case CXCursor_ClassTemplatePartialSpecialization:
    case CXCursor_Constructor:
        return CLASS;
    case CXCursor_EnumDecl:
        return ENUM;
    case CXCursor_StructDecl:
    case CXCursor_UnionDecl:
        return STRUCT;
    case CXCursor_TemplateTypeParameter:
    case CXCursor_TemplateTemplateParameter:
    case CXCursor_NonTypeTemplateParameter:
        return TYPE_PARAMETER;
    case CXCursor_ParmDecl:
        return PARAMETER;
    case CXCursor_VarDecl:
        return VARIABLE;
    case CXCursor_UnexposedDecl: // `auto [a, b]`
        return clang_getCursorType(target).kind == CXType_Invalid ? NONE : VARIABLE;
    case CXCursor_FieldDecl:
        return PROPERTY;
    case CXCursor_EnumConstantDecl:
        return ENUM_MEMBER;
    case CXCursor_FunctionTemplate:
        return gcl_tree_is_member(target) ? METHOD : FUNCTION;
    case CXCursor_FunctionDecl:
        return FUNCTION;
    case CXCursor_CXXMethod:
    case CXCursor_Destructor:
        return METHOD;
    case CXCursor_MacroDefinition:
        return MACRO;
    default:
        return NONE;
    }
}

static unsigned modifiers_of(const struct gcl_occurrence *o, int type) {
    unsigned modifiers = 0;
    if (o->defines)
        modifiers |= 1u << DEFINITION;
    else if (o->declares)
        modifiers |= 1u << DECLARATION;
    if (type == VARIABLE && clang_isConstQualifiedType(clang_getCursorType(o->target)))
        modifiers |= 1u << READONLY;
    if (clang_Location_isInSystemHeader(clang_getCursorLocation(o->target)))
        modifiers |= 1u << DEFAULT_LIBRARY;
    if (type == FUNCTION && gcl_tree_is_kernel(o->target))
        modifiers |= 1u << KERNEL;
    return modifiers;
}

int gcl_tokens_type(const char *name) {
    static const char *const names[] = {
#define X(name, text) text,
        TYPES(X)
#undef X
    };
    for (size_t i = 0; i < G_N_ELEMENTS(names); i++) {
        if (strcmp(names[i], name) == 0)
            return (int)i;
    }
    return NONE;
}

void gcl_tokens_append(json_t *data, const struct gcl_lines *text, struct gcl_tokens_place *last,
                       const struct gcl_colour *colour) {
    struct gcl_tokens_place at;
    gcl_lines_locate(text, colour->begin, &at.line, &at.character);
    const uint32_t numbers[] = {
        at.line - last->line, at.line == last->line ? at.character - last->character : at.character,
        gcl_lines_units(text, colour->begin, colour->end), colour->type, colour->modifiers};
    for (size_t n = 0; n < G_N_ELEMENTS(numbers); n++)
        json_array_append_new(data, json_integer(numbers[n]));
    *last = at;
}

static json_t *encode(struct gcl_view *view, uint32_t begin, uint32_t end) {
    const GArray *list = gcl_occurrences_of(view)->list;
    struct gcl_tokens_place last = {0};
    json_t *data = json_array();
    for (guint i = 0; i < list->len; i++) {
        const struct gcl_occurrence *o = &g_array_index(list, struct gcl_occurrence, i);
        int type = o->begin >= begin && o->end <= end ? type_of(o->target) : NONE;
        if (type == NONE)
            continue;
        struct gcl_colour colour = {o->begin, o->end, (uint32_t)type, modifiers_of(o, type)};
        gcl_tokens_append(data, view->text, &last, &colour);
    }
    return data;
}

// Keeps what was answered, for the next delta.
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
    if (!gcl_lines_range_of(query->view->text, json_object_get(query->params, "range"), &begin,
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
