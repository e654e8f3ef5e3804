// gcluster/trace: what a run of the program spent on each launch.
#include "../trace.h"

#include <string.h>

#include "../launches.h"
#include "document.h"
#include "features.h"

static void add_launches(const struct gcl_view *view, const json_t *kernels, json_t *launches) {
    const struct gcl_source *source = gcl_unit_find(view->unit, view->path);
    for (guint i = 0; source && i < source->launches->len; i++) {
        const struct gcl_launch *launch = &g_array_index(source->launches, struct gcl_launch, i);
        json_t *sum = gcl_launches_traced(view, launch, kernels);
        if (!sum)
            continue;
        json_t *position = gcl_lines_position(view->text, launch->kernel.begin);
        json_t *entry = json_copy(sum);
        json_object_set_new(entry, "uri", gcl_json_text(view->uri));
        json_object_set(entry, "line", json_object_get(position, "line"));
        json_array_append_new(launches, entry);
        json_decref(position);
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
        if (gcl_worker_read(query->worker, data))
            add_launches(data, json_object_get(sum, "kernels"), launches);
    }
    json_object_set_new(sum, "launches", launches);
    return json_pack("[o]", sum);
}
