// What nvcc reads and clang doesn't, mended so that every offset stays what it was: `<< <` and `>>
// >` are launches' brackets, whose space moves behind them, PTX's registers may be named with a
// single `%` beside operands, where a blank makes room for the second, a macro may be a whole
// `#pragma`, as nvcc looks for pragmas once more in what it has preprocessed, and a shared array of
// a known size may be `extern`, which nvcc takes for a definition.
#define _GNU_SOURCE // memmem
#include "frontend/parse/parse.h"

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

static void mend_launches(const GArray *tokens, char *bytes) {
    for (guint i = 0; i + 1 < tokens->len; i++) {
        bool wide = is_pair(tokens, bytes, i, GCL_TOKEN_SHIFT_LEFT, GCL_TOKEN_LESS);
        guint close = wide ? find_close(tokens, bytes, i + 2) : 0;
        if (!close)
            continue;
        mend(tokens, bytes, i, '<');
        if (token(tokens, close)->kind == GCL_TOKEN_SHIFT_RIGHT)
            mend(tokens, bytes, close, '>');
    }
}

static bool is_either(const GArray *tokens, const char *bytes, guint i, const char *word,
                      const char *other) {
    return i < tokens->len && (gcl_token_is(token(tokens, i), bytes, word) ||
                               gcl_token_is(token(tokens, i), bytes, other));
}

// The first token in the brackets of `asm(` or `asm volatile(` at `i`; 0: there is nothing like it.
static guint find_assembly(const GArray *tokens, const char *bytes, guint i) {
    if (!is_either(tokens, bytes, i, "asm", "__asm__"))
        return 0;
    guint open = i + 1 + is_either(tokens, bytes, i + 1, "volatile", "__volatile__");
    bool opens = open < tokens->len && token(tokens, open)->kind == GCL_TOKEN_ROUND_OPEN;
    return opens ? open + 1 : 0;
}

// `, %laneid` becomes `,%%laneid`. Behind an instruction's name the blank has to stay.
static void mend_registers(const struct gcl_token *string, char *bytes) {
    for (uint32_t at = string->begin + 2; at + 2 < string->end; at++) {
        if (bytes[at] == '%' && bytes[at - 1] == ' ' && g_ascii_islower(bytes[at + 1]) &&
            (g_ascii_islower(bytes[at + 2]) || bytes[at + 2] == '_') &&
            !g_ascii_isalnum(bytes[at - 2]))
            bytes[at - 1] = '%';
    }
}

// `"r"(a) "l"(b)` becomes `"r"(a),"l"(b)`, among operands from token `i` on.
static void mend_operands(const GArray *tokens, char *bytes, guint i) {
    int depth = 0;
    for (; i < tokens->len && depth >= 0 && token(tokens, i)->kind != GCL_TOKEN_SEMICOLON; i++) {
        enum gcl_token_kind kind = token(tokens, i)->kind;
        depth += kind == GCL_TOKEN_ROUND_OPEN ? 1 : kind == GCL_TOKEN_ROUND_CLOSE ? -1 : 0;
        char *before = bytes + token(tokens, i)->begin - 1;
        if (depth == 0 && kind == GCL_TOKEN_LITERAL &&
            token(tokens, i - 1)->kind == GCL_TOKEN_ROUND_CLOSE &&
            (*before == ' ' || *before == '\t'))
            *before = ',';
    }
}

// Without operands a `%` stands for itself.
static void mend_assembly(const GArray *tokens, char *bytes) {
    for (guint i = 0; i + 1 < tokens->len; i++) {
        guint begin = find_assembly(tokens, bytes, i), end = begin;
        while (begin && end < tokens->len && token(tokens, end)->kind == GCL_TOKEN_LITERAL)
            end++;
        bool has_operands =
            end > begin && end < tokens->len && bytes[token(tokens, end)->begin] == ':';
        for (guint string = begin; has_operands && string < end; string++)
            mend_registers(token(tokens, string), bytes);
        if (has_operands)
            mend_operands(tokens, bytes, end);
    }
}

