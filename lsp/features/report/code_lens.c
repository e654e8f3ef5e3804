// Over every kernel, how it spreads over nodes; on every launch, on how many and what moves.
#include "base/bytes_text.h"
#include "base/names.h"
#include "lsp/base/json.h"
#include "lsp/features/report/includer.h"
#include "lsp/features/report/report.h"
#include "lsp/kernel/fits.h"
#include "lsp/kernel/measure.h"
#include "lsp/kernel/summary.h"
#include "lsp/kernel/traced.h"
#include "lsp/read/tree.h"

enum { BUDGET_US = 4000000, MOST_NODES = 1024 };

static void add_lens(const struct gcl_view *view, json_t *lenses, struct gcl_source_range range,
                     const char *title) {
    json_array_append_new(lenses,
                          json_pack("{s:o, s:{s:o, s:s}}", "range",
                                    gcl_line_table_range(view->text, range.begin, range.end),
                                    "command", "title", gcl_json_text(title), "command", ""));
}

static void add_kernels(const struct gcl_view *view, const struct gcl_unit_file *source,
                        json_t *lenses) {
    for (guint i = 0; i < source->kernels->len; i++) {
        const struct gcl_source_kernel *kernel =
            &g_array_index(source->kernels, struct gcl_source_kernel, i);
        const json_t *found = gcl_kernels_named(view, gcl_name_last(kernel->name));
        g_autofree char *title = found ? gcl_summary_line(found) : NULL;
        if (kernel->is_definition && title)
            add_lens(view, lenses, kernel->range, title);
    }
}

// "halo 1 row of in, out merged": what each node is seen to get from others at every launch.
// "Nothing" is never said: what lies farther away than a block's neighbours isn't seen.
static void append_moves(GString *out, const json_t *kernel) {
    const json_t *argument;
    size_t i;
    bool any = false;
    json_array_foreach((json_t *)json_object_get(kernel, "arguments"), i, argument) {
        const char *name = gcl_json_words(argument, "name");
        g_autofree char *halo = gcl_kernels_halo(kernel, name);
        if (halo)
            g_string_append_printf(out, "%s%s", any ? ", " : " · ", halo);
        any |= halo != NULL;
        const char *combined = gcl_kernels_combined(kernel, name);
        if (combined)
            g_string_append_printf(out, "%s%s %s", any ? ", " : " · ", name, combined);
        any |= combined != NULL;
    }
}

// The cause of most of what moves of an array; NULL if nothing moves.
static const char *main_cause(const json_t *array) {
    const char *cause, *best = NULL;
    json_int_t most = 0;
    json_t *bytes;
    json_object_foreach(json_object_get(array, "causes"), cause, bytes) {
        if (json_integer_value(bytes) <= most)
            continue;
        most = json_integer_value(bytes);
        best = cause;
    }
    return best;
}

// Appends what moves of an array: "halo 1 row of in", "out merged".
static void append_cause(GString *out, const json_t *kernel, const char *name, const char *cause) {
    g_autofree char *halo = gcl_kernels_halo(kernel, name);
    if (strcmp(cause, "halo") == 0 && halo)
        g_string_append(out, halo);
    else if (strcmp(cause, "halo") == 0)
        g_string_append_printf(out, "halo of %s", name);
    else
        g_string_append_printf(out, "%s %s%s", name, cause,
                               g_str_has_suffix(cause, "e") ? "d" : "ed");
}

// "halo 1 row of in, out merged": each array of which something moves.
static char *list_causes(const json_t *spread, const json_t *kernel) {
    GString *out = g_string_new(NULL);
    json_t *array;
    size_t i;
    json_array_foreach(json_object_get(spread, "arrays"), i, array) {
        const char *name = json_string_value(json_object_get(array, "name"));
        const char *cause = main_cause(array);
        if (!cause)
            continue;
        g_string_append(out, out->len ? ", " : "");
        append_cause(out, kernel, name, cause);
    }
    return g_string_free(out, FALSE);
}

static bool stays(const json_t *kernel) {
    return strcmp(json_string_value(json_object_get(kernel, "split")), "none") == 0;
}

