// From a name to where it is declared, defined, typed or overridden.
#include <string.h>

#include "frontend/cursor.h"
#include "lsp/features/names/names.h"
#include "lsp/read/entry.h"
#include "lsp/read/occurrences.h"
#include "lsp/read/tree.h"

// A list with one location, or none.
static json_t *locations(const struct gcl_query *query, CXCursor target) {
    json_t *list = json_array();
    json_t *location = clang_Cursor_isNull(target) || clang_isInvalid(clang_getCursorKind(target))
                           ? NULL
                           : gcl_tree_location_of(query, target);
    if (location)
        json_array_append_new(list, location);
    return list;
}

// What the name at the query's place refers to; null if there is none.
static CXCursor target_of(const struct gcl_query *query) {
    const struct gcl_occurrence *found = gcl_occurrences_at(query->view, query->offset);
    return found ? found->target : clang_getNullCursor();
}

// The definition of a target in another open file, about which `there` asks then; null if none has
// it.
static CXCursor definition_elsewhere(const struct gcl_query *query, CXCursor target,
                                     struct gcl_query *there) {
    g_autofree char *usr = gcl_cursor_take_text(clang_getCursorUSR(target));
    GHashTableIter iterator;
    void *data;
    g_hash_table_iter_init(&iterator, query->worker->views);
    while (*usr && g_hash_table_iter_next(&iterator, NULL, &data)) {
        struct gcl_view *view = data;
        if (view == query->view || !view->is_current || !view->unit)
            continue;
        const GArray *list = gcl_occurrences_of(view);
        for (guint i = 0; i < list->len; i++) {
            const struct gcl_occurrence *o = &g_array_index(list, struct gcl_occurrence, i);
            if (!o->defines)
                continue;
            g_autofree char *other = gcl_cursor_take_text(clang_getCursorUSR(o->target));
            if (strcmp(usr, other) != 0)
                continue;
            *there = *query;
            there->view = view;
            return clang_getCursorDefinition(o->target);
        }
    }
    return clang_getNullCursor();
}

struct inclusion {
    const struct gcl_view *view;
    uint32_t offset;
    CXFile file;
};

static void see_inclusion(CXFile file, CXSourceLocation *stack, unsigned depth, CXClientData data) {
    struct inclusion *inclusion = data;
    uint32_t at, line, asked, character;
    if (depth != 1 || !gcl_tree_offset(inclusion->view, stack[0], &at))
        return;
    gcl_line_table_locate(inclusion->view->text, at, &line, &character);
    gcl_line_table_locate(inclusion->view->text, inclusion->offset, &asked, &character);
    if (line == asked)
        inclusion->file = file;
}

// The file that the #include at the query's place includes; NULL if there is none.
static json_t *included_file(const struct gcl_query *query) {
    struct inclusion inclusion = {query->view, query->offset, NULL};
    CXTranslationUnit unit = gcl_tree_unit(query->view);
    clang_getInclusions(unit, see_inclusion, &inclusion);
    if (!inclusion.file)
        return NULL;
    CXSourceLocation begin = clang_getLocationForOffset(unit, inclusion.file, 0);
    json_t *location = gcl_tree_location(query, clang_getRange(begin, begin));
    return location ? json_pack("[o]", location) : NULL;
}

static void see_closed(const char *path, const json_t *symbol, void *data) {
    json_t **found = data;
    if (!*found && gcl_entry_role(symbol) == (json_int_t)GCL_ROLE_DEFINITION)
        *found = json_pack("[o]", gcl_entry_location(path, symbol));
}

// The definition in a file that isn't open; NULL if the index knows none.
static json_t *closed_definition(const struct gcl_query *query, CXCursor target) {
    g_autofree char *usr = gcl_cursor_is_null(target)
                               ? g_strdup("")
                               : gcl_cursor_take_text(clang_getCursorUSR(target));
    json_t *found = NULL;
    gcl_entry_visit(query->worker, usr, see_closed, &found);
    return found;
}

json_t *gcl_feature_definition(const struct gcl_query *query) {
    CXCursor target = target_of(query);
    struct gcl_query there = *query;
    json_t *file = gcl_cursor_is_null(target) ? included_file(query) : NULL;
    if (file)
        return file;
    CXCursor definition = clang_getCursorDefinition(target);
    if (gcl_cursor_is_null(definition) && !gcl_cursor_is_null(target))
        definition = definition_elsewhere(query, target, &there);
    json_t *closed = gcl_cursor_is_null(definition) ? closed_definition(query, target) : NULL;
    if (closed)
        return closed;
    return gcl_cursor_is_null(definition) ? locations(query, target)
                                          : locations(&there, definition);
}