// `#define NAME #pragma text`, with the second `#` at token i.
static bool is_pragma(const GArray *tokens, const char *bytes, guint i) {
    return token(tokens, i)->line == GCL_LINE_DEFINE && token(tokens, i)->kind == GCL_TOKEN_HASH &&
           i >= 2 && gcl_token_is(token(tokens, i - 2), bytes, "define") && i + 2 < tokens->len &&
           gcl_token_is(token(tokens, i + 1), bytes, "pragma") &&
           token(tokens, i + 1)->begin == token(tokens, i)->end &&
           token(tokens, i + 2)->directive == token(tokens, i)->directive &&
           token(tokens, i + 2)->line == GCL_LINE_DEFINE;
}

// `#pragma text` becomes `__gclp(text)`, a macro of gcluster_base.h, which is as long.
static void mend_pragmas(const GArray *tokens, char *bytes) {
    for (guint i = 0; i < tokens->len; i++) {
        if (!is_pragma(tokens, bytes, i))
            continue;
        guint last = i + 2;
        while (last + 1 < tokens->len &&
               token(tokens, last + 1)->directive == token(tokens, i)->directive &&
               token(tokens, last + 1)->line == GCL_LINE_DEFINE)
            last++;
        uint32_t begin = token(tokens, i)->begin, text = token(tokens, i + 2)->begin,
                 end = token(tokens, last)->end;
        if (memchr(bytes + begin, '\n', end - begin))
            continue;
        memcpy(bytes + begin, "__gclp(", 7);
        memmove(bytes + text - 1, bytes + text, end - text);
        bytes[end - 1] = ')';
    }
}

// Whether `extern` at token i declares a shared array with all sizes in its brackets.
static bool is_sized_shared(const GArray *tokens, const char *bytes, guint i) {
    enum { LONGEST = 64 };
    bool is_shared = i > 0 && gcl_token_is(token(tokens, i - 1), bytes, "__shared__");
    bool is_sized = false;
    for (guint k = i + 1; k < tokens->len && k - i < LONGEST; k++) {
        const struct gcl_token *at = token(tokens, k);
        bool is_same_text =
            at->line == token(tokens, i)->line && at->directive == token(tokens, i)->directive;
        if (!is_same_text || at->kind == GCL_TOKEN_CURLY_OPEN)
            return false;
        if (at->kind == GCL_TOKEN_SEMICOLON)
            return is_shared && is_sized;
        is_shared |= gcl_token_is(at, bytes, "__shared__");
        is_sized |= at->kind == GCL_TOKEN_SQUARE_OPEN;
        if (at->kind == GCL_TOKEN_SQUARE_CLOSE &&
            token(tokens, k - 1)->kind == GCL_TOKEN_SQUARE_OPEN)
            return false;
    }
    return false;
}

static void mend_shared(const GArray *tokens, char *bytes) {
    for (guint i = 0; i < tokens->len; i++) {
        const struct gcl_token *word = token(tokens, i);
        if (gcl_token_is(word, bytes, "extern") && is_sized_shared(tokens, bytes, i))
            memset(bytes + word->begin, ' ', word->end - word->begin);
    }
}

// True if there is a `#pragma` that doesn't begin its line.
static bool has_inner_pragma(const char *bytes, size_t size) {
    static const char pragma[] = " #pragma";
    const char *end = bytes + size, *at = bytes;
    while ((at = memmem(at, (size_t)(end - at), pragma, strlen(pragma)))) {
        const char *before = at++;
        while (before > bytes && (*before == ' ' || *before == '\t'))
            before--;
        if (!strchr("\n\t ", *before))
            return true;
    }
    return false;
}

GBytes *gcl_prepare(GBytes *original) {
    size_t size;
    const char *old = g_bytes_get_data(original, &size);
    if (size == 0 || (!memmem(old, size, "<< ", 3) && !memmem(old, size, "<<\t", 3) &&
                      !memmem(old, size, "asm", 3) && !memmem(old, size, "__shared__", 10) &&
                      !has_inner_pragma(old, size)))
        return NULL;
    GArray *tokens = gcl_lexer_read(old, size);
    g_autofree char *bytes = g_memdup2(old, size);
    mend_launches(tokens, bytes);
    mend_assembly(tokens, bytes);
    mend_pragmas(tokens, bytes);
    mend_shared(tokens, bytes);
    g_array_unref(tokens);
    return memcmp(bytes, old, size) != 0 ? g_bytes_new(bytes, size) : NULL;
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