static bool is_one_block(const json_t *spread) {
    json_t *size;
    size_t i;
    json_array_foreach(json_object_get(spread, "grid"), i, size) {
        if (json_integer_value(size) > 1)
            return false;
    }
    return true;
}

// Why a launch isn't split.
static void append_why_one(GString *out, const json_t *spread, const json_t *kernel) {
    const json_t *reason = json_array_get(json_object_get(spread, "reasons"), 0);
    if (is_one_block(spread))
        g_string_append(out, " · it is one block");
    else if (reason && !stays(kernel))
        g_string_append_printf(out, " · %s: %s", json_string_value(json_object_get(reason, "code")),
                               json_string_value(json_object_get(reason, "why")));
    else
        gcl_kernels_append_single(out, kernel);
}

// " · needs 4.0 GiB, the device holds 1.0 GiB: about 32 ranges, 3.0 GiB come or go each time"
static void append_fits(GString *out, const struct gcl_query *query, const json_t *spread) {
    struct gcl_fits fits;
    if (!gcl_fits_find(query, spread, &fits))
        return;
    g_string_append_printf(
        out, " · needs %s, the device holds %s: ", gcl_bytes_text((double)fits.needed).text,
        gcl_bytes_text((double)fits.device).text);
    if (is_one_block(spread))
        g_string_append(out, "what is touched comes then, and other memory goes");
    else
        g_string_append_printf(out, "about %" G_GUINT64_FORMAT " ranges, %s come or go each time",
                               fits.ranges,
                               gcl_bytes_text((double)(fits.needed - fits.device)).text);
}

// "4 nodes · 24.0 KiB moved (halo 1 row of in)"
static void append_spread(GString *out, const struct gcl_query *query, const json_t *spread,
                          const struct gcl_measure *m) {
    json_int_t bytes = json_integer_value(json_object_get(spread, "bytes"));
    json_int_t nodes = (json_int_t)json_array_size(json_object_get(spread, "parts"));
    const json_t *split = json_object_get(spread, "split");
    g_autofree char *assumed = gcl_measure_assumed(m, spread);
    g_autofree char *causes = list_causes(spread, m->kernel);
    g_string_append_printf(out, "%" JSON_INTEGER_FORMAT " node%s", nodes, nodes == 1 ? "" : "s");
    if (nodes > 1 && !json_equal(split, json_object_get(m->kernel, "split")))
        g_string_append_printf(out, " along %s", json_string_value(split));
    if (nodes == 1)
        append_why_one(out, spread, m->kernel);
    if (bytes > 0)
        g_string_append_printf(out, " · %s moved (%s)", gcl_bytes_text((double)bytes).text, causes);
    else if (nodes > 1)
        g_string_append(out, " · nothing moves after the first launch");
    append_fits(out, query, spread);
    if (*assumed)
        g_string_append_printf(out, " if %s", assumed);
}

// The line over a launch: what moves, if the source says how the kernel is launched, else what is
// known of all launches of the kernel.
static char *launch_title(const struct gcl_query *query, const struct gcl_source_launch *launch,
                          const json_t *kernel, gint64 *budget) {
    struct gcl_measure *m = gcl_measure_launch(query->view, launch);
    GString *title = g_string_new(NULL);
    g_autofree char *why = NULL;
    json_int_t nodes = gcl_kernels_nodes(query);
    json_t *spread = NULL;
    if (m)
        gcl_measure_read(m);
    if (m && gcl_measure_is_whole(m) && nodes <= MOST_NODES)
        spread = gcl_measure_spread(query->view, m, (uint32_t)nodes, budget, &why);
    if (spread) {
        append_spread(title, query, spread, m);
    } else if (stays(kernel)) {
        g_string_append(title, "1 node");
        gcl_kernels_append_single(title, kernel);
    } else {
        g_string_append_printf(title, "up to %" JSON_INTEGER_FORMAT " nodes", nodes);
        append_moves(title, kernel);
    }
    json_decref(spread);
    gcl_measure_destroy(m);
    return g_string_free(title, FALSE);
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
        g_autofree char *title = kernel ? launch_title(query, launch, kernel, &budget) : NULL;
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
