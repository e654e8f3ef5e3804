// jansson takes valid UTF-8 alone: other bytes of sources, and of messages about them, become
// replacement characters.
#include "lsp/base/json.h"

#include <glib.h>

json_t *gcl_json_text(const char *text) {
    if (!text)
        return json_null();
    json_t *string = json_string(text);
    if (string)
        return string;
    g_autofree char *valid = g_utf8_make_valid(text, -1);
    return json_string(valid);
}

const char *gcl_json_member(const json_t *object, const char *name) {
    return json_string_value(json_object_get(object, name));
}

const char *gcl_json_words(const json_t *object, const char *name) {
    const char *text = gcl_json_member(object, name);
    return text ? text : "";
}
