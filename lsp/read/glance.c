// The queries are those that editors have (grammar/queries), made into strings when this is built.
// The last text's tree is kept, so that the next one is parsed only where it differs.
#include "lsp/read/glance.h"

#include <assert.h>
#include <string.h>

#include "lsp/base/colours.h"
#include "lsp/read/node.h"
#include "lsp/read/outline.h"
#include "queries.inc"

struct gcl_glance {
    TSParser *parser;
    TSTree *tree;  // of `bytes`; NULL: none yet
    GBytes *bytes; // the text that was parsed last
    TSQueryCursor *cursor;
    TSQuery *folds, *highlights;
    enum gcl_colour_type *types; // of the captures of `highlights`
};

static TSQuery *create_query(const struct gcl_glance *glance, const char *source) {
    uint32_t offset;
    TSQueryError error;
    TSQuery *query = ts_query_new(ts_parser_language(glance->parser), source,
                                  (uint32_t)strlen(source), &offset, &error);
    g_assert(query); // both are ours; the grammar's tests try them
    return query;
}

// What a capture's name makes of a name in the text.
static enum gcl_colour_type type_of_capture(const char *name) {
    static const struct {
        const char *name;
        enum gcl_colour_type type;
    } rows[] = {
        {"attribute", GCL_COLOUR_MACRO},
        {"constant.macro", GCL_COLOUR_MACRO},
        {"constructor", GCL_COLOUR_METHOD},
        {"function", GCL_COLOUR_FUNCTION},
        {"function.call", GCL_COLOUR_FUNCTION},
        {"function.kernel", GCL_COLOUR_FUNCTION},
        {"function.macro", GCL_COLOUR_MACRO},
        {"function.method.call", GCL_COLOUR_METHOD},
        {"module", GCL_COLOUR_NAMESPACE},
        {"property", GCL_COLOUR_PROPERTY},
        {"type", GCL_COLOUR_TYPE},
        {"variable", GCL_COLOUR_VARIABLE},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(rows); i++) {
        if (strcmp(rows[i].name, name) == 0)
            return rows[i].type;
    }
    return GCL_COLOUR_NONE;
}

// Patterns with conditions guess from the spelling; clang's colours don't.
static void create_highlights(struct gcl_glance *glance) {
    uint32_t count, length;
    glance->highlights = create_query(glance, highlights_source);
    for (uint32_t i = 0; i < ts_query_pattern_count(glance->highlights); i++) {
        ts_query_predicates_for_pattern(glance->highlights, i, &count);
        if (count > 0)
            ts_query_disable_pattern(glance->highlights, i);
    }
    count = ts_query_capture_count(glance->highlights);
    glance->types = g_new(enum gcl_colour_type, count);
    for (uint32_t i = 0; i < count; i++)
        glance->types[i] =
            type_of_capture(ts_query_capture_name_for_id(glance->highlights, i, &length));
}

struct gcl_glance *gcl_glance_create(void) {
    struct gcl_glance *glance = g_new0(struct gcl_glance, 1);
    glance->parser = gcl_node_parser();
    glance->cursor = ts_query_cursor_new();
    return glance;
}

static void forget_tree(struct gcl_glance *glance) {
    if (glance->tree)
        ts_tree_delete(glance->tree);
    g_clear_pointer(&glance->bytes, g_bytes_unref);
    glance->tree = NULL;
}

void gcl_glance_destroy(struct gcl_glance *glance) {
    if (!glance)
        return;
    if (glance->folds)
        ts_query_delete(glance->folds);
    if (glance->highlights)
        ts_query_delete(glance->highlights);
    forget_tree(glance);
    ts_query_cursor_delete(glance->cursor);
    ts_parser_delete(glance->parser);
    g_free(glance->types);
    g_free(glance);
}

static TSPoint point_at(const char *data, size_t offset) {
    TSPoint point = {0, 0};
    for (size_t i = 0; i < offset; i++) {
        bool ends = data[i] == '\n';
        point.row += ends;
        point.column = ends ? 0 : point.column + 1;
    }
    return point;
}

// Tells the old tree where the new text differs: from the first byte that does to the last.
static void edit(struct gcl_glance *glance, const char *data, size_t size) {
    gsize old_size;
    const char *old = g_bytes_get_data(glance->bytes, &old_size);
    size_t common = MIN(old_size, size), before = 0, behind = 0;
    while (before < common && old[before] == data[before])
        before++;
    while (behind < common - before && old[old_size - 1 - behind] == data[size - 1 - behind])
        behind++;
    assert(before + behind <= common);
    TSInputEdit change = {
        (uint32_t)before,       (uint32_t)(old_size - behind),    (uint32_t)(size - behind),
        point_at(data, before), point_at(old, old_size - behind), point_at(data, size - behind)};
    ts_tree_edit(glance->tree, &change);
}

TSTree *gcl_glance_tree(struct gcl_glance *glance, const struct gcl_line_table *text) {
    size_t size;
    const char *data = gcl_line_table_data(text, &size);
    assert(!glance->tree == !glance->bytes);
    if (glance->tree && glance->bytes == text->bytes)
        return glance->tree;
    if (glance->tree)
        edit(glance, data, size);
    TSTree *tree = ts_parser_parse_string(glance->parser, glance->tree, data, (uint32_t)size);
    forget_tree(glance);
    if (!tree) {
        ts_parser_reset(glance->parser); // or it would go on with this text
        return NULL;
    }
    glance->tree = tree;
    glance->bytes = g_bytes_ref(text->bytes);
    return tree;
}

