#include "translate/page/entry.h"

const char *gcl_entry_text(const json_t *object, const char *key) {
    const char *text = json_string_value(json_object_get(object, key));
    return text ? text : "";
}

long long gcl_entry_number(const json_t *object, const char *key) {
    return json_integer_value(json_object_get(object, key));
}
