// nvcc reads `<< <` as `<<<` and `>> >` as `>>>`; clang does not. The space moves behind the
// bracket, so every offset stays what it was.
#define _GNU_SOURCE // memmem
#include "frontend/parse.h"

#include <stdbool.h>
#include <string.h>

#include "frontend/pragmas.h"
#include "frontend/text/lexer.h"

enum { SEARCH_LIMIT = 4000 };

static const struct gcl_token *token(const GArray *tokens, guint i) {
    return &g_array_index(tokens, struct gcl_token, i);
}

// True if tokens i and i + 1 are `wide` and `narrow` with only spaces between.
static bool is_pair(const GArray *tokens, const char *bytes, guint i, enum gcl_token_kind wide,
                    enum gcl_token_kind narrow) {
    if (i + 1 >= tokens->len || token(tokens, i)->kind != wide ||
        token(tokens, i + 1)->kind != narrow)
        return false;
    for (uint32_t at = token(tokens, i)->end; at < token(tokens, i + 1)->begin; at++) {
        if (bytes[at] != ' ' && bytes[at] != '\t')
            return false;
    }
    return true;
}

// The `>> >` or `>>>` behind which the arguments stand; 0 if there is none.
static guint find_close(const GArray *tokens, const char *bytes, guint open) {
    for (guint i = open; i + 2 < tokens->len && i - open < SEARCH_LIMIT; i++) {
        enum gcl_token_kind kind = token(tokens, i)->kind;
        if (kind == GCL_TOKEN_SEMICOLON)
            return 0;
        if (kind == GCL_TOKEN_LAUNCH_CLOSE && token(tokens, i + 1)->kind == GCL_TOKEN_ROUND_OPEN)
            return i;
        if (is_pair(tokens, bytes, i, GCL_TOKEN_SHIFT_RIGHT, GCL_TOKEN_GREATER) &&
            token(tokens, i + 2)->kind == GCL_TOKEN_ROUND_OPEN)
            return i;
    }
    return 0;
}

static void mend(const GArray *tokens, char *bytes, guint i, char bracket) {
    uint32_t begin = token(tokens, i)->begin, end = token(tokens, i + 1)->end;
    memset(bytes + begin, bracket, 3);
    memset(bytes + begin + 3, ' ', end - begin - 3);
}

GBytes *gcl_prepare(GBytes *original) {
    size_t size;
    const char *old = g_bytes_get_data(original, &size);
    if (size == 0 || (!memmem(old, size, "<< ", 3) && !memmem(old, size, "<<\t", 3)))
        return NULL;
    GArray *tokens = gcl_lexer_read(old, size);
    char *bytes = NULL;
    for (guint i = 0; i + 1 < tokens->len; i++) {
        bool wide = is_pair(tokens, old, i, GCL_TOKEN_SHIFT_LEFT, GCL_TOKEN_LESS);
        guint close = wide ? find_close(tokens, old, i + 2) : 0;
        if (!close)
            continue;
        if (!bytes)
            bytes = g_memdup2(old, size);
        mend(tokens, bytes, i, '<');
        if (token(tokens, close)->kind == GCL_TOKEN_SHIFT_RIGHT)
            mend(tokens, bytes, close, '>');
    }
    g_array_unref(tokens);
    return bytes ? g_bytes_new_take(bytes, size) : NULL;
}

GBytes *gcl_prepare_for_clang(GBytes *bytes) {
    GBytes *mended = gcl_prepare(bytes);
    GBytes *hidden = gcl_pragmas_hide(mended ? mended : bytes);
    if (!hidden)
        return mended;
    g_clear_pointer(&mended, g_bytes_unref);
    return hidden;
}

struct project {
    const char *const *arguments;
    GHashTable *seen; // canonical paths
    GHashTable *mended;
};

static void prepare_file(struct project *project, const char *path);

// Tries `name` in `folder`; returns true if there is such a file.
static bool prepare_included(struct project *project, const char *folder, const char *name) {
    char *path = g_path_is_absolute(name) ? g_strdup(name) : g_build_filename(folder, name, NULL);
    bool exists = g_file_test(path, G_FILE_TEST_IS_REGULAR);
    if (exists)
        prepare_file(project, path);
    g_free(path);
    return exists;
}

// `from`: the including file; NULL if its folder isn't searched.
static void prepare_include(struct project *project, const char *from, const char *name) {
    g_autofree char *folder = from ? g_path_get_dirname(from) : NULL;
    bool found = folder && prepare_included(project, folder, name);
    for (const char *const *a = project->arguments; a && *a && !found; a++) {
        if (g_str_has_prefix(*a, "-I") && (*a)[2])
            found = prepare_included(project, *a + 2, name);
    }
}

// Names of files in `#include`; one behind #if is followed too.
static void prepare_includes(struct project *project, const char *from, const char *text) {
    for (const char *at = strstr(text, "#"); at; at = strstr(at, "#")) {
        at += 1 + strspn(at + 1, " \t");
        if (strncmp(at, "include", 7) != 0)
            continue;
        at += 7 + strspn(at + 7, " \t");
        const char *close = *at == '"' ? "\"\r\n" : ">\r\n";
        const char *end = *at == '"' || *at == '<' ? strpbrk(at + 1, close) : NULL;
        if (!end || *end != *close)
            continue;
        char *name = g_strndup(at + 1, (gsize)(end - at - 1));
        prepare_include(project, *at == '"' ? from : NULL, name);
        g_free(name);
    }
}

static void prepare_file(struct project *project, const char *path) {
    char *text;
    gsize size;
    if (!g_hash_table_add(project->seen, g_canonicalize_filename(path, NULL)) ||
        !g_file_get_contents(path, &text, &size, NULL))
        return;
    prepare_includes(project, path, text);
    GBytes *bytes = g_bytes_new_take(text, size);
    GBytes *prepared = gcl_prepare_for_clang(bytes);
    if (prepared)
        g_hash_table_insert(project->mended, g_canonicalize_filename(path, NULL), prepared);
    g_bytes_unref(bytes);
}

GHashTable *gcl_prepare_project(const char *path, const char *const *arguments) {
    struct project project = {
        .arguments = arguments,
        .seen = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL),
        .mended =
            g_hash_table_new_full(g_str_hash, g_str_equal, g_free, (GDestroyNotify)g_bytes_unref),
    };
    prepare_file(&project, path);
    g_hash_table_unref(project.seen);
    return project.mended;
}
