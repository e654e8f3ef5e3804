// A macro of the project may be defined more than once, in branches of #if that clang never reads:
// what it takes is known only as far as all definitions agree.
#include "frontend/text/macros.h"

#include <assert.h>
#include <stdbool.h>

#include "frontend/text/lexer.h"

GHashTable *gcl_macros_create(void) {
    return g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
}

static const struct gcl_token *token(const GArray *tokens, guint i) {
    assert(i < tokens->len);
    return &g_array_index(tokens, struct gcl_token, i);
}

static bool is_kind(const GArray *tokens, guint i, enum gcl_token_kind kind) {
    return i < tokens->len && token(tokens, i)->kind == kind;
}

// `(...)` or `(name...)`; the dots are three tokens.
static bool is_variadic_alone(const GArray *tokens, guint i) {
    if (!is_kind(tokens, i, GCL_TOKEN_ROUND_OPEN))
        return true; // no parameters at all: not called with arguments
    i++;
    if (is_kind(tokens, i, GCL_TOKEN_IDENTIFIER))
        i++;
    return is_kind(tokens, i, GCL_TOKEN_DOT);
}

// Whether a `#define` begins at token `i`, followed by a name.
static bool is_definition(const GArray *tokens, const char *bytes, guint i) {
    const struct gcl_token *hash = token(tokens, i), *name = token(tokens, i + 2);
    return hash->kind == GCL_TOKEN_HASH && hash->line == GCL_LINE_DEFINE &&
           gcl_token_is(token(tokens, i + 1), bytes, "define") &&
           name->kind == GCL_TOKEN_IDENTIFIER && name->directive == hash->directive &&
           name->line == hash->line;
}

void gcl_macros_add(GHashTable *macros, const GArray *tokens, const char *bytes) {
    for (guint i = 0; i + 2 < tokens->len; i++) {
        if (!is_definition(tokens, bytes, i))
            continue;
        const struct gcl_token *name = token(tokens, i + 2);
        char *text = g_strndup(bytes + name->begin, name->end - name->begin);
        gpointer old;
        bool known = g_hash_table_lookup_extended(macros, text, NULL, &old);
        bool alone = is_variadic_alone(tokens, i + 3) && (!known || GPOINTER_TO_INT(old));
        g_hash_table_insert(macros, text, GINT_TO_POINTER(alone ? 1 : 0));
    }
}
