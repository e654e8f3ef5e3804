// Parses every .cu and .cuh file below folders and says what the grammar couldn't read:
//
//     grammar_errors [--each] folder...
//
// --each adds a line for each place: file, line, column, kind, and the text there.
#define _GNU_SOURCE // nftw
#include <ftw.h>
#include <stdio.h>
#include <string.h>

#include <glib.h>
#include <tree_sitter/api.h>

#ifndef LANGUAGE
#define LANGUAGE tree_sitter_cuda
#endif
const TSLanguage *LANGUAGE(void);

static GPtrArray *paths;

static int add_path(const char *path, const struct stat *info, int kind, struct FTW *place) {
    (void)info;
    (void)place;
    if (kind == FTW_F && (g_str_has_suffix(path, ".cu") || g_str_has_suffix(path, ".cuh")))
        g_ptr_array_add(paths, g_strdup(path));
    return 0;
}

struct counts {
    unsigned files, errors, missing, bytes;
};

static bool is_error(TSNode node) {
    return ts_node_symbol(node) == (TSSymbol)-1;
}

static void show(const char *path, const char *text, TSNode node) {
    TSPoint at = ts_node_start_point(node);
    uint32_t begin = ts_node_start_byte(node), size = ts_node_end_byte(node) - begin;
    g_autofree char *piece = g_strndup(text + begin, MIN(size, 60));
    printf("%s:%u:%u: %s %s '%s'\n", path, at.row + 1, at.column + 1,
           ts_node_is_missing(node) ? "MISSING" : "ERROR",
           ts_node_is_missing(node) ? ts_node_type(node) : "", g_strdelimit(piece, "\n\r\t", ' '));
}

// An ERROR inside an ERROR is part of it.
static void count(TSTreeCursor *cursor, struct counts *counts, const char *path, const char *text) {
    for (;;) {
        TSNode node = ts_tree_cursor_current_node(cursor);
        bool wrong = is_error(node) || ts_node_is_missing(node);
        if (wrong) {
            counts->errors += is_error(node);
            counts->missing += ts_node_is_missing(node);
            if (path)
                show(path, text, node);
        }
        if (!wrong && ts_node_has_error(node) && ts_tree_cursor_goto_first_child(cursor))
            continue;
        while (!ts_tree_cursor_goto_next_sibling(cursor)) {
            if (!ts_tree_cursor_goto_parent(cursor))
                return;
        }
    }
}

static bool parse_file(TSParser *parser, const char *path, bool each, struct counts *total) {
    g_autofree char *text = NULL;
    g_autoptr(GError) error = NULL;
    gsize size;
    struct counts counts = {0};
    if (!g_file_get_contents(path, &text, &size, &error)) {
        fprintf(stderr, "grammar_errors: %s\n", error->message);
        return false;
    }
    TSTree *tree = ts_parser_parse_string(parser, NULL, text, (uint32_t)size);
    TSTreeCursor cursor = ts_tree_cursor_new(ts_tree_root_node(tree));
    count(&cursor, &counts, each ? path : NULL, text);
    ts_tree_cursor_delete(&cursor);
    ts_tree_delete(tree);
    total->files += counts.errors + counts.missing > 0;
    total->errors += counts.errors;
    total->missing += counts.missing;
    total->bytes += (unsigned)size;
    return true;
}

static int compare(const void *a, const void *b) {
    return strcmp(*(char *const *)a, *(char *const *)b);
}

int main(int argc, char **argv) {
    bool each = argc > 1 && strcmp(argv[1], "--each") == 0, good = true;
    int first = each ? 2 : 1;
    struct counts total = {0};
    if (first >= argc || argv[first][0] == '-') {
        fprintf(stderr, "usage: %s [--each] folder...\n", argv[0]);
        return 2;
    }
    paths = g_ptr_array_new_with_free_func(g_free);
    for (int i = first; i < argc; i++) {
        if (nftw(argv[i], add_path, 16, FTW_PHYS) != 0) {
            perror(argv[i]);
            good = false;
        }
    }
    g_ptr_array_sort(paths, compare);
    TSParser *parser = ts_parser_new();
    good &= ts_parser_set_language(parser, LANGUAGE());
    for (guint i = 0; i < paths->len; i++)
        good &= parse_file(parser, paths->pdata[i], each, &total);
    printf("%u files, %u with errors (%.1f %%); ERROR %u, MISSING %u\n", paths->len, total.files,
           paths->len ? 100.0 * total.files / paths->len : 0, total.errors, total.missing);
    ts_parser_delete(parser);
    g_ptr_array_unref(paths);
    return good ? 0 : 1;
}
