// Another name for all places of one. Where it isn't known whether that is meant, the editor has to
// ask the user, or the user is told.
#include <assert.h>
#include <string.h>

#include "frontend/cursor.h"
#include "lsp/base/json.h"
#include "lsp/base/uri.h"
#include "lsp/features/names/names.h"
#include "lsp/read/places.h"
#include "lsp/read/tree.h"

enum { NAMED_MAX = 5 }; // places in a message

/// What is renamed, and the edits.
struct renaming {
    const struct gcl_query *query;
    const char *old, *new;
    CXCursor target;
    json_t *files;    // URI -> [edit]
    json_t *doubtful; // URI -> [edit]: of places that may be something else
    GString *doubts;  // "heat.cu:12, main.cu:9"
    guint doubtful_count;
};

// Constructors and destructors have the name of their class.
static CXCursor named_by(CXCursor target) {
    enum CXCursorKind kind = clang_getCursorKind(target);
    return kind == CXCursor_Constructor || kind == CXCursor_Destructor
               ? clang_getCanonicalCursor(clang_getCursorSemanticParent(target))
               : target;
}

// Why a name can't be changed, NULL if it can; to be freed.
static char *objection(CXCursor target, const char *name) {
    CXFile file = NULL;
    clang_getFileLocation(clang_getCursorLocation(target), &file, NULL, NULL, NULL);
    if (!file || clang_Location_isInSystemHeader(clang_getCursorLocation(target)))
        return g_strdup_printf("'%s' isn't declared in this project", name);
    if (clang_CXXMethod_isVirtual(target))
        return g_strdup_printf("'%s' is virtual: methods that override it would keep their name",
                               name);
    if (!g_ascii_isalpha(*name) && *name != '_' && !(*name & 0x80))
        return g_strdup_printf("'%s' has no name of its own", name);
    return NULL;
}

static char *text_of(const struct gcl_query *query, const struct gcl_occurrence *o) {
    return gcl_line_table_copy(query->view->text, o->begin, o->end);
}

json_t *gcl_feature_prepare_rename(const struct gcl_query *query) {
    const struct gcl_occurrence *found = gcl_occurrences_at(query->view, query->offset);
    if (!found)
        return NULL;
    g_autofree char *name = text_of(query, found);
    *query->mistake = objection(named_by(found->target), name);
    return *query->mistake ? NULL
                           : gcl_line_table_range(query->view->text, found->begin, found->end);
}

static bool is_identifier(const char *name) {
    if (!name || (!g_ascii_isalpha(*name) && *name != '_'))
        return false;
    while (g_ascii_isalnum(*name) || *name == '_')
        name++;
    return *name == '\0';
}

// Edits.

static void add_edit(json_t *files, const char *uri, json_t *range, const char *name) {
    json_t *edits = json_object_get(files, uri);
    if (!edits)
        json_object_set_new(files, uri, edits = json_array());
    json_array_append_new(edits, json_pack("{s:o, s:s}", "range", range, "newText", name));
}

static void add_doubtful(struct renaming *r, const char *uri, json_t *range) {
    g_autofree char *path = gcl_uri_path(uri), *name = path ? g_path_get_basename(path) : NULL;
    const json_t *line = json_object_get(json_object_get(range, "start"), "line");
    if (r->doubtful_count++ < NAMED_MAX)
        g_string_append_printf(r->doubts, "%s%s:%" JSON_INTEGER_FORMAT, r->doubts->len ? ", " : "",
                               name ? name : uri, json_integer_value(line) + 1);
    add_edit(r->doubtful, uri, range, r->new);
}

static void see(const struct gcl_view *view, const struct gcl_occurrence *o, void *data) {
    struct renaming *r = data;
    if (!o->is_guess)
        add_edit(r->files, view->uri, gcl_line_table_range(view->text, o->begin, o->end), r->new);
}

