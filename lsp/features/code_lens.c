// Over every kernel, how it spreads over nodes; on every launch, on how many and what moves.
#include "../launches.h"
#include "../tree.h"
#include "features.h"

static void add_lens(const struct gcl_view *view, json_t *lenses, struct gcl_range range,
                     const char *title) {
    json_array_append_new(lenses,
                          json_pack("{s:o, s:{s:o, s:s}}", "range",
                                    gcl_lines_range(view->text, range.begin, range.end), "command",
                                    "title", gcl_json_text(title), "command", ""));
}

static void add_kernels(const struct gcl_view *view, const struct gcl_source *source,
                        json_t *lenses) {
    for (guint i = 0; i < source->kernels->len; i++) {
        const struct gcl_kernel *kernel = &g_array_index(source->kernels, struct gcl_kernel, i);
        const char *last = g_strrstr(kernel->name, "::");
        const json_t *found = gcl_kernels_named(view, last ? last + 2 : kernel->name);
        g_autofree char *title = found ? gcl_kernels_summary(found) : NULL;
        if (kernel->is_definition && title)
            add_lens(view, lenses, kernel->range, title);
    }
}

static json_int_t node_count(const struct gcl_query *query) {
    json_int_t count = json_integer_value(json_object_get(query->worker->settings, "nodes"));
    return count > 0 ? count : 4;
}

// "halo 1 row of in": what each node gets from its neighbours at every launch.
static void append_moves(GString *out, const json_t *kernel) {
    const json_t *argument;
    size_t i;
    bool any = false;
    json_array_foreach((json_t *)json_object_get(kernel, "arguments"), i, argument) {
        const json_t *halo = json_object_get(argument, "halo");
        json_int_t before = json_integer_value(json_array_get(halo, 0));
        json_int_t behind = json_integer_value(json_array_get(halo, 1));
        if (before + behind == 0)
            continue;
        g_string_append_printf(out, "%s%" JSON_INTEGER_FORMAT " of %s", any ? ", " : " · halo ",
                               before + behind,
                               json_string_value(json_object_get(argument, "name")));
        any = true;
    }
    if (!any)
        g_string_append(out, " · nothing from neighbours");
}

static void add_launches(const struct gcl_query *query, const struct gcl_source *source,
                         json_t *lenses) {
    for (guint i = 0; i < source->launches->len; i++) {
        const struct gcl_launch *launch = &g_array_index(source->launches, struct gcl_launch, i);
        const json_t *kernel = gcl_launches_kernel(query->view, launch);
        const char *split = json_string_value(json_object_get(kernel, "split"));
        g_autoptr(GString) title = g_string_new(NULL);
        if (!split)
            continue;
        if (strcmp(split, "none") == 0) {
            g_string_append(title, "1 node");
        } else {
            g_string_append_printf(title, "%" JSON_INTEGER_FORMAT " nodes", node_count(query));
            append_moves(title, kernel);
        }
        add_lens(query->view, lenses, launch->kernel, title->str);
    }
}

json_t *gcl_feature_code_lens(const struct gcl_query *query) {
    const struct gcl_view *view = query->view;
    const struct gcl_source *source = gcl_unit_find(view->unit, view->path);
    json_t *lenses = json_array();
    if (source && view->kernels) {
        add_kernels(view, source, lenses);
        add_launches(query, source, lenses);
    }
    return lenses;
}
