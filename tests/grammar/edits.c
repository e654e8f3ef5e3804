// What a keystroke costs, in tokens: a letter typed into one function must not have others read
// again, whatever stands in front of their names.
#include <stdio.h>

#include "files.h"

enum { FUNCTIONS = 100, TOKENS_MAX = 40 };

static void count_token(void *count, TSLogType type, const char *message) {
    if (type == TSLogTypeParse && g_str_has_prefix(message, "lexed_lookahead"))
        ++*(unsigned *)count;
}

// Tokens that are read after the first `3` has become `33`, in functions that begin like this.
static unsigned tokens_of_edit(TSParser *parser, const char *head) {
    g_autoptr(GString) text = g_string_new(NULL);
    for (unsigned i = 0; i < FUNCTIONS; i++)
        g_string_append_printf(text, "%s f%u(type x) {\n    return x + 3;\n}\n\n", head, i);
    TSTree *old = ts_parser_parse_string(parser, NULL, text->str, (uint32_t)text->len);
    uint32_t at = (uint32_t)(strstr(text->str, "+ 3") + 3 - text->str);
    uint32_t column = (uint32_t)strlen("    return x + 3");
    const TSInputEdit change = {at, at, at + 1, {1, column}, {1, column}, {1, column + 1}};
    unsigned count = 0;
    g_string_insert_c(text, at, '3');
    ts_tree_edit(old, &change);
    ts_parser_set_logger(parser, (TSLogger){&count, count_token});
    TSTree *tree = ts_parser_parse_string(parser, old, text->str, (uint32_t)text->len);
    ts_parser_set_logger(parser, (TSLogger){NULL, NULL});
    ts_tree_delete(tree);
    ts_tree_delete(old);
    return count;
}

int main(void) {
    static const char *const heads[] = {
        "void",
        "static type",
        "__global__ void",
        "__device__ __forceinline__ type",
        "template <class T>\n__device__ type",
    };
    TSParser *parser = create_parser("cuda");
    bool good = true;
    for (size_t i = 0; i < G_N_ELEMENTS(heads); i++) {
        unsigned count = tokens_of_edit(parser, heads[i]);
        printf("%s: %u tokens\n", heads[i], count);
        good &= count <= TOKENS_MAX;
    }
    ts_parser_delete(parser);
    return !good;
}
