// What the tests of the grammars share: files, and which grammar a name is.
#ifndef GCL_TESTS_GRAMMAR_FILES_H
#define GCL_TESTS_GRAMMAR_FILES_H

#include <stdlib.h>
#include <string.h>

#include <glib.h>
#include <tree_sitter/api.h>

const TSLanguage *tree_sitter_cuda(void);
const TSLanguage *tree_sitter_gcluster_pragma(void);

/// A parser for "cuda" or "gcluster_pragma"; ends the program for any other name.
static inline TSParser *create_parser(const char *name) {
    TSParser *parser = ts_parser_new();
    bool is_pragma = strcmp(name, "gcluster_pragma") == 0;
    if ((!is_pragma && strcmp(name, "cuda") != 0) ||
        !ts_parser_set_language(parser,
                                is_pragma ? tree_sitter_gcluster_pragma() : tree_sitter_cuda())) {
        fprintf(stderr, "no grammar '%s'\n", name);
        exit(2);
    }
    return parser;
}

/// The bytes of a file, to be freed; ends the program if there is none.
static inline char *read_file(const char *path, gsize *size) {
    g_autoptr(GError) error = NULL;
    char *text;
    if (!g_file_get_contents(path, &text, size, &error)) {
        fprintf(stderr, "%s\n", error->message);
        exit(2);
    }
    return text;
}

/// Replaces a file; ends the program if it can't.
static inline void write_file(const char *path, const char *text, gsize size) {
    g_autoptr(GError) error = NULL;
    if (!g_file_set_contents(path, text, (gssize)size, &error)) {
        fprintf(stderr, "%s\n", error->message);
        exit(2);
    }
}

#endif
