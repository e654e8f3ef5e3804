// gcluster/trace: what a run of the program spent on each launch.
#include "lsp/kernel/trace.h"
#include "lsp/base/json.h"
#include "lsp/features/report/report.h"
#include "lsp/kernel/traced.h"

static void add_launches(const struct gcl_view *view, const json_t *kernels, json_t *launches) {
    g_autoptr(GArray) found = gcl_traced_find(view, kernels);
    for (guint i = 0; i < found->len; i++) {
        const struct gcl_traced *traced = &g_array_index(found, struct gcl_traced, i);
        uint32_t line, character;
        gcl_line_table_locate(view->text, traced->range.begin, &line, &character);
        json_t *entry = json_copy(traced->sum);
        json_object_del(entry, "file");
        json_object_del(entry, "places");
        json_object_set_new(entry, "uri", gcl_json_text(view->uri));
        json_object_set_new(entry, "line", json_integer(line));
        json_object_set_new(entry, "by", json_string(gcl_traced_by_name(traced->by)));
        json_array_append_new(launches, entry);
    }
}

json_t *gcl_feature_trace(const struct gcl_query *query) {
    const char *path = json_string_value(json_object_get(query->params, "path"));
    g_autofree char *why = NULL;
    json_t *sum = gcl_trace_sum_up(path, &why);
    if (!sum)
        return json_pack("[{s:o}]", "mistake", gcl_json_text(why));
    json_t *launches = json_array();
    GHashTableIter iterator;
    void *data;
    g_hash_table_iter_init(&iterator, query->worker->views);
    while (g_hash_table_iter_next(&iterator, NULL, &data)) {
        if (gcl_view_read(query->worker, data))
            add_launches(data, json_object_get(sum, "kernels"), launches);
    }
    json_object_set_new(sum, "launches", launches);
    return json_pack("[o]", sum);
}