static void see_closed(const char *path, const json_t *symbol, void *data) {
    struct renaming *r = data;
    json_t *location = gcl_entry_location(path, symbol);
    if (gcl_entry_role(symbol) != (json_int_t)GCL_ROLE_UNKNOWN)
        add_edit(r->files, gcl_json_member(location, "uri"),
                 json_incref(json_object_get(location, "range")), r->new);
    json_decref(location);
}

static enum CXChildVisitResult see_member(CXCursor cursor, CXCursor parent, CXClientData data) {
    enum CXCursorKind kind = clang_getCursorKind(cursor);
    (void)parent;
    if (kind == CXCursor_Constructor || kind == CXCursor_Destructor)
        gcl_places_visit(data, clang_getCanonicalCursor(cursor));
    return CXChildVisit_Continue;
}

static void see_certain(struct renaming *r) {
    struct gcl_places places = {r->query, see, see_closed, r};
    gcl_places_visit(&places, r->target);
    clang_visitChildren(clang_getCursorDefinition(r->target), see_member, &places);
}

// Doubts.

// Whether a name that nobody knows may be the target: behind a dot, only if that is a member. Names
// without a dot may be members, too, in a method.
static bool may_be_meant(const struct renaming *r, bool behind_dot) {
    return !behind_dot || gcl_tree_is_member(r->target);
}

// The bytes in which a name can stand: for local ones, their function.
static void scope_of(const struct renaming *r, uint32_t *begin, uint32_t *end) {
    CXCursor function = clang_getCursorSemanticParent(r->target);
    *begin = 0;
    *end = UINT32_MAX;
    if (gcl_tree_is_local(r->target))
        gcl_tree_extent(r->query->view, clang_getCursorExtent(function), begin, end);
}

static bool is_spelt(const struct renaming *r, const struct gcl_view *view, uint32_t begin,
                     uint32_t end) {
    size_t length = strlen(r->old);
    return end - begin == length &&
           memcmp(gcl_line_table_data(view->text, NULL) + begin, r->old, length) == 0 &&
           may_be_meant(r, gcl_occurrences_is_member(view, begin));
}

static void doubt_view(struct renaming *r, struct gcl_view *view, uint32_t first, uint32_t last) {
    const GArray *names = gcl_occurrences_of(view), *unknown = gcl_occurrences_unknown(view);
    for (guint i = 0; i < unknown->len; i++) {
        const struct gcl_unknown_name *n = &g_array_index(unknown, struct gcl_unknown_name, i);
        if (n->begin >= first && n->end <= last && is_spelt(r, view, n->begin, n->end))
            add_doubtful(r, view->uri, gcl_line_table_range(view->text, n->begin, n->end));
    }
    for (guint i = 0; i < names->len; i++) {
        const struct gcl_occurrence *o = &g_array_index(names, struct gcl_occurrence, i);
        if (o->is_guess && o->begin >= first && o->end <= last &&
            is_spelt(r, view, o->begin, o->end))
            add_doubtful(r, view->uri, gcl_line_table_range(view->text, o->begin, o->end));
    }
}

static void doubt_closed(const char *path, const json_t *symbol, void *data) {
    struct renaming *r = data;
    json_t *location = gcl_entry_location(path, symbol);
    if (may_be_meant(r, json_is_true(json_array_get(symbol, GCL_ENTRY_IS_MEMBER))))
        add_doubtful(r, gcl_json_member(location, "uri"),
                     json_incref(json_object_get(location, "range")));
    json_decref(location);
}

static void see_doubtful(struct renaming *r) {
    GHashTableIter iterator;
    void *view;
    uint32_t begin, end;
    scope_of(r, &begin, &end);
    assert(begin <= end);
    doubt_view(r, r->query->view, begin, end);
    if (gcl_tree_is_local(r->target))
        return;
    g_hash_table_iter_init(&iterator, r->query->worker->views);
    while (g_hash_table_iter_next(&iterator, NULL, &view)) {
        if (view != r->query->view && gcl_view_read(r->query->worker, view))
            doubt_view(r, view, 0, UINT32_MAX);
    }
    gcl_entry_visit_unknown(r->query->worker, r->old, doubt_closed, r);
}

