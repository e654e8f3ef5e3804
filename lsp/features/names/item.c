// An item lies where the open text declares its name, else where clang has its declaration.
#include "lsp/features/names/item.h"

#include <string.h>

#include "frontend/cursor.h"
#include "lsp/base/json.h"
#include "lsp/read/occurrences.h"
#include "lsp/read/symbol.h"
#include "lsp/read/tree.h"

// The declaration of a name in a text, its definition if that is there; NULL if neither is.
static const struct gcl_occurrence *declaration_of(struct gcl_view *view, CXCursor declaration) {
    const GArray *list = gcl_occurrences_of(view);
    const struct gcl_occurrence *best = NULL;
    for (guint i = 0; i < list->len; i++) {
        const struct gcl_occurrence *o = &g_array_index(list, struct gcl_occurrence, i);
        if (o->declares && clang_equalCursors(o->target, declaration) && (o->defines || !best))
            best = o;
    }
    return best;
}

// Sets an item's ranges: the declaration's text and its name; false if neither is in the view.
static bool set_ranges(struct gcl_view *view, CXCursor declaration, json_t *item) {
    const struct gcl_occurrence *o = declaration_of(view, declaration);
    uint32_t begin, end;
    if (!o)
        return false;
    CXCursor definition = clang_getCursorDefinition(declaration);
    if (clang_Cursor_isNull(definition) ||
        !gcl_tree_extent(view, clang_getCursorExtent(definition), &begin, &end) ||
        o->begin < begin || o->end > end) {
        begin = o->begin;
        end = o->end;
    }
    json_object_set_new(item, "uri", json_string(view->uri));
    json_object_set_new(item, "range", gcl_line_table_range(view->text, begin, end));
    json_object_set_new(item, "selectionRange", gcl_line_table_range(view->text, o->begin, o->end));
    return true;
}

json_t *gcl_item_create(const struct gcl_query *query, struct gcl_view *view,
                        CXCursor declaration) {
    g_autofree char *name = gcl_cursor_take_text(clang_getCursorSpelling(declaration));
    g_autofree char *usr = gcl_cursor_take_text(clang_getCursorUSR(declaration));
    json_t *item = json_pack("{s:o, s:i, s:o}", "name", gcl_json_text(name), "kind",
                             MAX(gcl_symbol_kind(declaration), 1), "data", gcl_json_text(usr));
    if (set_ranges(view, declaration, item))
        return item;
    struct gcl_query there = *query;
    there.view = view;
    json_t *location = gcl_tree_location_of(&there, declaration);
    json_object_set(item, "uri", json_object_get(location, "uri"));
    json_object_set(item, "range", json_object_get(location, "range"));
    json_object_set(item, "selectionRange", json_object_get(location, "range"));
    json_decref(location);
    return item;
}

bool gcl_item_is(CXCursor cursor, const char *usr) {
    g_autofree char *own = gcl_cursor_take_text(clang_getCursorUSR(cursor));
    return *usr && strcmp(own, usr) == 0;
}

const char *gcl_item_usr(const struct gcl_query *query) {
    const json_t *item = json_object_get(query->params, "item");
    const char *usr = json_string_value(json_object_get(item, "data"));
    return usr ? usr : "";
}
