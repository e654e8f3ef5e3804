// Who calls a function, and whom it calls; launches count as calls of their kernels.
#include <assert.h>
#include <string.h>

#include "frontend/cursor.h"
#include "lsp/base/json.h"
#include "lsp/features/names/item.h"
#include "lsp/features/names/names.h"
#include "lsp/read/entry.h"
#include "lsp/read/occurrences.h"
#include "lsp/read/symbol.h"
#include "lsp/read/tree.h"

json_t *gcl_feature_call_hierarchy(const struct gcl_query *query) {
    const struct gcl_occurrence *found = gcl_occurrences_at(query->view, query->offset);
    if (!found || !gcl_cursor_is_function(clang_getCursorKind(found->target)))
        return NULL;
    return json_pack("[o]", gcl_item_create(query, query->view, found->target));
}

// The definition of a function that holds an occurrence, NULL if none does.
static const struct gcl_occurrence *holder_of(const struct gcl_view *view, const GArray *list,
                                              guint index) {
    uint32_t at = g_array_index(list, struct gcl_occurrence, index).begin, begin, end;
    assert(index < list->len);
    for (guint i = index; i-- > 0;) {
        const struct gcl_occurrence *o = &g_array_index(list, struct gcl_occurrence, i);
        if (!o->defines || !gcl_cursor_is_function(clang_getCursorKind(o->target)))
            continue;
        CXCursor definition = clang_getCursorDefinition(o->target);
        if (gcl_tree_extent(view, clang_getCursorExtent(definition), &begin, &end) && at < end)
            return o;
    }
    return NULL;
}

// Adds a call, joined with others that have the same function at the other end; `role` is "from" or
// "to".
static void add_call(json_t *calls, const char *role, json_t *item, json_t *range) {
    json_t *call;
    size_t i;
    json_array_foreach(calls, i, call) {
        if (!json_equal(json_object_get(call, role), item))
            continue;
        json_array_append_new(json_object_get(call, "fromRanges"), range);
        json_decref(item);
        return;
    }
    json_array_append_new(calls, json_pack("{s:o, s:[o]}", role, item, "fromRanges", range));
}

// The item of a function of the index.
static json_t *closed_item_of(const char *path, const json_t *function) {
    json_t *location = gcl_entry_location(path, function);
    json_t *name = json_object_get(location, "range");
    json_t *item = json_pack(
        "{s:O, s:O, s:O, s:O, s:O, s:{s:O, s:{s:O, s:O}}}", "name",
        json_array_get(function, GCL_ENTRY_NAME), "kind", json_array_get(function, GCL_ENTRY_KIND),
        "data", json_array_get(function, GCL_ENTRY_USR), "uri", json_object_get(location, "uri"),
        "selectionRange", name, "range", "start", json_object_get(name, "start"), "end", "line",
        json_array_get(function, GCL_ENTRY_LAST_LINE), "character",
        json_array_get(function, GCL_ENTRY_BEHIND));
    json_decref(location);
    return item;
}

static void add_closed_call(const char *path, const json_t *function, const json_t *reference,
                            void *calls) {
    json_t *location = gcl_entry_location(path, reference);
    add_call(calls, "from", closed_item_of(path, function),
             json_incref(json_object_get(location, "range")));
    json_decref(location);
}

json_t *gcl_feature_incoming_calls(const struct gcl_query *query) {
    json_t *calls = json_array();
    gcl_entry_visit_calls(query->worker, gcl_item_usr(query), add_closed_call, calls);
    GHashTableIter iterator;
    void *data;
    g_hash_table_iter_init(&iterator, query->worker->views);
    while (g_hash_table_iter_next(&iterator, NULL, &data)) {
        struct gcl_view *view = data;
        if (!gcl_view_read(query->worker, view))
            continue;
        const GArray *list = gcl_occurrences_of(view);
        for (guint i = 0; i < list->len; i++) {
            const struct gcl_occurrence *o = &g_array_index(list, struct gcl_occurrence, i);
            if (o->declares || !gcl_item_is(o->target, gcl_item_usr(query)))
                continue;
            const struct gcl_occurrence *holder = holder_of(view, list, i);
            if (holder)
                add_call(calls, "from", gcl_item_create(query, view, holder->target),
                         gcl_line_table_range(view->text, o->begin, o->end));
        }
    }
    return calls;
}

// The definition of a function in a text; NULL if it isn't there.
static const struct gcl_occurrence *definition_of(const GArray *list, const char *usr) {
    for (guint i = 0; i < list->len; i++) {
        const struct gcl_occurrence *o = &g_array_index(list, struct gcl_occurrence, i);
        if (o->defines && gcl_cursor_is_function(clang_getCursorKind(o->target)) &&
            gcl_item_is(o->target, usr))
            return o;
    }
    return NULL;
}

json_t *gcl_feature_outgoing_calls(const struct gcl_query *query) {
    const struct gcl_view *view = query->view;
    const GArray *list = gcl_occurrences_of(query->view);
    const struct gcl_occurrence *caller = definition_of(list, gcl_item_usr(query));
    json_t *calls = json_array();
    uint32_t begin, end;
    if (!caller ||
        !gcl_tree_extent(view, clang_getCursorExtent(clang_getCursorDefinition(caller->target)),
                         &begin, &end))
        return calls;
    for (guint i = 0; i < list->len; i++) {
        const struct gcl_occurrence *o = &g_array_index(list, struct gcl_occurrence, i);
        bool is_call = o->begin >= begin && o->end <= end && !o->declares &&
                       gcl_cursor_is_function(clang_getCursorKind(o->target));
        if (is_call && holder_of(view, list, i) == caller)
            add_call(calls, "to", gcl_item_create(query, query->view, o->target),
                     gcl_line_table_range(view->text, o->begin, o->end));
    }
    return calls;
}
