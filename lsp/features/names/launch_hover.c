// Sizes are known where the source says them; otherwise the text of the configuration stands for
// itself.
#include "lsp/features/names/launch_hover.h"

#include <string.h>

#include "base/bytes_text.h"
#include "frontend/text/lexer.h"
#include "lsp/base/json.h"
#include "lsp/kernel/launch_line.h"
#include "lsp/kernel/measure.h"

enum { BUDGET_US = 1000000, MOST_NODES = 1024 };

// "16 x 16", without the last sizes that are 1.
static char *size_text(const uint32_t size[3]) {
    if (size[2] > 1)
        return g_strdup_printf("%u x %u x %u", size[0], size[1], size[2]);
    return size[1] > 1 ? g_strdup_printf("%u x %u", size[0], size[1])
                       : g_strdup_printf("%u", size[0]);
}

static uint64_t product(const uint32_t size[3]) {
    return (uint64_t)size[0] * size[1] * size[2];
}

static char *text_of(const struct gcl_view *view, struct gcl_source_range range) {
    return g_strstrip(
        g_strndup(gcl_line_table_data(view->text, NULL) + range.begin, range.end - range.begin));
}

static void append_size(GString *out, const char *what, const char *written, bool is_known,
                        const uint32_t size[3], const char *unit) {
    g_autofree char *text = is_known ? size_text(size) : NULL;
    g_string_append_printf(out, "- %s: `%s`", what, written);
    if (text && strcmp(text, written) != 0)
        g_string_append_printf(out, " is %s", text);
    if (text)
        g_string_append_printf(out, ": %" G_GUINT64_FORMAT " %s%s", product(size), unit,
                               product(size) == 1 ? "" : "s");
    g_string_append_c(out, '\n');
}

static void append_configuration(GString *out, const struct gcl_view *view,
                                 const struct gcl_source_launch *launch,
                                 const struct gcl_measure *m) {
    static const uint32_t none[3];
    bool knows_grid = m && m->knows_grid, knows_block = m && m->knows_block;
    g_autofree char *grid = text_of(view, launch->configuration[0]);
    g_autofree char *block = text_of(view, launch->configuration[1]);
    append_size(out, "grid", grid, knows_grid, m ? m->geometry.grid : none, "block");
    append_size(out, "block", block, knows_block, m ? m->geometry.block : none, "thread");
    if (launch->configuration_count > 2) {
        g_autofree char *shared = text_of(view, launch->configuration[2]);
        g_string_append_printf(out, "- dynamic shared memory: `%s` bytes a block\n", shared);
    } else {
        g_string_append(out, "- dynamic shared memory: none\n");
    }
    if (launch->configuration_count > 3) {
        g_autofree char *stream = text_of(view, launch->configuration[3]);
        g_string_append_printf(out, "- stream: `%s`\n", stream);
    } else {
        g_string_append(out, "- stream: the default stream\n");
    }
    if (knows_grid && knows_block)
        g_string_append_printf(out, "\n%" G_GUINT64_FORMAT " threads\n",
                               product(m->geometry.grid) * product(m->geometry.block));
}

static struct gcl_measure *measure(const struct gcl_view *view,
                                   const struct gcl_source_launch *launch) {
    struct gcl_measure *m = gcl_measure_launch(view, launch);
    if (m)
        gcl_measure_read(m);
    return m;
}

static bool holds(struct gcl_source_range range, uint32_t offset) {
    return range.begin <= offset && offset < range.end;
}

bool gcl_launch_hover_configuration(const struct gcl_query *query, GString *out, uint32_t *begin,
                                    uint32_t *end) {
    struct gcl_view *view = query->view;
    const struct gcl_source_launch *launch =
        view->unit ? gcl_launches_at(view, query->offset) : NULL;
    if (!launch || launch->configuration_count < 2 ||
        (!holds(launch->chevrons, query->offset) && !holds(launch->close, query->offset)))
        return false;
    struct gcl_source_range range =
        holds(launch->close, query->offset) ? launch->close : launch->chevrons;
    struct gcl_measure *m = measure(view, launch);
    gint64 budget = BUDGET_US;
    g_autofree char *name = gcl_launches_name(view, launch);
    const json_t *kernel = gcl_launches_kernel(view, launch);
    g_autofree char *line = kernel ? gcl_launch_line(query, launch, kernel, &budget) : NULL;
    g_string_append_printf(out, "A launch of `%s`\n\n", name);
    if (line)
        g_string_append_printf(out, "%s\n\n", line);
    append_configuration(out, view, launch, m);
    for (guint i = 0; m && i < m->assumed->len; i++)
        g_string_append_printf(out, "%s%s", i ? ", " : "\nif ", (char *)m->assumed->pdata[i]);
    gcl_measure_destroy(m);
    *begin = range.begin;
    *end = range.end;
    return true;
}