// The answer.

static const char doubt[] = "may be something else";

static void add_document(json_t *changes, const char *uri, const json_t *edits,
                         const char *annotation) {
    json_t *edit, *copies = json_array();
    size_t i;
    json_array_foreach((json_t *)edits, i, edit) {
        json_t *copy = json_copy(edit);
        if (annotation)
            json_object_set_new(copy, "annotationId", json_string(annotation));
        json_array_append_new(copies, copy);
    }
    json_array_append_new(changes, json_pack("{s:{s:s, s:n}, s:o}", "textDocument", "uri", uri,
                                             "version", "edits", copies));
}

// A WorkspaceEdit of which the editor shows the doubtful part first.
static json_t *annotated(const struct renaming *r) {
    json_t *changes = json_array(), *edits;
    const char *uri;
    json_object_foreach(r->files, uri, edits) add_document(changes, uri, edits, NULL);
    json_object_foreach(r->doubtful, uri, edits) add_document(changes, uri, edits, doubt);
    return json_pack(
        "{s:o, s:{s:{s:s, s:b, s:s}}}", "documentChanges", changes, "changeAnnotations", doubt,
        "label", doubt, "needsConfirmation", 1, "description",
        "the name depends on a template's arguments, or stands in dead text or a macro");
}

// What the user has to know, "" if there is nothing.
static char *warning(const struct renaming *r) {
    json_int_t unread = json_integer_value(json_object_get(r->query->params, "unread"));
    GString *out = g_string_new(NULL);
    if (unread > 0 && !gcl_tree_is_local(r->target))
        g_string_append_printf(out,
                               "%" JSON_INTEGER_FORMAT " file%s of the folder %s not been read "
                               "yet: '%s' keeps its name there",
                               unread, unread == 1 ? "" : "s", unread == 1 ? "has" : "have",
                               r->old);
    if (r->doubtful_count > 0 && !r->query->worker->confirms)
        g_string_append_printf(out,
                               "%s'%s' keeps its name in %u place%s where it isn't known what it "
                               "refers to: %s%s",
                               out->len ? "; " : "", r->old, r->doubtful_count,
                               r->doubtful_count == 1 ? "" : "s", r->doubts->str,
                               r->doubtful_count > NAMED_MAX ? ", …" : "");
    return g_string_free(out, FALSE);
}

static json_t *result_of(const struct renaming *r) {
    g_autofree char *text = warning(r);
    bool confirms = r->doubtful_count > 0 && r->query->worker->confirms;
    assert((r->doubtful_count > 0) == (json_object_size(r->doubtful) > 0));
    json_t *edit = confirms ? annotated(r) : json_pack("{s:O}", "changes", r->files);
    return json_pack("{s:o, s:o?}", "edit", edit, "warning", *text ? gcl_json_text(text) : NULL);
}

json_t *gcl_feature_rename(const struct gcl_query *query) {
    const char *new = json_string_value(json_object_get(query->params, "newName"));
    const struct gcl_occurrence *found = gcl_occurrences_at(query->view, query->offset);
    if (!is_identifier(new)) {
        *query->code = GCL_RPC_INVALID_PARAMS;
        *query->mistake = g_strdup_printf("'%s' can't be a name", new ? new : "");
        return NULL;
    }
    if (!found || gcl_cursor_is_null(found->target))
        return NULL;
    g_autofree char *old = text_of(query, found);
    struct renaming r = {.query = query, .old = old, .new = new, .target = named_by(found->target)};
    *query->mistake = objection(r.target, old);
    if (*query->mistake)
        return NULL;
    r.files = json_object();
    r.doubtful = json_object();
    r.doubts = g_string_new(NULL);
    see_certain(&r);
    see_doubtful(&r);
    json_t *result = result_of(&r);
    json_decref(r.files);
    json_decref(r.doubtful);
    g_string_free(r.doubts, TRUE);
    return result;
}
