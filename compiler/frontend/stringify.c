// Whole macros are judged, not single parameters, and a name that is stringified under any
// definition is so under all: an API name that stays for nothing costs nothing, since our headers
// declare CUDA's names too.
#include "frontend/stringify.h"

#include <stdbool.h>

#include "frontend/text/launch.h"
#include "frontend/text/lexer.h"

// A macro's `#define`, as token indices of its draft.
struct definition {
    const struct gcl_source_draft *draft;
    guint name;
    guint body; // behind the parameters
    guint end;
    bool has_parameters;
};

static struct gcl_launch_context context_of(const struct gcl_source_draft *draft) {
    return (struct gcl_launch_context){
        .tokens = draft->tokens,
        .bytes = g_bytes_get_data(gcl_unit_file_text(draft->source), NULL),
    };
}

static const struct gcl_token *token(const struct gcl_source_draft *draft, guint i) {
    return &g_array_index(draft->tokens, struct gcl_token, i);
}

static bool is_kind(const struct gcl_source_draft *draft, guint i, enum gcl_token_kind kind) {
    return i < draft->tokens->len && token(draft, i)->kind == kind;
}

static char *take_name(const struct gcl_source_draft *draft, guint i) {
    const struct gcl_token *t = token(draft, i);
    return g_strndup(context_of(draft).bytes + t->begin, t->end - t->begin);
}

// Parameters follow the name without a space: `#define N (a)` has none.
static struct definition delimit(const struct gcl_source_draft *draft, guint name) {
    struct definition d = {.draft = draft, .name = name, .body = name + 1, .end = name + 1};
    while (d.end < draft->tokens->len && token(draft, d.end)->line == GCL_LINE_DEFINE &&
           token(draft, d.end)->directive == token(draft, name)->directive)
        d.end++;
    d.has_parameters = d.body < d.end && is_kind(draft, d.body, GCL_TOKEN_ROUND_OPEN) &&
                       token(draft, d.body)->begin == token(draft, name)->end;
    if (d.has_parameters) {
        const struct gcl_launch_context context = context_of(draft);
        d.body = gcl_launch_find_end(&context, d.body) + 1;
    }
    return d;
}

static GArray *find_definitions(const GPtrArray *drafts) {
    GArray *definitions = g_array_new(FALSE, FALSE, sizeof(struct definition));
    for (guint d = 0; d < drafts->len; d++) {
        const struct gcl_source_draft *draft = drafts->pdata[d];
        const char *bytes = context_of(draft).bytes;
        for (guint i = 0; i + 2 < draft->tokens->len; i++) {
            if (!is_kind(draft, i, GCL_TOKEN_HASH) || token(draft, i)->line != GCL_LINE_DEFINE ||
                !gcl_token_is(token(draft, i + 1), bytes, "define") ||
                !is_kind(draft, i + 2, GCL_TOKEN_IDENTIFIER) ||
                token(draft, i + 2)->directive != token(draft, i)->directive)
                continue;
            struct definition definition = delimit(draft, i + 2);
            g_array_append_val(definitions, definition);
        }
    }
    return definitions;
}

static bool is_parameter(const struct definition *d, guint i) {
    const char *bytes = context_of(d->draft).bytes;
    if (gcl_token_is(token(d->draft, i), bytes, "__VA_ARGS__"))
        return true;
    g_autofree char *name = take_name(d->draft, i);
    for (guint p = d->name + 2; p + 1 < d->body; p++)
        if (gcl_token_is(token(d->draft, p), bytes, name))
            return true;
    return false;
}

static bool is_in(GHashTable *macros, const struct gcl_source_draft *draft, guint i) {
    if (!is_kind(draft, i, GCL_TOKEN_IDENTIFIER))
        return false;
    g_autofree char *name = take_name(draft, i);
    return g_hash_table_contains(macros, name);
}

// Whether a macro's body stringifies a parameter, or hands one to a macro of `macros`, which do.
// Without parameters, another name for such a macro is enough.
static bool stringifies(const struct definition *d, GHashTable *macros) {
    const struct gcl_launch_context context = context_of(d->draft);
    for (guint i = d->body; i < d->end; i++) {
        if (d->has_parameters && is_kind(d->draft, i, GCL_TOKEN_HASH))
            return true;
        if (!is_in(macros, d->draft, i))
            continue;
        if (!d->has_parameters)
            return true;
        guint close = is_kind(d->draft, i + 1, GCL_TOKEN_ROUND_OPEN)
                          ? gcl_launch_find_end(&context, i + 1)
                          : i;
        for (guint a = i + 2; a < close; a++)
            if (is_kind(d->draft, a, GCL_TOKEN_IDENTIFIER) && is_parameter(d, a))
                return true;
    }
    return false;
}

GHashTable *gcl_stringify_find(const GPtrArray *drafts) {
    GHashTable *macros = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    g_hash_table_add(macros, g_strdup("assert"));
    g_autoptr(GArray) definitions = find_definitions(drafts);
    guint known;
    do {
        known = g_hash_table_size(macros);
        for (guint i = 0; i < definitions->len; i++) {
            const struct definition *d = &g_array_index(definitions, struct definition, i);
            if (!is_in(macros, d->draft, d->name) && stringifies(d, macros))
                g_hash_table_add(macros, take_name(d->draft, d->name));
        }
    } while (g_hash_table_size(macros) > known);
    return macros;
}

GArray *gcl_stringify_arguments(const struct gcl_source_draft *draft, GHashTable *macros) {
    const struct gcl_launch_context context = context_of(draft);
    GArray *ranges = g_array_new(FALSE, FALSE, sizeof(struct gcl_source_range));
    for (guint i = 0; i + 1 < draft->tokens->len; i++) {
        if (!is_kind(draft, i + 1, GCL_TOKEN_ROUND_OPEN) || !is_in(macros, draft, i))
            continue;
        guint close = gcl_launch_find_end(&context, i + 1);
        if (close == i + 1)
            continue;
        const struct gcl_source_range range = {token(draft, i + 1)->begin,
                                               token(draft, close)->end};
        g_array_append_val(ranges, range);
        i = close;
    }
    return ranges;
}
