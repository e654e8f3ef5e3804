#include "node.h"

#include <string.h>

enum { PARSE_MAX_US = 500000 };

const TSLanguage *tree_sitter_gcluster(void);

TSTree *gcl_node_parse(const struct gcl_lines *text) {
    size_t size;
    const char *data = gcl_lines_data(text, &size);
    TSParser *parser = ts_parser_new();
    ts_parser_set_timeout_micros(parser, PARSE_MAX_US);
    bool fits = ts_parser_set_language(parser, tree_sitter_gcluster());
    TSTree *tree = fits ? ts_parser_parse_string(parser, NULL, data, (uint32_t)size) : NULL;
    ts_parser_delete(parser);
    return tree;
}

bool gcl_node_is(TSNode node, const char *type) {
    return !ts_node_is_null(node) && strcmp(ts_node_type(node), type) == 0;
}

TSNode gcl_node_field(TSNode node, const char *name) {
    return ts_node_child_by_field_name(node, name, (uint32_t)strlen(name));
}

char *gcl_node_text(const struct gcl_lines *text, TSNode node) {
    return gcl_lines_copy(text, ts_node_start_byte(node), ts_node_end_byte(node));
}
