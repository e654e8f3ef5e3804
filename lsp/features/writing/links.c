// The files that a text includes, as links.
#include <string.h>

#include "lsp/base/json.h"
#include "lsp/base/uri.h"
#include "lsp/features/writing/writing.h"
#include "lsp/read/tree.h"

struct list {
    const struct gcl_query *query;
    json_t *links;
};

// The name between quotes or angles that begins at a byte or behind it on the line.
static bool find_name(const struct gcl_line_table *text, uint32_t offset, uint32_t *begin,
                      uint32_t *end) {
    uint32_t line, character, line_begin, line_end;
    const char *data = gcl_line_table_data(text, NULL);
    gcl_line_table_locate(text, offset, &line, &character);
    gcl_line_table_line(text, line, &line_begin, &line_end);
    for (*begin = offset; *begin < line_end && !strchr("<\"", data[*begin]); (*begin)++)
        continue;
    for (*end = ++*begin; *end < line_end && !strchr(">\"", data[*end]); (*end)++)
        continue;
    return *end < line_end;
}

static void see(CXFile file, CXSourceLocation *stack, unsigned depth, CXClientData data) {
    const struct list *list = data;
    uint32_t at, begin, end;
    if (depth != 1 || !gcl_tree_offset(list->query->view, stack[0], &at) ||
        !find_name(list->query->view->text, at, &begin, &end))
        return;
    g_autofree char *path = gcl_tree_path(list->query->view, file);
    g_autofree char *uri = gcl_uri_of(path);
    json_array_append_new(list->links,
                          json_pack("{s:o, s:s, s:o}", "range",
                                    gcl_line_table_range(list->query->view->text, begin, end),
                                    "target", uri, "tooltip", gcl_json_text(path)));
}

json_t *gcl_feature_links(const struct gcl_query *query) {
    struct list list = {query, json_array()};
    clang_getInclusions(gcl_tree_unit(query->view), see, &list);
    return list.links;
}
