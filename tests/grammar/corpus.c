// Holds trees against those that files in tree-sitter's corpus format say:
//
//     grammar_corpus [--update] grammar file...
//
// --update writes what the parser makes instead, to be read before it is committed.
#include <stdio.h>

#include "files.h"

// Nodes on lines of their own, as the format has them.
static void print_tree(GString *out, const char *tree) {
    unsigned depth = 0;
    for (const char *at = tree; *at; at++) {
        if (*at == ' ' && strchr("ABCDEFGHIJKLMNOPQRSTUVWXYZ\"", at[1]) == NULL) {
            const char *colon = strpbrk(at + 1, " ():");
            bool named = at[1] == '(' || (colon && *colon == ':');
            if (named && at[-1] != ':') {
                g_string_append_printf(out, "\n%*s", 2 * (int)depth, "");
                continue;
            }
        }
        depth += *at == '(';
        depth -= *at == ')';
        g_string_append_c(out, *at);
    }
}

// One blank where there are several, none in front of a parenthesis that closes.
static char *squeeze(const char *text, gsize size) {
    GString *out = g_string_new(NULL);
    for (gsize i = 0; i < size; i++) {
        bool space = g_ascii_isspace(text[i]);
        if (space && (out->len == 0 || out->str[out->len - 1] == ' '))
            continue;
        if (text[i] == ')' && out->len > 0 && out->str[out->len - 1] == ' ')
            g_string_truncate(out, out->len - 1);
        g_string_append_c(out, space ? ' ' : text[i]);
    }
    return g_strchomp(g_string_free(out, FALSE));
}

static char *parse(TSParser *parser, const char *text, gsize size) {
    TSTree *tree = ts_parser_parse_string(parser, NULL, text, (uint32_t)size);
    char *string = ts_node_string(ts_tree_root_node(tree));
    ts_tree_delete(tree);
    return string;
}

struct example {
    const char *head; // "===\nname\n===\n"
    const char *code;
    const char *tree; // behind the line of dashes
    const char *end;
};

static const char *next_line(const char *at) {
    const char *end = strchr(at, '\n');
    return end ? end + 1 : at + strlen(at);
}

// The first line from `at` on that begins so, or the end.
static const char *find_line(const char *at, const char *begin) {
    while (*at && !g_str_has_prefix(at, begin))
        at = next_line(at);
    return at;
}

static struct example read_example(const char *at) {
    struct example example = {.head = at};
    const char *second = find_line(next_line(at), "===");
    example.code = next_line(second);
    example.tree = find_line(example.code, "---");
    example.end = find_line(example.tree, "===");
    return example;
}

static bool check(TSParser *parser, const struct example *example, GString *updated) {
    gsize size = (gsize)(example->tree - example->code);
    const char *expected = next_line(example->tree);
    g_autofree char *want = squeeze(expected, (gsize)(example->end - expected));
    char *got = parse(parser, example->code, size);
    bool same = strcmp(want, got) == 0;
    g_string_append_len(updated, example->head, expected - example->head);
    g_string_append_c(updated, '\n');
    print_tree(updated, got);
    g_string_append(updated, *example->end ? "\n\n" : "\n");
    if (!same)
        printf("%.*swant %s\ngot  %s\n", (int)(example->code - example->head), example->head, want,
               got);
    free(got);
    return same;
}

int main(int count, char **words) {
    bool update = count > 1 && strcmp(words[1], "--update") == 0;
    int first = update ? 2 : 1;
    unsigned passed = 0, failed = 0;
    if (count < first + 2) {
        fprintf(stderr, "usage: %s [--update] grammar file...\n", words[0]);
        return 2;
    }
    TSParser *parser = create_parser(words[first]);
    for (int i = first + 1; i < count; i++) {
        gsize size;
        g_autofree char *text = read_file(words[i], &size);
        g_autoptr(GString) updated = g_string_new(NULL);
        for (const char *at = find_line(text, "==="); *at;) {
            struct example example = read_example(at);
            bool same = check(parser, &example, updated);
            passed += same;
            failed += !same;
            at = example.end;
        }
        if (update)
            write_file(words[i], updated->str, updated->len);
    }
    ts_parser_delete(parser);
    printf("%u passed, %u failed\n", passed, failed);
    return failed > 0 || passed == 0;
}
