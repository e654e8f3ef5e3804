// What would mend the mistakes at a place: a diagnostic carries its edits, and the editor gives it
// back.
#include "features.h"

json_t *gcl_feature_code_action(const struct gcl_query *query) {
    const json_t *context = json_object_get(query->params, "context");
    json_t *diagnostic, *actions = json_array();
    size_t i;
    json_array_foreach(json_object_get(context, "diagnostics"), i, diagnostic) {
        json_t *edits = json_object_get(json_object_get(diagnostic, "data"), "edits");
        const char *first = json_string_value(json_object_get(json_array_get(edits, 0), "newText"));
        if (!first)
            continue;
        json_t *title = *first ? json_sprintf("change to '%s'", first) : json_string("remove it");
        json_array_append_new(actions, json_pack("{s:o, s:s, s:[O], s:b, s:{s:{s:O}}}", "title",
                                                 title, "kind", "quickfix", "diagnostics",
                                                 diagnostic, "isPreferred", 1, "edit", "changes",
                                                 query->view->uri, edits));
    }
    return actions;
}
