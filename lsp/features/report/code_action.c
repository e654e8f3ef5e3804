// What would mend the mistakes at a place: a diagnostic carries its edits, and the editor gives it
// back. Two actions more write down what is known of a kernel, and show what becomes of host code.
#include "lsp/features/report/includer.h"
#include "lsp/features/report/report.h"
#include "lsp/kernel/kernels.h"
#include "lsp/repair/advice.h"
#include "lsp/repair/extract.h"
#include "lsp/repair/extract_function.h"

// Edits of clang, which have no title, are right whatever the text is for; of ours only the user
// knows.
static json_t *make_action(const struct gcl_query *query, json_t *diagnostic, const json_t *data) {
    json_t *edits = json_object_get(data, "edits"), *title = json_object_get(data, "title");
    const char *first = json_string_value(json_object_get(json_array_get(edits, 0), "newText"));
    if (!first)
        return NULL;
    json_t *words = title    ? json_incref(title)
                    : *first ? json_sprintf("change to '%s'", first)
                             : json_string("remove it");
    return json_pack("{s:o, s:s, s:[O], s:b, s:{s:{s:O}}}", "title", words, "kind", "quickfix",
                     "diagnostics", diagnostic, "isPreferred", !title, "edit", "changes",
                     query->view->uri, edits);
}

static void add_mending(const struct gcl_query *query, json_t *diagnostic, json_t *actions) {
    json_t *data;
    size_t i;
    json_array_foreach(json_object_get(diagnostic, "data"), i, data) {
        json_t *action = make_action(query, diagnostic, data);
        if (action)
            json_array_append_new(actions, action);
    }
}

// Widens a range of whole lines to the launches in it. False if nothing there is rewritten.
static bool find_translated(const struct gcl_unit_file *source, uint32_t *begin, uint32_t *end) {
    uint32_t first = *begin, last = *end;
    bool found = false;
    for (guint i = 0; i < source->launches->len; i++) {
        const struct gcl_source_launch *l =
            &g_array_index(source->launches, struct gcl_source_launch, i);
        if (l->keep != GCL_KEEP_NONE || l->kernel.begin > last || l->arguments.end < first)
            continue;
        *begin = MIN(*begin, l->kernel.begin);
        *end = MAX(*end, l->arguments.end);
        found = true;
    }
    for (guint i = 0; i < source->uses->len && !found; i++) {
        const struct gcl_source_use *use = &g_array_index(source->uses, struct gcl_source_use, i);
        found = use->keep == GCL_KEEP_NONE && use->range.begin <= last && use->range.end >= first;
    }
    return found;
}

// Offers to show the rewritten host code if clang has read the text already: editors ask wherever
// the cursor goes.
static void add_translated(const struct gcl_query *query, json_t *actions) {
    static const char title[] = "show what gcluster makes of it";
    const struct gcl_view *view = query->view;
    const struct gcl_unit_file *source =
        view->is_current && view->unit ? gcl_unit_find(view->unit, view->path) : NULL;
    uint32_t begin, end, line, character;
    if (!source || view->unit->has_errors ||
        !gcl_line_table_range_of(view->text, json_object_get(query->params, "range"), &begin, &end))
        return;
    gcl_line_table_locate(view->text, end, &line, &character);
    gcl_line_table_line(view->text, line, &(uint32_t){0}, &end);
    gcl_line_table_locate(view->text, begin, &line, &character);
    gcl_line_table_line(view->text, line, &begin, &(uint32_t){0});
    if (!find_translated(source, &begin, &end))
        return;
    json_array_append_new(actions, json_pack("{s:s, s:s, s:{s:s, s:s, s:[{s:{s:s}, s:o}]}}",
                                             "title", title, "kind", "source", "command", "title",
                                             title, "command", "gcluster.translatedLine",
                                             "arguments", "textDocument", "uri", view->uri, "range",
                                             gcl_line_table_range(view->text, begin, end)));
}

// Adds {title, edits}, which is released, or, for an editor that shows why something isn't offered,
// {title, reason}; NULL adds nothing.
static void add_refactoring(const struct gcl_query *query, const char *kind, json_t *found,
                            json_t *actions) {
    json_t *reason = json_object_get(found, "reason");
    if (reason && query->worker->explains_refusals)
        json_array_append_new(actions, json_pack("{s:O, s:s, s:{s:O}}", "title",
                                                 json_object_get(found, "title"), "kind", kind,
                                                 "disabled", "reason", reason));
    else if (found && !reason)
        json_array_append_new(actions, json_pack("{s:O, s:s, s:{s:{s:O}}}", "title",
                                                 json_object_get(found, "title"), "kind", kind,
                                                 "edit", "changes", query->view->uri,
                                                 json_object_get(found, "edits")));
    json_decref(found);
}

// Offers to write down what is known of the kernel on the line of whose name the selection begins,
// and a variable for the expression, or a function for the statements, that it is.
static void add_refactorings(const struct gcl_query *query, json_t *actions) {
    const struct gcl_view *view = query->view;
    uint32_t begin, end, line, character;
    if (!gcl_line_table_range_of(view->text, json_object_get(query->params, "range"), &begin, &end))
        return;
    gcl_line_table_locate(view->text, begin, &line, &character);
    const json_t *kernel = gcl_kernels_at(view, line);
    if (kernel)
        add_refactoring(query, "refactor.rewrite", gcl_advice_known(view, kernel, line), actions);
    add_refactoring(query, "refactor.extract",
                    gcl_extract_variable(query->worker->glance, view->text, begin, end), actions);
    if (view->is_current && view->unit && !view->unit->has_errors && !view->includer)
        add_refactoring(query, "refactor.extract",
                        gcl_extract_function(query->worker->glance, query->view, begin, end),
                        actions);
}

json_t *gcl_feature_code_action(const struct gcl_query *query) {
    const json_t *context = json_object_get(query->params, "context");
    json_t *diagnostic, *actions = json_array();
    size_t i;
    json_array_foreach(json_object_get(context, "diagnostics"), i, diagnostic)
        add_mending(query, diagnostic, actions);
    add_refactorings(query, actions);
    add_translated(query, actions);
    gcl_includer_add_actions(query, actions);
    return actions;
}
