// gcluster/translated: the host code as it is rewritten. Lines keep their numbers.
#include <string.h>

#include "frontend/text/rewrite.h"
#include "lsp/base/json.h"
#include "lsp/features/report/report.h"

static const char *skip_lines(const char *text, json_int_t count) {
    for (; count > 0 && *text; count--)
        text += strcspn(text, "\n"), text += *text == '\n';
    return text;
}

// The lines of an LSP range, without what they are indented by.
static char *lines_of(const char *text, const json_t *range) {
    const json_t *start = json_object_get(range, "start"), *end = json_object_get(range, "end");
    json_int_t first = json_integer_value(json_object_get(start, "line"));
    json_int_t last = json_integer_value(json_object_get(end, "line"));
    const char *begin = skip_lines(text, first), *behind = skip_lines(begin, last + 1 - first);
    return g_strstrip(g_strndup(begin, (gsize)(behind - begin)));
}

json_t *gcl_feature_translated(const struct gcl_query *query) {
    const struct gcl_view *view = query->view;
    const struct gcl_unit_file *source = gcl_unit_find(view->unit, view->path);
    if (!source || view->unit->has_errors) {
        *query->mistake = g_strdup("clang found errors in this text");
        return NULL;
    }
    g_autoptr(GPtrArray) rewritten = gcl_rewrite(view->unit);
    g_autoptr(GBytes) text = gcl_rewrite_text(source, rewritten);
    gsize size;
    const char *bytes = g_bytes_get_data(text ? text : source->bytes, &size);
    const json_t *range = json_object_get(query->params, "range");
    g_autofree char *copy = g_strndup(bytes, size);
    g_autofree char *lines = range ? lines_of(copy, range) : NULL;
    return json_pack("{s:o}", "text", gcl_json_text(lines ? lines : copy));
}