json_t *gcl_feature_declaration(const struct gcl_query *query) {
    return locations(query, target_of(query));
}

static bool is_type(enum CXCursorKind kind) {
    return gcl_tree_is_class(kind) || kind == CXCursor_EnumDecl ||
           kind == CXCursor_TemplateTypeParameter || kind == CXCursor_TypeAliasTemplateDecl;
}

// The type of a variable, or what a function returns, without pointers, references and arrays.
static CXType plain_type(CXCursor declaration) {
    CXType type = clang_getCursorType(declaration), result = clang_getResultType(type);
    if (result.kind != CXType_Invalid)
        type = result;
    for (;;) {
        CXType element = clang_getArrayElementType(type);
        if (type.kind == CXType_Pointer || type.kind == CXType_LValueReference ||
            type.kind == CXType_RValueReference)
            type = clang_getPointeeType(type);
        else if (element.kind != CXType_Invalid)
            type = element;
        else
            return type;
    }
}

static enum CXChildVisitResult see_type(CXCursor cursor, CXCursor parent, CXClientData data) {
    (void)parent;
    if (clang_getCursorKind(cursor) != CXCursor_TypeRef)
        return CXChildVisit_Continue;
    *(CXCursor *)data = clang_getCursorReferenced(cursor);
    return CXChildVisit_Break;
}

json_t *gcl_feature_type_definition(const struct gcl_query *query) {
    CXCursor target = target_of(query), definition = clang_getCursorDefinition(target);
    if (is_type(clang_getCursorKind(target)))
        return locations(query, gcl_cursor_is_null(definition) ? target : definition);
    CXType type = plain_type(target);
    CXCursor found = clang_getTypeDeclaration(type);
    // clang doesn't say where the parameter of a template is declared.
    if (clang_getCanonicalType(type).kind == CXType_Unexposed && gcl_cursor_is_null(found))
        clang_visitChildren(target, see_type, &found);
    return locations(query, found);
}

static bool overrides(CXCursor method, CXCursor target) {
    CXCursor *list;
    unsigned count;
    bool found = false;
    clang_getOverriddenCursors(method, &list, &count);
    for (unsigned i = 0; i < count && !found; i++)
        found = clang_equalCursors(clang_getCanonicalCursor(list[i]), target) ||
                overrides(list[i], target);
    clang_disposeOverriddenCursors(list);
    return found;
}

static enum CXChildVisitResult see_base(CXCursor cursor, CXCursor parent, CXClientData data) {
    CXCursor *target = data;
    (void)parent;
    if (clang_getCursorKind(cursor) != CXCursor_CXXBaseSpecifier)
        return CXChildVisit_Continue;
    if (!clang_equalCursors(gcl_tree_class(cursor), *target))
        return CXChildVisit_Continue;
    *target = clang_getNullCursor();
    return CXChildVisit_Break;
}

static bool derives(CXCursor class, CXCursor target) {
    CXCursor found = target;
    clang_visitChildren(class, see_base, &found);
    return clang_Cursor_isNull(found);
}

// Overriding methods and derived classes in the text; else the definition.
json_t *gcl_feature_implementation(const struct gcl_query *query) {
    CXCursor target = target_of(query);
    const GArray *list = gcl_occurrences_of(query->view);
    json_t *found = json_array();
    for (guint i = 0; i < list->len && !gcl_cursor_is_null(target); i++) {
        const struct gcl_occurrence *o = &g_array_index(list, struct gcl_occurrence, i);
        enum CXCursorKind kind = clang_getCursorKind(o->target);
        bool implements =
            kind == CXCursor_CXXMethod ? overrides(o->target, target) : derives(o->target, target);
        if (o->defines && implements)
            json_array_append_new(
                found, json_pack("{s:s, s:o}", "uri", query->view->uri, "range",
                                 gcl_line_table_range(query->view->text, o->begin, o->end)));
    }
    if (json_array_size(found) > 0)
        return found;
    json_decref(found);
    return gcl_feature_definition(query);
}
