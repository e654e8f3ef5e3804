// What is selected next: from the grammar, and what stands between two brackets.
#include <assert.h>
#include <stdlib.h>

#include "frontend/text/lexer.h"
#include "lsp/features/writing/writing.h"

static const struct gcl_token *token_at(const GArray *tokens, guint i) {
    return &g_array_index(tokens, struct gcl_token, i);
}

static bool is_open(enum gcl_token_kind kind) {
    return kind == GCL_TOKEN_ROUND_OPEN || kind == GCL_TOKEN_SQUARE_OPEN ||
           kind == GCL_TOKEN_CURLY_OPEN || kind == GCL_TOKEN_LAUNCH_OPEN;
}

static bool is_close(enum gcl_token_kind kind) {
    return kind == GCL_TOKEN_ROUND_CLOSE || kind == GCL_TOKEN_SQUARE_CLOSE ||
           kind == GCL_TOKEN_CURLY_CLOSE || kind == GCL_TOKEN_LAUNCH_CLOSE;
}

/// Two brackets that match, as indices of tokens.
struct pair {
    guint open;
    guint close;
};

// Inner ones before outer ones. A bracket without its like is passed over.
static GArray *find_pairs(const GArray *tokens) {
    GArray *pairs = g_array_new(FALSE, FALSE, sizeof(struct pair));
    g_autoptr(GArray) open = g_array_new(FALSE, FALSE, sizeof(guint));
    for (guint i = 0; i < tokens->len; i++) {
        enum gcl_token_kind kind = token_at(tokens, i)->kind;
        if (is_open(kind))
            g_array_append_val(open, i);
        if (!is_close(kind))
            continue;
        while (open->len > 0) {
            guint last = g_array_index(open, guint, open->len - 1);
            g_array_set_size(open, open->len - 1);
            if (token_at(tokens, last)->kind != kind - 1)
                continue;
            struct pair pair = {last, i};
            assert(last < i);
            g_array_append_val(pairs, pair);
            break;
        }
    }
    return pairs;
}

/// Bytes of the text.
struct span {
    uint32_t begin, end;
};

static void add(GArray *spans, uint32_t begin, uint32_t end) {
    struct span span = {begin, end};
    if (begin < end)
        g_array_append_val(spans, span);
}

static void add_pairs(GArray *spans, const GArray *tokens, const GArray *pairs, uint32_t offset) {
    for (guint i = 0; i < pairs->len; i++) {
        struct pair pair = g_array_index(pairs, struct pair, i);
        const struct gcl_token *open = token_at(tokens, pair.open);
        const struct gcl_token *close = token_at(tokens, pair.close);
        if (offset < open->begin || offset > close->end)
            continue;
        if (offset >= open->end && offset <= close->begin)
            add(spans, open->end, close->begin);
        add(spans, open->begin, close->end);
    }
}

// What the grammar makes of the name or sign at a byte, and all around it.
static void add_nodes(GArray *spans, const TSTree *tree, uint32_t begin, uint32_t end) {
    TSNode node = ts_node_descendant_for_byte_range(ts_tree_root_node(tree), begin, end);
    for (; !ts_node_is_null(node); node = ts_node_parent(node))
        add(spans, ts_node_start_byte(node), ts_node_end_byte(node));
}

static int compare(const void *left, const void *right) {
    const struct span *a = left, *b = right;
    uint32_t size = a->end - a->begin, other = b->end - b->begin;
    return size < other ? -1 : size > other;
}

// Ranges around a byte, from the name to the text, each as the parent of the one before.
static json_t *ranges_around(const struct gcl_line_table *text, GArray *spans) {
    json_t *first = NULL, *inner = NULL;
    struct span last = {0};
    g_array_sort(spans, compare);
    for (guint i = 0; i < spans->len; i++) {
        struct span span = g_array_index(spans, struct span, i);
        bool is_wider = span.begin < last.begin || span.end > last.end;
        if (inner && (!is_wider || span.begin > last.begin || span.end < last.end))
            continue;
        assert(!inner || (span.begin <= last.begin && last.end <= span.end));
        json_t *range =
            json_pack("{s:o}", "range", gcl_line_table_range(text, span.begin, span.end));
        if (inner)
            json_object_set_new(inner, "parent", range);
        first = first ? first : range;
        inner = range;
        last = span;
    }
    return first;
}

json_t *gcl_feature_selection(const struct gcl_query *query) {
    const struct gcl_line_table *text = query->view->text;
    json_t *position, *list = json_array();
    size_t size, i;
    const char *data = gcl_line_table_data(text, &size);
    g_autoptr(GArray) tokens = gcl_lexer_read(data, size);
    g_autoptr(GArray) pairs = find_pairs(tokens);
    TSTree *tree = gcl_glance_tree(query->worker->glance, text);
    json_array_foreach(json_object_get(query->params, "positions"), i, position) {
        uint32_t offset = 0, begin, end;
        g_autoptr(GArray) spans = g_array_new(FALSE, FALSE, sizeof(struct span));
        gcl_line_table_offset_of(text, position, &offset);
        gcl_line_table_word(text, offset, &begin, &end);
        add(spans, begin, end);
        add_pairs(spans, tokens, pairs, offset);
        if (tree)
            add_nodes(spans, tree, begin, end);
        add(spans, 0, (uint32_t)size);
        json_t *ranges = ranges_around(text, spans);
        json_array_append_new(
            list, ranges ? ranges : json_pack("{s:o}", "range", gcl_line_table_range(text, 0, 0)));
    }
    return list;
}
