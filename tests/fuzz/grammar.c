// Any bytes parse, and after an edit the tree is the one that parsing anew makes, if that has no
// errors: where there are some, what was read before may show where to mend them.
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <glib.h>
#include <tree_sitter/api.h>

const TSLanguage *tree_sitter_cuda(void);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool holds) {
    if (!holds)
        abort();
}

static TSPoint point_at(const GByteArray *text, uint32_t offset) {
    TSPoint point = {0};
    for (uint32_t i = 0; i < offset; i++) {
        point.column++;
        if (text->data[i] == '\n')
            point = (TSPoint){.row = point.row + 1};
    }
    return point;
}

static TSTree *parse(TSParser *parser, const TSTree *old, const GByteArray *text) {
    TSTree *tree =
        ts_parser_parse_string(parser, old, text->len ? (const char *)text->data : "", text->len);
    require(ts_node_end_byte(ts_tree_root_node(tree)) <= text->len);
    return tree;
}

// Takes bytes [begin, end) away.
static void cut(TSTree *tree, GByteArray *text, uint32_t begin, uint32_t end) {
    const TSInputEdit edit = {
        .start_byte = begin,
        .old_end_byte = end,
        .new_end_byte = begin,
        .start_point = point_at(text, begin),
        .old_end_point = point_at(text, end),
        .new_end_point = point_at(text, begin),
    };
    if (end > begin)
        g_byte_array_remove_range(text, begin, end - begin);
    ts_tree_edit(tree, &edit);
}

static void check_edit(TSParser *parser, TSTree **tree, GByteArray *text, uint32_t begin,
                       uint32_t end) {
    cut(*tree, text, begin, end);
    TSTree *next = parse(parser, *tree, text), *anew = parse(parser, NULL, text);
    TSNode root = ts_tree_root_node(anew);
    if (!ts_node_has_error(root)) {
        char *want = ts_node_string(root), *got = ts_node_string(ts_tree_root_node(next));
        require(strcmp(want, got) == 0);
        free(want);
        free(got);
    }
    ts_tree_delete(anew);
    ts_tree_delete(*tree);
    *tree = next;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static TSParser *parser;
    if (!parser) {
        parser = ts_parser_new();
        require(ts_parser_set_language(parser, tree_sitter_cuda()));
    }
    GByteArray *text = g_byte_array_new();
    guint32 random = 1;
    for (size_t i = 0; i < size; i++)
        random = random * 31 + data[i];
    if (size > 0)
        g_byte_array_append(text, data, (guint)size);
    TSTree *tree = parse(parser, NULL, text);
    for (int i = 0; i < 3 && text->len > 0; i++) {
        uint32_t begin = random % text->len, length = random / 7 % 24;
        check_edit(parser, &tree, text, begin, MIN(begin + length, text->len));
        random = random * 1664525 + 1013904223;
    }
    ts_tree_delete(tree);
    g_byte_array_unref(text);
    return 0;
}