json_t *gcl_glance_symbols(struct gcl_glance *glance, const struct gcl_line_table *text) {
    TSTree *tree = gcl_glance_tree(glance, text);
    return tree ? gcl_outline_create(text, tree) : NULL;
}

// Folds.

static void add_fold(json_t *folds, uint32_t first, uint32_t last, const char *kind) {
    if (first >= last)
        return;
    json_t *fold = json_pack("{s:i, s:i}", "startLine", (int)first, "endLine", (int)last);
    if (kind)
        json_object_set_new(fold, "kind", json_string(kind));
    json_array_append_new(folds, fold);
}

static uint32_t line_of(const struct gcl_line_table *text, uint32_t offset) {
    uint32_t line, character;
    gcl_line_table_locate(text, offset, &line, &character);
    return line;
}

static bool line_begins(const struct gcl_line_table *text, uint32_t line, const char *with) {
    uint32_t begin, end;
    gcl_line_table_line(text, line, &begin, &end);
    const char *data = gcl_line_table_data(text, NULL);
    while (begin < end && (data[begin] == ' ' || data[begin] == '\t'))
        begin++;
    return end - begin >= strlen(with) && memcmp(data + begin, with, strlen(with)) == 0;
}

// Lines that begin alike, one after the other.
static void add_runs(const struct gcl_line_table *text, const char *with, const char *kind,
                     json_t *folds) {
    uint32_t first = 0, count = text->begins->len;
    for (uint32_t line = 0; line <= count; line++) {
        if (line < count && line_begins(text, line, with))
            continue;
        if (line > first)
            add_fold(folds, first, line - 1, kind);
        first = line + 1;
    }
}

static bool closes(const struct gcl_line_table *text, uint32_t line) {
    return line_begins(text, line, "}") || line_begins(text, line, ")") ||
           line_begins(text, line, "#endif");
}

// The last line that is folded away: what closes a bracket stays to be seen, and so does the next
// branch of an #if.
static uint32_t last_line(const struct gcl_line_table *text, TSNode node) {
    const char *data = gcl_line_table_data(text, NULL);
    uint32_t begin = ts_node_start_byte(node), end = ts_node_end_byte(node);
    TSNode next = gcl_node_field(node, "alternative");
    if (!ts_node_is_null(next))
        end = ts_node_start_byte(next);
    while (end > begin && g_ascii_isspace(data[end - 1]))
        end--;
    uint32_t line = line_of(text, end);
    return line > 0 && closes(text, line) ? line - 1 : line;
}

json_t *gcl_glance_folds(struct gcl_glance *glance, const struct gcl_line_table *text) {
    TSTree *tree = gcl_glance_tree(glance, text);
    TSQueryMatch match;
    uint32_t index;
    if (!tree)
        return NULL;
    if (!glance->folds)
        glance->folds = create_query(glance, folds_source);
    json_t *folds = json_array();
    ts_query_cursor_exec(glance->cursor, glance->folds, ts_tree_root_node(tree));
    while (ts_query_cursor_next_capture(glance->cursor, &match, &index)) {
        TSNode node = match.captures[index].node;
        bool is_comment = gcl_node_is(node, "comment");
        add_fold(folds, line_of(text, ts_node_start_byte(node)), last_line(text, node),
                 is_comment ? "comment" : NULL);
    }
    add_runs(text, "//", "comment", folds);
    add_runs(text, "#include", "imports", folds);
    return folds;
}

// Colours.

// In order of their places; of a name's captures the last counts, as in editors.
static GArray *find_colours(struct gcl_glance *glance, TSTree *tree, uint32_t begin, uint32_t end) {
    GArray *colours = g_array_new(FALSE, FALSE, sizeof(struct gcl_colour));
    TSQueryMatch match;
    uint32_t index;
    ts_query_cursor_set_byte_range(glance->cursor, begin, end);
    ts_query_cursor_exec(glance->cursor, glance->highlights, ts_tree_root_node(tree));
    while (ts_query_cursor_next_capture(glance->cursor, &match, &index)) {
        TSNode node = match.captures[index].node;
        enum gcl_colour_type type = glance->types[match.captures[index].index];
        struct gcl_colour colour = {ts_node_start_byte(node), ts_node_end_byte(node), type, 0};
        bool is_name = type != GCL_COLOUR_NONE && ts_node_child_count(node) == 0;
        if (!is_name || colour.begin < begin || colour.end > end || colour.begin == colour.end)
            continue;
        guint count = colours->len;
        if (count > 0 && g_array_index(colours, struct gcl_colour, count - 1).begin == colour.begin)
            g_array_set_size(colours, count - 1);
        assert(colours->len == 0 ||
               g_array_index(colours, struct gcl_colour, colours->len - 1).begin < colour.begin);
        g_array_append_val(colours, colour);
    }
    ts_query_cursor_set_byte_range(glance->cursor, 0, UINT32_MAX);
    return colours;
}

json_t *gcl_glance_colours(struct gcl_glance *glance, const struct gcl_line_table *text,
                           uint32_t begin, uint32_t end) {
    TSTree *tree = gcl_glance_tree(glance, text);
    struct gcl_colours_place last = {0};
    if (!tree)
        return NULL;
    if (!glance->highlights)
        create_highlights(glance);
    g_autoptr(GArray) colours = find_colours(glance, tree, begin, end);
    json_t *data = json_array();
    for (guint i = 0; i < colours->len; i++)
        gcl_colours_append(data, text, &last, &g_array_index(colours, struct gcl_colour, i));
    return json_pack("{s:o}", "data", data);
}
