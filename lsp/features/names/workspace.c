// Symbols of all files of a folder, open or not, whose name has the letters that were typed.
// No file is read for that: symbols of open files that clang hasn't read in their present state
// come from tree-sitter.
#include <string.h>

#include "lsp/base/json.h"
#include "lsp/features/names/names.h"
#include "lsp/read/entry.h"
#include "lsp/read/occurrences.h"

enum { SHOWN_MAX = 500 };

struct search {
    const char *typed;
    json_t *found;
};

// Whether a name has the typed letters in their order, whatever their case.
static bool fits(const char *name, const char *typed) {
    for (; *typed; typed++, name++) {
        while (*name && g_ascii_tolower(*name) != g_ascii_tolower(*typed))
            name++;
        if (!*name)
            return false;
    }
    return true;
}

static bool is_wanted(const struct search *search, const char *name) {
    return name && fits(name, search->typed) && json_array_size(search->found) < SHOWN_MAX;
}

static void see(const char *path, const json_t *symbol, void *data) {
    const struct search *search = data;
    const char *name = json_string_value(json_array_get(symbol, GCL_ENTRY_NAME));
    if (!is_wanted(search, name))
        return;
    json_array_append_new(search->found,
                          json_pack("{s:s, s:O, s:O, s:o}", "name", name, "kind",
                                    json_array_get(symbol, GCL_ENTRY_KIND), "containerName",
                                    json_array_get(symbol, GCL_ENTRY_CONTAINER), "location",
                                    gcl_entry_location(path, symbol)));
}

static void see_read(struct gcl_view *view, struct search *search) {
    json_t *entry = gcl_entry_create(view), *symbol;
    size_t i;
    json_array_foreach(json_object_get(entry, "symbols"), i, symbol) {
        if (gcl_entry_role(symbol) == (json_int_t)GCL_ROLE_DEFINITION)
            see(view->path, symbol, search);
    }
    json_decref(entry);
}

static void see_outline(const struct gcl_view *view, const json_t *symbols, const char *container,
                        struct search *search) {
    json_t *symbol;
    size_t i;
    json_array_foreach((json_t *)symbols, i, symbol) {
        const char *name = gcl_json_member(symbol, "name");
        if (is_wanted(search, name))
            json_array_append_new(search->found,
                                  json_pack("{s:s, s:O, s:s, s:{s:s, s:O}}", "name", name, "kind",
                                            json_object_get(symbol, "kind"), "containerName",
                                            container, "location", "uri", view->uri, "range",
                                            json_object_get(symbol, "selectionRange")));
        see_outline(view, json_object_get(symbol, "children"), name, search);
    }
}

json_t *gcl_feature_workspace_symbols(const struct gcl_query *query) {
    const char *typed = json_string_value(json_object_get(query->params, "query"));
    struct search search = {typed ? typed : "", json_array()};
    GHashTableIter iterator;
    void *data;
    g_hash_table_iter_init(&iterator, query->worker->views);
    while (g_hash_table_iter_next(&iterator, NULL, &data)) {
        struct gcl_view *view = data;
        if (view->is_current && view->unit) {
            see_read(view, &search);
            continue;
        }
        json_t *outline = gcl_glance_symbols(query->worker->glance, view->text);
        see_outline(view, outline, "", &search);
        json_decref(outline);
    }
    gcl_entry_visit_definitions(query->worker, see, &search);
    return search.found;
}
