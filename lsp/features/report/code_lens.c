// Over every kernel, how it spreads over nodes; on every launch, on how many and what moves.
#include <string.h>

#include "base/bytes_text.h"
#include "base/names.h"
#include "lsp/base/json.h"
#include "lsp/features/report/includer.h"
#include "lsp/features/report/report.h"
#include "lsp/kernel/launch_line.h"
#include "lsp/kernel/summary.h"
#include "lsp/kernel/traced.h"
#include "lsp/read/tree.h"

enum { BUDGET_US = 4000000 };

static void add_lens(const struct gcl_view *view, json_t *lenses, struct gcl_source_range range,
                     const char *title) {
    json_array_append_new(lenses,
                          json_pack("{s:o, s:{s:o, s:s}}", "range",
                                    gcl_line_table_range(view->text, range.begin, range.end),
                                    "command", "title", gcl_json_text(title), "command", ""));
}

// Of a template, the first instance's line, and whether others have another one; NULL: nothing is
// known.
static char *kernel_title(const struct gcl_view *view, const char *name) {
    char *title = NULL;
    json_t *kernel;
    size_t i;
    json_array_foreach(view->kernels, i, kernel) {
        g_autofree char *line =
            gcl_kernels_is_named(kernel, name) ? gcl_summary_line(kernel) : NULL;
        if (!line)
            continue;
        if (title && strcmp(title, line) != 0) {
            char *whole = g_strdup_printf("%s · differs by instance", title);
            g_free(title);
            return whole;
        }
        if (!title)
            title = g_steal_pointer(&line);
    }
    return title;
}

static void add_kernels(const struct gcl_view *view, const struct gcl_unit_file *source,
                        json_t *lenses) {
    for (guint i = 0; i < source->kernels->len; i++) {
        const struct gcl_source_kernel *kernel =
            &g_array_index(source->kernels, struct gcl_source_kernel, i);
        g_autofree char *title =
            kernel->is_definition ? kernel_title(view, gcl_name_last(kernel->name)) : NULL;
        if (title)
            add_lens(view, lenses, kernel->range, title);
    }
}

// "1.5 ms"
static void append_time(GString *out, double ns) {
    static const char *const units[] = {"ns", "us", "ms", "s"};
    size_t unit = 0;
    for (; ns >= 1000 && unit + 1 < G_N_ELEMENTS(units); unit++)
        ns /= 1000;
    g_string_append_printf(out, "%.*f %s", unit > 0, ns, units[unit]);
}

// " · 1.2 GiB came to devices (4.0 MiB as touched) that lacked 300.0 MiB": because more was
// allocated than they hold.
static void append_memory(GString *out, const json_t *sum) {
    double came = json_number_value(json_object_get(sum, "came"));
    double touched = json_number_value(json_object_get(sum, "touched"));
    if (came + touched == 0)
        return;
    g_string_append_printf(out, " · %s came to devices", gcl_bytes_text(came + touched).text);
    if (touched > 0)
        g_string_append_printf(out, " (%s as touched)", gcl_bytes_text(touched).text);
    g_string_append_printf(out, " that lacked %s",
                           gcl_bytes_text(json_number_value(json_object_get(sum, "lack"))).text);
}

// "ran 20 times · 3.4 ms (0.5 %) · 227.1 KiB moved": what a run spent there.
static void add_traced(const struct gcl_view *view, const struct gcl_traced *traced,
                       json_t *lenses) {
    const json_t *sum = traced->sum;
    g_autoptr(GString) title = g_string_new(NULL);
    json_int_t count = json_integer_value(json_object_get(sum, "launches"));
    if (count == 1)
        g_string_append(title, "ran once · ");
    else
        g_string_append_printf(title, "ran %" JSON_INTEGER_FORMAT " times · ", count);
    append_time(title, (double)json_integer_value(json_object_get(sum, "time_ns")));
    g_string_append_printf(title, " (%.1f %%) · ",
                           100 * json_real_value(json_object_get(sum, "share")));
    g_string_append_printf(title, "%s moved",
                           gcl_bytes_text(json_number_value(json_object_get(sum, "bytes"))).text);
    append_memory(title, sum);
    if (traced->by == GCL_TRACED_BY_ORDER)
        g_string_append(title, " · if launches are in the order of the run, lines have changed");
    else if (traced->by == GCL_TRACED_BY_NAME)
        g_string_append(title, " · all launches of it");
    add_lens(view, lenses, traced->range, title->str);
}

static void add_run(const struct gcl_query *query, json_t *lenses) {
    g_autoptr(GArray) found = gcl_traced_find(query->view, query->worker->trace);
    for (guint i = 0; i < found->len; i++)
        add_traced(query->view, &g_array_index(found, struct gcl_traced, i), lenses);
}

static void add_launches(const struct gcl_query *query, const struct gcl_unit_file *source,
                         json_t *lenses) {
    gint64 budget = BUDGET_US; // for all of them
    for (guint i = 0; i < source->launches->len; i++) {
        const struct gcl_source_launch *launch =
            &g_array_index(source->launches, struct gcl_source_launch, i);
        const json_t *kernel = gcl_launches_kernel(query->view, launch);
        g_autofree char *title = kernel ? gcl_launch_line(query, launch, kernel, &budget) : NULL;
        if (title)
            add_lens(query->view, lenses, launch->kernel, title);
    }
}

json_t *gcl_feature_code_lens(const struct gcl_query *query) {
    const struct gcl_view *view = query->view;
    const struct gcl_unit_file *source = gcl_unit_find(view->unit, view->path);
    json_t *lenses = json_array();
    gcl_includer_add_lens(view, lenses);
    if (source && !json_is_false(json_object_get(query->worker->settings, "lenses"))) {
        add_kernels(view, source, lenses);
        add_launches(query, source, lenses);
        add_run(query, lenses);
    }
    return lenses;
}
