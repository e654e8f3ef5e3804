// nvcc reads `<< <` as `<<<` and `>> >` as `>>>`; clang does not. The space moves behind the
// bracket, so every offset stays what it was.
#define _GNU_SOURCE // memmem
#include "parse.h"

#include <stdbool.h>
#include <string.h>

#include "lexer.h"

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
    GArray *tokens = gcl_lex(old, size);
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
