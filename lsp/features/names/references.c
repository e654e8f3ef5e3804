// All places of a name.
#include "lsp/features/names/names.h"
#include "lsp/read/places.h"

struct collection {
    json_t *list;
    bool with_declaration;
};

static void add(const struct gcl_view *view, const struct gcl_occurrence *o, void *data) {
    const struct collection *collection = data;
    if (!o->declares || collection->with_declaration)
        json_array_append_new(collection->list,
                              json_pack("{s:s, s:o}", "uri", view->uri, "range",
                                        gcl_line_table_range(view->text, o->begin, o->end)));
}

static void add_closed(const char *path, const json_t *symbol, void *data) {
    const struct collection *collection = data;
    json_int_t role = gcl_entry_role(symbol);
    bool declares =
        role == (json_int_t)GCL_ROLE_DECLARATION || role == (json_int_t)GCL_ROLE_DEFINITION;
    if (!declares || collection->with_declaration)
        json_array_append_new(collection->list, gcl_entry_location(path, symbol));
}

json_t *gcl_feature_references(const struct gcl_query *query) {
    const json_t *context = json_object_get(query->params, "context");
    const struct gcl_occurrence *found = gcl_occurrences_at(query->view, query->offset);
    struct collection collection = {json_array(),
                                    json_is_true(json_object_get(context, "includeDeclaration"))};
    if (found)
        gcl_places_visit(&(struct gcl_places){query, add, add_closed, &collection}, found->target);
    return collection.list;
}

static void add_highlight(const struct gcl_view *view, const struct gcl_occurrence *o, void *data) {
    enum { READ = 2, WRITE = 3 };
    json_array_append_new(data, json_pack("{s:o, s:i}", "range",
                                          gcl_line_table_range(view->text, o->begin, o->end),
                                          "kind", o->declares ? WRITE : READ));
}

json_t *gcl_feature_highlight(const struct gcl_query *query) {
    const struct gcl_occurrence *found = gcl_occurrences_at(query->view, query->offset);
    json_t *list = json_array();
    if (found)
        gcl_places_visit(&(struct gcl_places){query, add_highlight, NULL, list}, found->target);
    return list;
}
