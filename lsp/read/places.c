// In its own file a target is found by clang's identity of declarations, in other files, where
// clang has read another translation unit, by its USR (clang's name for a declaration across
// units).
#include "lsp/read/places.h"

#include <assert.h>
#include <string.h>

#include "frontend/cursor.h"
#include "lsp/read/tree.h"

static void visit_own(const struct gcl_places *places, CXCursor target) {
    const GArray *list = gcl_occurrences_of(places->query->view);
    for (guint i = 0; i < list->len; i++) {
        const struct gcl_occurrence *o = &g_array_index(list, struct gcl_occurrence, i);
        if (clang_equalCursors(o->target, target))
            places->see(places->query->view, o, places->data);
    }
}

static void visit_other(const struct gcl_places *places, struct gcl_view *view, const char *usr) {
    const GArray *list = gcl_occurrences_of(view);
    for (guint i = 0; i < list->len; i++) {
        const struct gcl_occurrence *o = &g_array_index(list, struct gcl_occurrence, i);
        g_autofree char *other = gcl_cursor_take_text(clang_getCursorUSR(o->target));
        if (strcmp(usr, other) == 0)
            places->see(view, o, places->data);
    }
}

void gcl_places_visit(const struct gcl_places *places, CXCursor target) {
    struct gcl_worker *worker = places->query->worker;
    g_autofree char *usr = gcl_cursor_take_text(clang_getCursorUSR(target));
    GHashTableIter iterator;
    void *view;
    assert(places->see && places->query->view->is_current);
    visit_own(places, target);
    if (!places->see_closed || !*usr || gcl_tree_is_local(target))
        return;
    g_hash_table_iter_init(&iterator, worker->views);
    while (g_hash_table_iter_next(&iterator, NULL, &view)) {
        if (view != places->query->view && gcl_view_read(worker, view))
            visit_other(places, view, usr);
    }
    gcl_entry_visit(worker, usr, places->see_closed, places->data);
}
