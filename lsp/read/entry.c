// An entry is JSON, since it travels between processes and lies on disk. Unknown names are one text
// instead of a list: there are many, few of which are ever asked for.
#include "lsp/read/entry.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "frontend/cursor.h"
#include "lsp/base/json.h"
#include "lsp/base/stamp.h"
#include "lsp/base/uri.h"
#include "lsp/read/occurrences.h"
#include "lsp/read/symbol.h"
#include "lsp/read/tree.h"

static bool is_local(CXCursor target) {
    enum CXCursorKind kind = clang_getCursorKind(target);
    return gcl_tree_is_local(target) || kind == CXCursor_TemplateTypeParameter ||
           kind == CXCursor_NonTypeTemplateParameter;
}

static char *container_of(CXCursor target) {
    CXCursor parent = clang_getCursorSemanticParent(target);
    bool has_one = clang_isDeclaration(clang_getCursorKind(parent)) &&
                   clang_getCursorKind(parent) != CXCursor_LinkageSpec;
    return has_one ? gcl_cursor_name(parent) : g_strdup("");
}

static void add_end(json_t *symbol, const struct gcl_view *view, CXCursor function) {
    CXCursor definition = clang_getCursorDefinition(function);
    uint32_t begin, end, line, behind;
    if (!gcl_cursor_is_function(clang_getCursorKind(function)) ||
        !gcl_tree_extent(view, clang_getCursorExtent(definition), &begin, &end))
        return;
    gcl_line_table_locate(view->text, end, &line, &behind);
    json_array_append_new(symbol, json_integer(line));
    json_array_append_new(symbol, json_integer(behind));
}

static json_t *place_of(const struct gcl_view *view, const char *usr, enum gcl_role role,
                        uint32_t begin, uint32_t end) {
    uint32_t line, first;
    assert(begin < end);
    gcl_line_table_locate(view->text, begin, &line, &first);
    return json_pack("[o, i, i, i, i]", gcl_json_text(usr), (int)role, (int)line, (int)first,
                     (int)(first + gcl_line_table_units(view->text, begin, end)));
}

static json_t *guess_of(const struct gcl_view *view, const char *usr,
                        const struct gcl_occurrence *o) {
    json_t *symbol = place_of(view, usr, GCL_ROLE_UNKNOWN, o->begin, o->end);
    const char *text = gcl_line_table_data(view->text, NULL);
    json_array_append_new(symbol, json_stringn(text + o->begin, o->end - o->begin));
    json_array_append_new(symbol, json_boolean(gcl_occurrences_is_member(view, o->begin)));
    return symbol;
}

static json_t *unknown_names(struct gcl_view *view) {
    const GArray *unknown = gcl_occurrences_unknown(view);
    const char *text = gcl_line_table_data(view->text, NULL);
    g_autoptr(GString) out = g_string_new(NULL);
    for (guint i = 0; i < unknown->len; i++) {
        const struct gcl_unknown_name *n = &g_array_index(unknown, struct gcl_unknown_name, i);
        uint32_t line, begin;
        gcl_line_table_locate(view->text, n->begin, &line, &begin);
        g_string_append_printf(out, "%.*s %u %u %u %d\n", (int)(n->end - n->begin), text + n->begin,
                               line, begin,
                               begin + gcl_line_table_units(view->text, n->begin, n->end),
                               gcl_occurrences_is_member(view, n->begin));
    }
    return gcl_json_text(out->str);
}

static json_t *symbol_of(const struct gcl_view *view, const struct gcl_occurrence *o) {
    g_autofree char *usr = gcl_cursor_take_text(clang_getCursorUSR(o->target));
    if (o->is_guess)
        return guess_of(view, usr, o);
    if (!*usr || is_local(o->target) ||
        clang_Location_isInSystemHeader(clang_getCursorLocation(o->target)))
        return NULL;
    enum gcl_role role = o->defines    ? GCL_ROLE_DEFINITION
                         : o->declares ? GCL_ROLE_DECLARATION
                                       : GCL_ROLE_REFERENCE;
    json_t *symbol = place_of(view, usr, role, o->begin, o->end);
    int kind = gcl_symbol_kind(o->target);
    g_autofree char *name = gcl_cursor_name(o->target);
    if (role != GCL_ROLE_DEFINITION || kind == 0 || !*name)
        return symbol;
    g_autofree char *container = container_of(o->target);
    json_array_append_new(symbol, gcl_json_text(name));
    json_array_append_new(symbol, json_integer(kind));
    json_array_append_new(symbol, gcl_json_text(container));
    add_end(symbol, view, o->target);
    return symbol;
}

json_t *gcl_entry_create(struct gcl_view *view) {
    const GArray *list = gcl_occurrences_of(view);
    json_t *symbols = json_array(), *files = json_object();
    assert(view->is_current && view->unit);
    for (guint i = 0; i < list->len; i++) {
        json_t *symbol = symbol_of(view, &g_array_index(list, struct gcl_occurrence, i));
        if (symbol)
            json_array_append_new(symbols, symbol);
    }
    for (guint i = 0; i < view->unit->sources->len; i++) {
        const struct gcl_unit_file *source = view->unit->sources->pdata[i];
        g_autofree char *path = g_canonicalize_filename(source->path, view->directory);
        g_autofree char *stamp = gcl_stamp_of(path);
        if (stamp)
            json_object_set_new(files, path, json_string(stamp));
    }
    return json_pack("{s:o, s:o, s:o}", "files", files, "symbols", symbols, "unknown",
                     unknown_names(view));
}