// The number of the argument around a byte of a launch's arguments.
static uint32_t argument_at(const struct gcl_view *view, struct gcl_source_range arguments,
                            uint32_t offset) {
    const char *text = gcl_line_table_data(view->text, NULL) + arguments.begin;
    g_autoptr(GArray) tokens = gcl_lexer_read(text, arguments.end - arguments.begin);
    uint32_t number = 0;
    int depth = 0;
    for (guint i = 0; i < tokens->len; i++) {
        const struct gcl_token *token = &g_array_index(tokens, struct gcl_token, i);
        if (arguments.begin + token->begin >= offset)
            break;
        bool opens = token->kind == GCL_TOKEN_ROUND_OPEN || token->kind == GCL_TOKEN_SQUARE_OPEN ||
                     token->kind == GCL_TOKEN_CURLY_OPEN;
        bool closes = token->kind == GCL_TOKEN_ROUND_CLOSE ||
                      token->kind == GCL_TOKEN_SQUARE_CLOSE || token->kind == GCL_TOKEN_CURLY_CLOSE;
        depth += opens - closes;
        number += token->kind == GCL_TOKEN_COMMA && depth == 0;
    }
    return number;
}

// What of an array comes to nodes at each launch, and why; nothing if that isn't known.
static void append_moved(GString *out, const json_t *spread, const char *name) {
    json_t *array, *node, *bytes;
    const char *cause;
    size_t i, n;
    json_array_foreach(json_object_get(spread, "arrays"), i, array) {
        json_int_t received = 0;
        if (g_strcmp0(json_string_value(json_object_get(array, "name")), name) != 0)
            continue;
        json_array_foreach(json_object_get(array, "nodes"), n, node) received +=
            json_integer_value(json_object_get(node, "received"));
        g_string_append_printf(out, "\nOn %" JSON_INTEGER_FORMAT " nodes: %s of it move",
                               json_integer_value(json_object_get(spread, "nodes")),
                               received ? gcl_bytes_text((double)received).text : "no bytes");
        g_string_append(out, received ? " at each launch (" : " after the first launch");
        bool any = false;
        json_object_foreach(json_object_get(array, "causes"), cause, bytes) {
            if (received && json_integer_value(bytes) > 0)
                g_string_append_printf(out, "%s%s", any ? ", " : "", cause);
            any |= json_integer_value(bytes) > 0;
        }
        g_string_append(out, received ? ").\n" : ".\n");
    }
}

static void append_use(GString *out, const struct gcl_measure *m, const char *name) {
    g_autofree char *text = gcl_kernels_argument(m->kernel, name);
    if (text)
        g_string_append_printf(out, "\n---\n`%s` of `%s`\n\n%s\n", name,
                               gcl_json_words(m->kernel, "name"), text);
}

static void append_movement(const struct gcl_query *query, GString *out, struct gcl_measure *m,
                            const char *name) {
    g_autofree char *why = NULL;
    json_int_t nodes = gcl_kernels_nodes(query);
    gint64 budget = BUDGET_US;
    json_t *spread = gcl_measure_is_whole(m) && nodes <= MOST_NODES
                         ? gcl_measure_spread(query->view, m, (uint32_t)nodes, &budget, &why)
                         : NULL;
    append_moved(out, spread, name);
    json_decref(spread);
}

void gcl_launch_hover_argument(const struct gcl_query *query, GString *out) {
    struct gcl_view *view = query->view;
    const struct gcl_source_launch *launch =
        view->unit ? gcl_launches_at(view, query->offset) : NULL;
    if (!launch || query->offset < launch->arguments.begin ||
        query->offset >= launch->arguments.end)
        return;
    struct gcl_measure *m = measure(view, launch);
    uint32_t number = argument_at(view, launch->arguments, query->offset);
    const GArray *parameters = m ? m->function.parameters : NULL;
    bool is_first = true; // which a structure is; its members have been said with it
    for (guint i = 0; parameters && i < parameters->len; i++) {
        const struct gcl_source_parameter *p =
            &g_array_index(parameters, struct gcl_source_parameter, i);
        if (p->index != number)
            continue;
        if (is_first)
            append_use(out, m, p->name);
        is_first = false;
        append_movement(query, out, m, p->name);
    }
    gcl_measure_destroy(m);
}
