// What a class is derived from, and what is derived from it in the texts that are open.
#include "frontend/cursor.h"
#include "lsp/features/names/item.h"
#include "lsp/features/names/names.h"
#include "lsp/read/occurrences.h"
#include "lsp/read/tree.h"

json_t *gcl_feature_type_hierarchy(const struct gcl_query *query) {
    const struct gcl_occurrence *found = gcl_occurrences_at(query->view, query->offset);
    if (!found)
        return NULL;
    CXCursor class = gcl_tree_class(found->target);
    return gcl_cursor_is_null(class) ? NULL
                                     : json_pack("[o]", gcl_item_create(query, query->view, class));
}

// The definition of a class in a text; NULL if it isn't there.
static const struct gcl_occurrence *definition_of(const GArray *list, const char *usr) {
    for (guint i = 0; i < list->len; i++) {
        const struct gcl_occurrence *o = &g_array_index(list, struct gcl_occurrence, i);
        if (o->defines && gcl_tree_is_class(clang_getCursorKind(o->target)) &&
            gcl_item_is(o->target, usr))
            return o;
    }
    return NULL;
}

struct bases {
    const struct gcl_query *query;
    json_t *items;   // NULL: whether one is `usr` is all that is asked
    const char *usr; // NULL: not asked
    bool found;
};

static enum CXChildVisitResult see_base(CXCursor cursor, CXCursor parent, CXClientData data) {
    struct bases *bases = data;
    (void)parent;
    CXCursor base = clang_getCursorKind(cursor) == CXCursor_CXXBaseSpecifier
                        ? gcl_tree_class(cursor)
                        : clang_getNullCursor();
    if (gcl_cursor_is_null(base))
        return CXChildVisit_Continue;
    if (bases->items)
        json_array_append_new(bases->items,
                              gcl_item_create(bases->query, bases->query->view, base));
    bases->found |= bases->usr && gcl_item_is(base, bases->usr);
    return CXChildVisit_Continue;
}

json_t *gcl_feature_supertypes(const struct gcl_query *query) {
    const struct gcl_occurrence *class =
        definition_of(gcl_occurrences_of(query->view), gcl_item_usr(query));
    struct bases bases = {.query = query, .items = json_array()};
    if (class)
        clang_visitChildren(clang_getCursorDefinition(class->target), see_base, &bases);
    return bases.items;
}

json_t *gcl_feature_subtypes(const struct gcl_query *query) {
    json_t *items = json_array();
    GHashTableIter iterator;
    void *data;
    g_hash_table_iter_init(&iterator, query->worker->views);
    while (g_hash_table_iter_next(&iterator, NULL, &data)) {
        struct gcl_view *view = data;
        const GArray *list = gcl_view_read(query->worker, view) ? gcl_occurrences_of(view) : NULL;
        for (guint i = 0; list && i < list->len; i++) {
            const struct gcl_occurrence *o = &g_array_index(list, struct gcl_occurrence, i);
            struct bases bases = {.query = query, .usr = gcl_item_usr(query)};
            if (o->defines && gcl_tree_is_class(clang_getCursorKind(o->target)))
                clang_visitChildren(clang_getCursorDefinition(o->target), see_base, &bases);
            if (bases.found)
                json_array_append_new(items, gcl_item_create(query, view, o->target));
        }
    }
    return items;
}
