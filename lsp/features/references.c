// All places of a name, in the text and in other open ones; what is done with them.
#include <string.h>

#include "../entry.h"
#include "../occurrences.h"
#include "../tree.h"
#include "features.h"
#include "frontend/cursor.h"

/// Called for each place of the target.
typedef void see_place(const struct gcl_view *view, const struct gcl_occurrence *o, void *data);

static bool is_local(CXCursor target) {
    CXCursor parent = clang_getCursorSemanticParent(target);
    return gcl_cursor_is_function(clang_getCursorKind(parent)) ||
           clang_getCursorKind(target) == CXCursor_ParmDecl;
}

static void visit_view(const struct gcl_query *query, struct gcl_view *view, CXCursor target,
                       const char *usr, see_place *see, void *data) {
    const GArray *list = gcl_occurrences_of(view)->list;
    for (guint i = 0; i < list->len; i++) {
        const struct gcl_occurrence *o = &g_array_index(list, struct gcl_occurrence, i);
        if (view == query->view) {
            if (clang_equalCursors(o->target, target))
                see(view, o, data);
            continue;
        }
        g_autofree char *other = gcl_cursor_take_text(clang_getCursorUSR(o->target));
        if (strcmp(usr, other) == 0)
            see(view, o, data);
    }
}

// Visits every place of what the query names, with `see_closed` those in files that aren't open,
// unless it is NULL; false if it names nothing.
static bool visit_places(const struct gcl_query *query, see_place *see, gcl_entry_see *see_closed,
                         void *data) {
    bool everywhere = see_closed != NULL;
    const struct gcl_occurrence *found = gcl_occurrences_at(query->view, query->offset);
    if (!found)
        return false;
    CXCursor target = found->target;
    g_autofree char *usr = gcl_cursor_take_text(clang_getCursorUSR(target));
    visit_view(query, query->view, target, usr, see, data);
    GHashTableIter iterator;
    void *view;
    g_hash_table_iter_init(&iterator, query->worker->views);
    while (everywhere && *usr && !is_local(target) &&
           g_hash_table_iter_next(&iterator, NULL, &view)) {
        if (view != query->view && gcl_worker_read(query->worker, view))
            visit_view(query, view, target, usr, see, data);
    }
    if (everywhere && !is_local(target))
        gcl_entry_visit(query->worker, usr, see_closed, data);
    return true;
}

struct collection {
    json_t *list;
    bool with_declaration;
};

static json_t *range_of(const struct gcl_view *view, const struct gcl_occurrence *o) {
    return gcl_lines_range(view->text, o->begin, o->end);
}

static void add_reference(const struct gcl_view *view, const struct gcl_occurrence *o, void *data) {
    const struct collection *collection = data;
    if (!o->declares || collection->with_declaration)
        json_array_append_new(collection->list, json_pack("{s:s, s:o}", "uri", view->uri, "range",
                                                          range_of(view, o)));
}

static void add_closed_reference(const char *path, const json_t *symbol, void *data) {
    const struct collection *collection = data;
    bool declares = json_integer_value(json_array_get(symbol, 1)) != (json_int_t)GCL_ROLE_REFERENCE;
    if (!declares || collection->with_declaration)
        json_array_append_new(collection->list, gcl_entry_location(path, symbol));
}

json_t *gcl_feature_references(const struct gcl_query *query) {
    const json_t *context = json_object_get(query->params, "context");
    struct collection collection = {json_array(),
                                    json_is_true(json_object_get(context, "includeDeclaration"))};
    visit_places(query, add_reference, add_closed_reference, &collection);
    return collection.list;
}

static void add_highlight(const struct gcl_view *view, const struct gcl_occurrence *o, void *data) {
    enum { READ = 2, WRITE = 3 };
    json_array_append_new(data, json_pack("{s:o, s:i}", "range", range_of(view, o), "kind",
                                          o->declares ? WRITE : READ));
}

json_t *gcl_feature_highlight(const struct gcl_query *query) {
    json_t *list = json_array();
    visit_places(query, add_highlight, NULL, list);
    return list;
}

// What a program may rename is declared in it.
static bool is_renamable(const struct gcl_query *query) {
    const struct gcl_occurrence *found = gcl_occurrences_at(query->view, query->offset);
    return found && clang_getCursorKind(found->target) != CXCursor_Constructor &&
           !clang_Location_isInSystemHeader(clang_getCursorLocation(found->target));
}

json_t *gcl_feature_prepare_rename(const struct gcl_query *query) {
    const struct gcl_occurrence *found = gcl_occurrences_at(query->view, query->offset);
    return is_renamable(query) ? range_of(query->view, found) : NULL;
}

static bool is_identifier(const char *name) {
    if (!name || (!g_ascii_isalpha(*name) && *name != '_'))
        return false;
    while (g_ascii_isalnum(*name) || *name == '_')
        name++;
    return *name == '\0';
}

struct renaming {
    json_t *changes;
    const char *name;
};

static void rename_at(const struct renaming *renaming, const char *uri, json_t *range) {
    json_t *edits = json_object_get(renaming->changes, uri);
    if (!edits)
        json_object_set_new(renaming->changes, uri, edits = json_array());
    json_array_append_new(edits,
                          json_pack("{s:o, s:s}", "range", range, "newText", renaming->name));
}

static void add_edit(const struct gcl_view *view, const struct gcl_occurrence *o, void *data) {
    rename_at(data, view->uri, range_of(view, o));
}

static void add_closed_edit(const char *path, const json_t *symbol, void *data) {
    json_t *location = gcl_entry_location(path, symbol);
    rename_at(data, json_string_value(json_object_get(location, "uri")),
              json_incref(json_object_get(location, "range")));
    json_decref(location);
}

json_t *gcl_feature_rename(const struct gcl_query *query) {
    struct renaming renaming = {.name =
                                    json_string_value(json_object_get(query->params, "newName"))};
    if (!is_identifier(renaming.name) || !is_renamable(query))
        return NULL;
    renaming.changes = json_object();
    visit_places(query, add_edit, add_closed_edit, &renaming);
    return json_pack("{s:o}", "changes", renaming.changes);
}
