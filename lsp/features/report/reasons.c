// A reason is shown where it stands if the analysed text has that line still; edits that answer it
// come from repair/advice.h and travel as the diagnostic's data, which code_action.c reads.
#include "lsp/features/report/reasons.h"

#include <stdlib.h>

#include "gcluster/reasons.h"
#include "lsp/base/json.h"
#include "lsp/kernel/kernels.h"
#include "lsp/repair/advice.h"

// What keeps a kernel on one node is worth a warning, unless one block is all there is; copies and
// looking up are only to be known.
static int severity_of(unsigned code) {
    if (code < GCL_REASON_NO_BLOCKS)
        return 2;
    switch (code) {
    case GCL_REASON_NO_BLOCKS:
    case GCL_REASON_DATA_GUARD:
    case GCL_REASON_REPLICATED:
    case GCL_REASON_PARTS:
    case GCL_REASON_DECLARED:
    case GCL_REASON_TEXTURE:
    case GCL_REASON_INSPECTED:
        return 4;
    default:
        return 3;
    }
}

// What a reason stands at: the name or bracket there, or the whole line.
static json_t *reason_range(const struct gcl_view *view, uint32_t line, json_int_t column) {
    uint32_t begin, end, word_begin, word_end;
    gcl_line_table_line(view->text, line, &begin, &end);
    if (column <= 1) {
        const char *text = gcl_line_table_data(view->text, NULL);
        while (begin < end && g_ascii_isspace(text[begin]))
            begin++;
        return gcl_line_table_range(view->text, begin, end);
    }
    uint32_t at = MIN(begin + (uint32_t)column - 1, end);
    gcl_line_table_word(view->text, at, &word_begin, &word_end);
    return gcl_line_table_range(view->text, at, MAX(word_end, MIN(at + 1, end)));
}

static json_t *kernel_note(const struct gcl_view *view, const json_t *kernel) {
    uint32_t line;
    if (!gcl_kernels_line(view, kernel, &line))
        return json_array();
    return json_pack("[{s:{s:s, s:o}, s:o}]", "location", "uri", view->uri, "range",
                     reason_range(view, line, 0), "message",
                     json_sprintf("in kernel %s", gcl_json_words(kernel, "name")));
}

// Adds the edits that the reason's advice comes to, if there are any.
static void add_advice(json_t *diagnostic, const struct gcl_query *query, const json_t *kernel,
                       const json_t *reason, json_t *range) {
    const struct gcl_view *view = query->view;
    uint32_t line, begin, end;
    if (!gcl_kernels_line(view, kernel, &line) ||
        !gcl_line_table_range_of(view->text, range, &begin, &end))
        return;
    json_t *advice = gcl_advice_list(view, kernel, reason, line, begin, query->worker->glance);
    if (json_array_size(advice) > 0)
        json_object_set(diagnostic, "data", advice);
    json_decref(advice);
}

static json_t *describe(const struct gcl_query *query, const json_t *kernel, const json_t *reason) {
    const json_t *place = json_object_get(reason, "place");
    const char *argument = gcl_json_words(reason, "argument");
    unsigned number = gcl_kernels_code(reason);
    uint32_t line;
    if (!gcl_kernels_follow(query->view, gcl_json_words(place, "file"),
                            json_integer_value(json_object_get(place, "line")), &line))
        return NULL;
    json_t *range =
        reason_range(query->view, line, json_integer_value(json_object_get(place, "column")));
    json_t *out =
        json_pack("{s:o, s:i, s:s, s:s, s:{s:o}, s:o, s:o}", "range", range, "severity",
                  severity_of(number), "source", "gcluster", "code", gcl_json_words(reason, "code"),
                  "codeDescription", "href", gcl_kernels_page(query, number), "message",
                  json_sprintf("%s%s%s, because %s\n%s", argument, *argument ? ": " : "",
                               gcl_json_words(reason, "what"), gcl_json_words(reason, "why"),
                               gcl_json_words(reason, "advice")),
                  "relatedInformation", kernel_note(query->view, kernel));
    add_advice(out, query, kernel, reason, range);
    return out;
}

// False if another instance of a template has said the same, as what has been told says.
static bool is_news(GHashTable *told, const json_t *diagnostic) {
    char *range = json_dumps(json_object_get(diagnostic, "range"), JSON_COMPACT);
    char *both = g_strconcat(range, gcl_json_words(diagnostic, "message"), NULL);
    free(range);
    return g_hash_table_add(told, both);
}

static void add_listed(const struct gcl_query *query, const json_t *kernel, const char *which,
                       GHashTable *told, json_t *diagnostics) {
    json_t *reason;
    size_t i;
    json_array_foreach(json_object_get(kernel, which), i, reason) {
        json_t *diagnostic = describe(query, kernel, reason);
        if (diagnostic && is_news(told, diagnostic))
            json_array_append(diagnostics, diagnostic);
        json_decref(diagnostic);
    }
}

void gcl_reasons_add(const struct gcl_query *query, json_t *diagnostics) {
    g_autoptr(GHashTable) told = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    json_t *kernel;
    size_t i;
    json_array_foreach(query->view->kernels, i, kernel) {
        add_listed(query, kernel, "reasons", told, diagnostics);
        add_listed(query, kernel, "order", told, diagnostics);
    }
}
