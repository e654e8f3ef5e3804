// The ways to read a file are those of its includers, in their order, and by itself.
#include "lsp/features/report/includer.h"

#include "lsp/base/json.h"
#include "lsp/base/uri.h"

static char *name_of(const char *path) {
    return path ? g_path_get_basename(path) : NULL;
}

// What the server's command takes; the path NULL: the file is read by itself.
static json_t *choice(const struct gcl_view *view, const char *path) {
    g_autofree char *uri = path ? gcl_uri_of(path) : NULL;
    return json_pack("[{s:{s:s}, s:s?}]", "textDocument", "uri", view->uri, "includer", uri);
}

static const char *path_at(const struct gcl_view *view, size_t i) {
    return json_string_value(json_array_get(view->includers, i));
}

// The number of the way that the file is read; behind all includers: by itself.
static size_t current(const struct gcl_view *view) {
    size_t i = 0, count = json_array_size(view->includers);
    while (i < count && g_strcmp0(path_at(view, i), view->includer) != 0)
        i++;
    return i;
}

static char *title_of(const struct gcl_view *view) {
    size_t others = json_array_size(view->includers) - (view->includer != NULL);
    g_autofree char *name = name_of(view->includer), *first = name_of(path_at(view, 0));
    if (!name)
        return g_strdup_printf("read by itself, though %s includes it", first);
    if (gcl_view_is_fragment(view))
        return g_strdup_printf("a part of a block in %s: mistakes show there", name);
    return others > 0 ? g_strdup_printf("read as %s includes it, 1 of %zu", name, others + 1)
                      : g_strdup_printf("read as %s includes it", name);
}

void gcl_includer_add_lens(const struct gcl_view *view, json_t *lenses) {
    size_t count = json_array_size(view->includers);
    if (count == 0)
        return;
    g_autofree char *title = title_of(view);
    size_t next = (current(view) + 1) % (count + 1);
    json_array_append_new(lenses,
                          json_pack("{s:o, s:{s:o, s:s, s:o}}", "range",
                                    gcl_line_table_range(view->text, 0, 0), "command", "title",
                                    gcl_json_text(title), "command", "gcluster.includer",
                                    "arguments", choice(view, path_at(view, next))));
}

void gcl_includer_add_actions(const struct gcl_query *query, json_t *actions) {
    const struct gcl_view *view = query->view;
    size_t count = json_array_size(view->includers), now = current(view);
    uint32_t begin, end, line, character;
    if (!gcl_line_table_range_of(view->text, json_object_get(query->params, "range"), &begin, &end))
        return;
    gcl_line_table_locate(view->text, begin, &line, &character);
    for (size_t i = 0; count > 0 && line == 0 && i <= count; i++) {
        g_autofree char *name = name_of(path_at(view, i));
        g_autofree char *title = name ? g_strdup_printf("read this file as %s includes it", name)
                                      : g_strdup("read this file by itself");
        if (i == now)
            continue;
        json_array_append_new(actions, json_pack("{s:s, s:s, s:{s:s, s:s, s:o}}", "title", title,
                                                 "kind", "source", "command", "title", title,
                                                 "command", "gcluster.includer", "arguments",
                                                 choice(view, path_at(view, i))));
    }
}
