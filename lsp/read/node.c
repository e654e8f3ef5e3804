// Every question about a node can be put to a null one, so that callers walk without looking at
// each step.
#include "lsp/read/node.h"

#include <string.h>

enum { PARSE_MAX_US = 2000000 };

const TSLanguage *tree_sitter_cuda(void);

TSParser *gcl_node_parser(void) {
    TSParser *parser = ts_parser_new();
    bool fits = ts_parser_set_language(parser, tree_sitter_cuda());
    g_assert(fits); // the grammar and tree-sitter are built together
    ts_parser_set_timeout_micros(parser, PARSE_MAX_US);
    return parser;
}

bool gcl_node_is(TSNode node, const char *type) {
    return !ts_node_is_null(node) && strcmp(ts_node_type(node), type) == 0;
}

bool gcl_node_is_one_of(TSNode node, const char *const types[]) {
    for (size_t i = 0; types[i]; i++) {
        if (gcl_node_is(node, types[i]))
            return true;
    }
    return false;
}

TSNode gcl_node_field(TSNode node, const char *name) {
    return ts_node_child_by_field_name(node, name, (uint32_t)strlen(name));
}

bool gcl_node_is_field(TSNode parent, const char *name, TSNode child) {
    TSNode field = gcl_node_field(parent, name);
    return !ts_node_is_null(field) && ts_node_eq(field, child);
}

bool gcl_node_has_operator(TSNode node, const char *word) {
    return gcl_node_is(gcl_node_field(node, "operator"), word);
}

char *gcl_node_text(const struct gcl_line_table *text, TSNode node) {
    return gcl_line_table_copy(text, ts_node_start_byte(node), ts_node_end_byte(node));
}
