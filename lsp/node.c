#include "node.h"

#include <string.h>

bool gcl_node_is(TSNode node, const char *type) {
    return !ts_node_is_null(node) && strcmp(ts_node_type(node), type) == 0;
}

TSNode gcl_node_field(TSNode node, const char *name) {
    return ts_node_child_by_field_name(node, name, (uint32_t)strlen(name));
}

char *gcl_node_text(const struct gcl_lines *text, TSNode node) {
    return gcl_lines_copy(text, ts_node_start_byte(node), ts_node_end_byte(node));
}
