// What is selected next: from brackets alone.
#include "features.h"
#include "frontend/lexer.h"

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
            g_array_append_val(pairs, pair);
            break;
        }
    }
    return pairs;
}

// Ranges around a byte, from the name to the text, each as the parent of the one before.
static json_t *ranges_around(const struct gcl_lines *text, const GArray *tokens,
                             const GArray *pairs, uint32_t offset) {
    uint32_t begin, end;
    size_t size;
    gcl_lines_data(text, &size);
    g_autoptr(GPtrArray) ranges = g_ptr_array_new();
    gcl_lines_word(text, offset, &begin, &end);
    if (begin < end)
        g_ptr_array_add(ranges, gcl_lines_range(text, begin, end));
    for (guint i = 0; i < pairs->len; i++) {
        struct pair pair = g_array_index(pairs, struct pair, i);
        const struct gcl_token *open = token_at(tokens, pair.open);
        const struct gcl_token *close = token_at(tokens, pair.close);
        if (offset < open->begin || offset > close->end)
            continue;
        if (offset >= open->end && offset <= close->begin && open->end < close->begin)
            g_ptr_array_add(ranges, gcl_lines_range(text, open->end, close->begin));
        g_ptr_array_add(ranges, gcl_lines_range(text, open->begin, close->end));
    }
    g_ptr_array_add(ranges, gcl_lines_range(text, 0, (uint32_t)size));
    json_t *outer = NULL;
    for (guint i = ranges->len; i-- > 0;) {
        json_t *range = json_pack("{s:o}", "range", ranges->pdata[i]);
        if (outer)
            json_object_set_new(range, "parent", outer);
        outer = range;
    }
    return outer;
}

json_t *gcl_feature_selection(const struct gcl_query *query) {
    const struct gcl_lines *text = query->view->text;
    json_t *position, *list = json_array();
    size_t size, i;
    const char *data = gcl_lines_data(text, &size);
    g_autoptr(GArray) tokens = gcl_lex(data, size);
    g_autoptr(GArray) pairs = find_pairs(tokens);
    json_array_foreach(json_object_get(query->params, "positions"), i, position) {
        uint32_t offset = 0;
        gcl_lines_offset_of(text, position, &offset);
        json_array_append_new(list, ranges_around(text, tokens, pairs, offset));
    }
    return list;
}