json_t *gcl_entry_location(const char *path, const json_t *symbol) {
    g_autofree char *uri = gcl_uri_of(path);
    json_t *line = json_array_get(symbol, 2);
    return json_pack("{s:s, s:{s:{s:O, s:O}, s:{s:O, s:O}}}", "uri", uri, "range", "start", "line",
                     line, "character", json_array_get(symbol, 3), "end", "line", line, "character",
                     json_array_get(symbol, 4));
}

static bool is_open(const struct gcl_worker *worker, const char *path) {
    GHashTableIter iterator;
    void *data;
    g_hash_table_iter_init(&iterator, worker->views);
    while (g_hash_table_iter_next(&iterator, NULL, &data)) {
        if (g_strcmp0(((const struct gcl_view *)data)->path, path) == 0)
            return true;
    }
    return false;
}

json_int_t gcl_entry_role(const json_t *symbol) {
    return json_integer_value(json_array_get(symbol, GCL_ENTRY_ROLE));
}

static const char *text_at(const json_t *symbol, size_t i) {
    return json_string_value(json_array_get(symbol, i));
}

struct wanted {
    const char *usr;  // NULL: any
    const char *name; // likewise
    enum gcl_role role;
    bool any_role;
};

static bool is_wanted(const struct wanted *wanted, const json_t *symbol) {
    return (wanted->any_role || gcl_entry_role(symbol) == (json_int_t)wanted->role) &&
           (!wanted->usr || g_strcmp0(text_at(symbol, GCL_ENTRY_USR), wanted->usr) == 0) &&
           (!wanted->name || g_strcmp0(text_at(symbol, GCL_ENTRY_NAME), wanted->name) == 0);
}

static void visit(const struct gcl_worker *worker, const struct wanted *wanted, gcl_entry_see *see,
                  void *data) {
    GHashTableIter iterator;
    void *path, *entry;
    g_hash_table_iter_init(&iterator, worker->index);
    while (g_hash_table_iter_next(&iterator, &path, &entry)) {
        json_t *symbol;
        size_t i;
        if (is_open(worker, path))
            continue;
        json_array_foreach(json_object_get(entry, "symbols"), i, symbol) {
            if (is_wanted(wanted, symbol))
                see(path, symbol, data);
        }
    }
}

void gcl_entry_visit(const struct gcl_worker *worker, const char *usr, gcl_entry_see *see,
                     void *data) {
    if (*usr)
        visit(worker, &(struct wanted){.usr = usr, .any_role = true}, see, data);
}

static void visit_unknown_of(const char *path, const char *names, const char *name,
                             gcl_entry_see *see, void *data) {
    size_t length = strlen(name);
    for (const char *line = names; *line; line += strcspn(line, "\n"), line += *line != '\0') {
        int at, begin, end, is_member;
        if (strncmp(line, name, length) != 0 || line[length] != ' ' ||
            sscanf(line + length, "%d %d %d %d", &at, &begin, &end, &is_member) != 4)
            continue;
        json_t *symbol = json_pack("[s, i, i, i, i, s, b]", "", (int)GCL_ROLE_UNKNOWN, at, begin,
                                   end, name, is_member);
        see(path, symbol, data);
        json_decref(symbol);
    }
}

void gcl_entry_visit_unknown(const struct gcl_worker *worker, const char *name, gcl_entry_see *see,
                             void *data) {
    GHashTableIter iterator;
    void *path, *entry;
    visit(worker, &(struct wanted){.name = name, .role = GCL_ROLE_UNKNOWN}, see, data);
    g_hash_table_iter_init(&iterator, worker->index);
    while (g_hash_table_iter_next(&iterator, &path, &entry)) {
        if (!is_open(worker, path))
            visit_unknown_of(path, gcl_json_words(entry, "unknown"), name, see, data);
    }
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
    g_autoptr(GPtrArray) holders = g_ptr_array_new(); // functions around `symbol`, outermost first
    json_t *symbol;
    size_t i;
    json_array_foreach(symbols, i, symbol) {
        while (holders->len > 0 && !is_within(symbol, holders->pdata[holders->len - 1]))
            g_ptr_array_set_size(holders, (gint)holders->len - 1);
        if (json_array_size(symbol) > GCL_ENTRY_LAST_LINE)
            g_ptr_array_add(holders, symbol);
        else if (holders->len > 0 && gcl_entry_role(symbol) == (json_int_t)GCL_ROLE_REFERENCE &&
                 g_strcmp0(text_at(symbol, GCL_ENTRY_USR), usr) == 0)
            see(path, holders->pdata[holders->len - 1], symbol, data);
    }
}

void gcl_entry_visit_calls(const struct gcl_worker *worker, const char *usr,
                           gcl_entry_see_call *see, void *data) {
    GHashTableIter iterator;
    void *path, *entry;
    g_hash_table_iter_init(&iterator, worker->index);
    while (*usr && g_hash_table_iter_next(&iterator, &path, &entry)) {
        if (!is_open(worker, path))
            visit_file(path, json_object_get(entry, "symbols"), usr, see, data);
    }
}

void gcl_entry_visit_definitions(const struct gcl_worker *worker, gcl_entry_see *see, void *data) {
    visit(worker, &(struct wanted){.role = GCL_ROLE_DEFINITION}, see, data);
}
