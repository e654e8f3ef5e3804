// gcluster/translated: the host code as it is rewritten.
#include "features.h"
#include "frontend/rewrite.h"

json_t *gcl_feature_translated(const struct gcl_query *query) {
    const struct gcl_view *view = query->view;
    const struct gcl_source *source = gcl_unit_find(view->unit, view->path);
    if (!source || view->unit->has_errors) {
        *query->mistake = g_strdup("clang found errors in this text");
        return NULL;
    }
    g_autoptr(GPtrArray) rewritten = gcl_rewrite(view->unit);
    g_autoptr(GBytes) text = gcl_rewrite_text(source, rewritten);
    gsize size;
    const char *bytes = g_bytes_get_data(text ? text : source->bytes, &size);
    g_autofree char *copy = g_strndup(bytes, size);
    return json_pack("{s:o}", "text", gcl_json_text(copy));
}
