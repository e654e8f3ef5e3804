#include "translate/page/markup.h"

#include <stdarg.h>

void gcl_markup(GString *page, const char *format, ...) {
    va_list values;
    va_start(values, format);
    g_autofree char *text = g_markup_vprintf_escaped(format, values);
    va_end(values);
    g_string_append(page, text);
}

void gcl_markup_place(GString *page, const char *path, long long line) {
    if (line > 0)
        gcl_markup(page, "<span class=place>%s:%lld</span>", path, line);
    else
        gcl_markup(page, "<span class=place>%s</span>", path);
}
