// What would mend the mistakes at a place: a diagnostic carries its edits, and the editor gives it
// back.
#include "features.h"

// Those of clang are right whatever the text is for; of ours only the user knows.
static json_t *make_action(const struct gcl_query *query, json_t *diagnostic) {
    json_t *data = json_object_get(diagnostic, "data"), *edits = json_object_get(data, "edits");
    const char *first = json_string_value(json_object_get(json_array_get(edits, 0), "newText"));
    json_t *title = json_object_get(data, "title");
    if (!first)
        return NULL;
    json_t *words = title    ? json_incref(title)
                    : *first ? json_sprintf("change to '%s'", first)
                             : json_string("remove it");
    return json_pack("{s:o, s:s, s:[O], s:b, s:{s:{s:O}}}", "title", words, "kind", "quickfix",
                     "diagnostics", diagnostic, "isPreferred", !title, "edit", "changes",
                     query->view->uri, edits);
}

json_t *gcl_feature_code_action(const struct gcl_query *query) {
    const json_t *context = json_object_get(query->params, "context");
    json_t *diagnostic, *actions = json_array();
    size_t i;
    json_array_foreach(json_object_get(context, "diagnostics"), i, diagnostic) {
        json_t *action = make_action(query, diagnostic);
        if (action)
            json_array_append_new(actions, action);
    }
    return actions;
}
