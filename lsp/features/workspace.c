// Symbols of all files of a folder, open or not, whose name has the letters that were typed.
#include <string.h>

#include "../entry.h"
#include "../occurrences.h"
#include "features.h"

enum { SHOWN_MAX = 500 };

struct search {
    const char *typed;
    json_t *found;
};

// In the order of the name, whatever their case.
static bool fits(const char *name, const char *typed) {
    for (; *typed; typed++, name++) {
        while (*name && g_ascii_tolower(*name) != g_ascii_tolower(*typed))
            name++;
        if (!*name)
            return false;
    }
    return true;
}

static void see(const char *path, const json_t *symbol, void *data) {
    const struct search *search = data;
    const char *name = json_string_value(json_array_get(symbol, 5));
    if (!name || !fits(name, search->typed) || json_array_size(search->found) >= SHOWN_MAX)
        return;
    json_array_append_new(search->found, json_pack("{s:s, s:O, s:O, s:o}", "name", name, "kind",
                                                   json_array_get(symbol, 6), "containerName",
                                                   json_array_get(symbol, 7), "location",
                                                   gcl_entry_location(path, symbol)));
}

json_t *gcl_feature_workspace_symbols(const struct gcl_query *query) {
    const char *typed = json_string_value(json_object_get(query->params, "query"));
    struct search search = {typed ? typed : "", json_array()};
    GHashTableIter iterator;
    void *data;
    g_hash_table_iter_init(&iterator, query->worker->views);
    while (g_hash_table_iter_next(&iterator, NULL, &data)) {
        struct gcl_view *view = data;
        json_t *entry = gcl_worker_read(query->worker, view) ? gcl_entry_create(view) : NULL;
        json_t *symbol;
        size_t i;
        json_array_foreach(json_object_get(entry, "symbols"), i, symbol)
            see(view->path, symbol, &search);
        json_decref(entry);
    }
    gcl_entry_visit_definitions(query->worker, see, &search);
    return search.found;
}
