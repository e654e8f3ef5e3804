#include "translate/page/markup.h"

#include <stdarg.h>

void gcl_markup(GString *page, const char *format, ...) {
    va_list values;
    va_start(values, format);
    g_autofree char *text = g_markup_vprintf_escaped(format, values);
    va_end(values);
    g_string_append(page, text);
}

const char *gcl_markup_text(const json_t *object, const char *key) {
    const char *text = json_string_value(json_object_get(object, key));
    return text ? text : "";
}

long long gcl_markup_number(const json_t *object, const char *key) {
    return json_integer_value(json_object_get(object, key));
}

void gcl_markup_place(GString *page, const char *path, long long line) {
    if (line > 0)
        gcl_markup(page, "<span class=place>%s:%lld</span>", path, line);
    else
        gcl_markup(page, "<span class=place>%s</span>", path);
}
