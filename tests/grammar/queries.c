// Holds what queries find in a file against lists of it, x.txt for each x.scm:
//
//     grammar_queries [--update] grammar file folder-of-lists query...
//
// A line is place, capture and the first line of the text. Predicates are the editors' business.
#include <stdio.h>

#include "files.h"

static void list_capture(GString *out, const TSQuery *query, TSQueryCapture capture,
                         const char *text) {
    TSPoint at = ts_node_start_point(capture.node);
    uint32_t begin = ts_node_start_byte(capture.node), length;
    const char *name = ts_query_capture_name_for_id(query, capture.index, &length);
    g_autofree char *piece = g_strndup(text + begin, ts_node_end_byte(capture.node) - begin);
    piece[strcspn(piece, "\n")] = '\0';
    g_string_append_printf(out, "%u:%u %s %s\n", at.row + 1, at.column + 1, name, piece);
}

// NULL if the query doesn't fit the grammar.
static char *list_captures(TSTree *tree, const char *text, const char *path) {
    gsize size;
    uint32_t offset, index;
    TSQueryError error;
    TSQueryMatch match;
    g_autofree char *source = read_file(path, &size);
    TSQuery *query = ts_query_new(ts_tree_language(tree), source, (uint32_t)size, &offset, &error);
    if (!query) {
        printf("%s: error %d at '%.40s'\n", path, (int)error, source + offset);
        return NULL;
    }
    TSQueryCursor *cursor = ts_query_cursor_new();
    GString *out = g_string_new(NULL);
    ts_query_cursor_exec(cursor, query, ts_tree_root_node(tree));
    while (ts_query_cursor_next_capture(cursor, &match, &index))
        list_capture(out, query, match.captures[index], text);
    ts_query_cursor_delete(cursor);
    ts_query_delete(query);
    return g_string_free(out, FALSE);
}

static bool check(TSTree *tree, const char *text, const char *query, const char *folder,
                  bool update) {
    gsize size;
    g_autofree char *name = g_path_get_basename(query);
    g_autofree char *list = g_strdup_printf("%s/%.*s.txt", folder, (int)strcspn(name, "."), name);
    g_autofree char *got = list_captures(tree, text, query);
    if (!got)
        return false;
    if (update)
        write_file(list, got, strlen(got));
    g_autofree char *want = read_file(list, &size);
    if (strcmp(want, got) == 0 && size > 0)
        return true;
    printf("%s finds\n%s", query, got);
    return false;
}

int main(int count, char **words) {
    bool update = count > 1 && strcmp(words[1], "--update") == 0;
    int first = update ? 2 : 1;
    unsigned failed = 0;
    gsize size;
    if (count < first + 4) {
        fprintf(stderr, "usage: %s [--update] grammar file folder query...\n", words[0]);
        return 2;
    }
    TSParser *parser = create_parser(words[first]);
    g_autofree char *text = read_file(words[first + 1], &size);
    TSTree *tree = ts_parser_parse_string(parser, NULL, text, (uint32_t)size);
    for (int i = first + 3; i < count; i++)
        failed += !check(tree, text, words[i], words[first + 2], update);
    ts_tree_delete(tree);
    ts_parser_delete(parser);
    printf("%d passed, %u failed\n", count - first - 3 - (int)failed, failed);
    return failed > 0;
}
