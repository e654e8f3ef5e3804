#include "entry.h"

#include <string.h>

#include "document.h"
#include "features/features.h"
#include "frontend/cursor.h"
#include "occurrences.h"
#include "stamp.h"
#include "tree.h"

static bool is_local(CXCursor target) {
    CXCursor parent = clang_getCursorSemanticParent(target);
    enum CXCursorKind kind = clang_getCursorKind(target);
    return gcl_cursor_is_function(clang_getCursorKind(parent)) || kind == CXCursor_ParmDecl ||
           kind == CXCursor_TemplateTypeParameter || kind == CXCursor_NonTypeTemplateParameter;
}

static char *container_of(CXCursor target) {
    CXCursor parent = clang_getCursorSemanticParent(target);
    bool has_one = clang_isDeclaration(clang_getCursorKind(parent)) &&
                   clang_getCursorKind(parent) != CXCursor_LinkageSpec;
    return has_one ? gcl_cursor_take_text(clang_getCursorSpelling(parent)) : g_strdup("");
}

static void add_end(json_t *symbol, const struct gcl_view *view, CXCursor function) {
    CXCursor definition = clang_getCursorDefinition(function);
    uint32_t begin, end, line, behind;
    if (!gcl_calls_is_function(function) ||
        !gcl_tree_extent(view, clang_getCursorExtent(definition), &begin, &end))
        return;
    gcl_lines_locate(view->text, end, &line, &behind);
    json_array_append_new(symbol, json_integer(line));
    json_array_append_new(symbol, json_integer(behind));
}

static json_t *symbol_of(const struct gcl_view *view, const struct gcl_occurrence *o) {
    g_autofree char *usr = gcl_cursor_take_text(clang_getCursorUSR(o->target));
    uint32_t line, begin;
    if (!*usr || is_local(o->target) ||
        clang_Location_isInSystemHeader(clang_getCursorLocation(o->target)))
        return NULL;
    gcl_lines_locate(view->text, o->begin, &line, &begin);
    enum gcl_role role = o->defines    ? GCL_ROLE_DEFINITION
                         : o->declares ? GCL_ROLE_DECLARATION
                                       : GCL_ROLE_REFERENCE;
    json_t *symbol =
        json_pack("[o, i, i, i, i]", gcl_json_text(usr), (int)role, (int)line, (int)begin,
                  (int)(begin + gcl_lines_units(view->text, o->begin, o->end)));
    int kind = gcl_symbol_kind(o->target);
    if (role != GCL_ROLE_DEFINITION || kind == 0)
        return symbol;
    g_autofree char *name = gcl_cursor_take_text(clang_getCursorSpelling(o->target));
    g_autofree char *container = container_of(o->target);
    json_array_append_new(symbol, gcl_json_text(name));
    json_array_append_new(symbol, json_integer(kind));
    json_array_append_new(symbol, gcl_json_text(container));
    add_end(symbol, view, o->target);
    return symbol;
}

json_t *gcl_entry_create(struct gcl_view *view) {
    const GArray *list = gcl_occurrences_of(view)->list;
    json_t *symbols = json_array(), *files = json_object();
    for (guint i = 0; i < list->len; i++) {
        json_t *symbol = symbol_of(view, &g_array_index(list, struct gcl_occurrence, i));
        if (symbol)
            json_array_append_new(symbols, symbol);
    }
    for (guint i = 0; i < view->unit->sources->len; i++) {
        const struct gcl_source *source = view->unit->sources->pdata[i];
        g_autofree char *path = g_canonicalize_filename(source->path, view->directory);
        g_autofree char *stamp = gcl_stamp_of(path);
        if (stamp)
            json_object_set_new(files, path, json_string(stamp));
    }
    return json_pack("{s:o, s:o}", "files", files, "symbols", symbols);
}

json_t *gcl_entry_location(const char *path, const json_t *symbol) {
    g_autofree char *uri = gcl_uri_of(path);
    json_t *line = json_array_get(symbol, 2);
    return json_pack("{s:s, s:{s:{s:O, s:O}, s:{s:O, s:O}}}", "uri", uri, "range", "start", "line",
                     line, "character", json_array_get(symbol, 3), "end", "line", line, "character",
                     json_array_get(symbol, 4));
}

bool gcl_entry_is_open(const struct gcl_worker *worker, const char *path) {
    GHashTableIter iterator;
    void *data;
    g_hash_table_iter_init(&iterator, worker->views);
    while (g_hash_table_iter_next(&iterator, NULL, &data)) {
        if (g_strcmp0(((const struct gcl_view *)data)->path, path) == 0)
            return true;
    }
    return false;
}

// All symbols with a USR, or, without, all definitions.
static void visit(const struct gcl_worker *worker, const char *usr, gcl_entry_see *see,
                  void *data) {
    GHashTableIter iterator;
    void *path, *symbols;
    g_hash_table_iter_init(&iterator, worker->index);
    while (g_hash_table_iter_next(&iterator, &path, &symbols)) {
        json_t *symbol;
        size_t i;
        if (gcl_entry_is_open(worker, path))
            continue;
        json_array_foreach((json_t *)symbols, i, symbol) {
            const char *own = json_string_value(json_array_get(symbol, 0));
            if (usr ? g_strcmp0(own, usr) == 0 : json_array_size(symbol) > 5)
                see(path, symbol, data);
        }
    }
}

void gcl_entry_visit(const struct gcl_worker *worker, const char *usr, gcl_entry_see *see,
                     void *data) {
    if (*usr)
        visit(worker, usr, see, data);
}

static json_int_t number_at(const json_t *symbol, size_t i) {
    return json_integer_value(json_array_get(symbol, i));
}

static bool is_within(const json_t *symbol, const json_t *function) {
    json_int_t line = number_at(symbol, GCL_ENTRY_LINE),
               last = number_at(function, GCL_ENTRY_LAST_LINE);
    return line < last || (line == last && number_at(symbol, GCL_ENTRY_BEGIN) <
                                               number_at(function, GCL_ENTRY_BEHIND));
}

static void visit_file(const char *path, json_t *symbols, const char *usr, gcl_entry_see_call *see,
                       void *data) {
    g_autoptr(GPtrArray) holders = g_ptr_array_new(); // functions around it, outermost first
    json_t *symbol;
    size_t i;
    json_array_foreach(symbols, i, symbol) {
        while (holders->len > 0 && !is_within(symbol, holders->pdata[holders->len - 1]))
            g_ptr_array_set_size(holders, (gint)holders->len - 1);
        if (json_array_size(symbol) > GCL_ENTRY_LAST_LINE)
            g_ptr_array_add(holders, symbol);
        else if (holders->len > 0 &&
                 number_at(symbol, GCL_ENTRY_ROLE) == (json_int_t)GCL_ROLE_REFERENCE &&
                 g_strcmp0(json_string_value(json_array_get(symbol, GCL_ENTRY_USR)), usr) == 0)
            see(path, holders->pdata[holders->len - 1], symbol, data);
    }
}

void gcl_entry_visit_calls(const struct gcl_worker *worker, const char *usr,
                           gcl_entry_see_call *see, void *data) {
    GHashTableIter iterator;
    void *path, *symbols;
    g_hash_table_iter_init(&iterator, worker->index);
    while (*usr && g_hash_table_iter_next(&iterator, &path, &symbols)) {
        if (!gcl_entry_is_open(worker, path))
            visit_file(path, symbols, usr, see, data);
    }
}

void gcl_entry_visit_definitions(const struct gcl_worker *worker, gcl_entry_see *see, void *data) {
    visit(worker, NULL, see, data);
}
