// Finding is by the text, as for launches; liveness and kernels are clang's. Between a pragma and
// its kernel may stand what begins a declaration: attributes, `template<…>`, other directives, and
// the opening of a namespace or of extern "C".
#define _GNU_SOURCE // memmem
#include "frontend/pragmas.h"

#include <assert.h>
#include <string.h>

#include "base/diagnostic.h"
#include "base/pragma.h"
#include "frontend/collect.h"
#include "frontend/pragma_check.h"
#include "frontend/report.h"
#include "frontend/text/lexer.h"

// A `#pragma gcluster` in the text.
struct directive {
    guint first;                    // token
    guint behind;                   // the first token that isn't part of it
    struct gcl_source_range range;  // of the whole
    struct gcl_source_range clause; // what stands behind `gcluster`
    bool in_macro;
};

static const struct gcl_token *token(const GArray *tokens, guint i) {
    assert(i < tokens->len);
    return &g_array_index(tokens, struct gcl_token, i);
}

static bool is_word(const GArray *tokens, guint i, const char *bytes, const char *word) {
    return i < tokens->len && gcl_token_is(token(tokens, i), bytes, word);
}

// `# pragma gcluster …` at token i.
static bool read_pragma(const GArray *tokens, const char *bytes, guint i, struct directive *found) {
    const struct gcl_token *hash = token(tokens, i);
    if (hash->kind != GCL_TOKEN_HASH || hash->line != GCL_LINE_PRAGMA ||
        !is_word(tokens, i + 1, bytes, "pragma") || !is_word(tokens, i + 2, bytes, "gcluster") ||
        token(tokens, i + 2)->directive != hash->directive)
        return false;
    guint behind = i + 3;
    while (behind < tokens->len && token(tokens, behind)->line == GCL_LINE_PRAGMA &&
           token(tokens, behind)->directive == hash->directive)
        behind++;
    uint32_t end = token(tokens, behind - 1)->end;
    *found = (struct directive){.first = i,
                                .behind = behind,
                                .range = {hash->begin, end},
                                .clause = {token(tokens, i + 2)->end, end}};
    return true;
}

// What stands between the quotes of a string; of a raw one, R"mark(text)mark", between the
// brackets. Empty if the token is no string.
static struct gcl_source_range string_text(const struct gcl_token *token, const char *bytes) {
    assert(token->begin < token->end);
    uint32_t begin = token->begin, end = token->end;
    while (begin < end && g_ascii_isalnum(bytes[begin]))
        begin++;
    bool raw = begin > token->begin && bytes[begin - 1] == 'R';
    if (begin + 1 >= end || bytes[begin] != '"')
        return (struct gcl_source_range){end, end};
    uint32_t first = begin + 1, close = 1;
    while (raw && first < end && bytes[first++] != '(')
        close++;
    close += raw ? 1 : 0;
    return first + close <= end ? (struct gcl_source_range){first, end - close}
                                : (struct gcl_source_range){end, end};
}

// `_Pragma("gcluster …")` at token i.
static bool read_operator(const GArray *tokens, const char *bytes, guint i,
                          struct directive *found) {
    static const char word[] = "gcluster";
    if (!is_word(tokens, i, bytes, "_Pragma") || i + 3 >= tokens->len ||
        token(tokens, i + 1)->kind != GCL_TOKEN_ROUND_OPEN ||
        token(tokens, i + 2)->kind != GCL_TOKEN_LITERAL ||
        token(tokens, i + 3)->kind != GCL_TOKEN_ROUND_CLOSE)
        return false;
    struct gcl_source_range text = string_text(token(tokens, i + 2), bytes);
    uint32_t begin = text.begin, end = text.end;
    while (begin < end && (bytes[begin] == ' ' || bytes[begin] == '\t'))
        begin++;
    size_t length = strlen(word);
    if (end - begin < length || memcmp(bytes + begin, word, length) != 0 ||
        (end - begin > length &&
         (g_ascii_isalnum(bytes[begin + length]) || bytes[begin + length] == '_')))
        return false;
    *found = (struct directive){.first = i,
                                .behind = i + 4,
                                .range = {token(tokens, i)->begin, token(tokens, i + 3)->end},
                                .clause = {begin + (uint32_t)length, end},
                                .in_macro = token(tokens, i)->line == GCL_LINE_DEFINE};
    return true;
}

// The first pragma from token *next on, behind which *next then is.
static bool find_pragma(const GArray *tokens, const char *bytes, guint *next,
                        struct directive *found) {
    for (guint i = *next; i < tokens->len; i++) {
        if (!read_pragma(tokens, bytes, i, found) && !read_operator(tokens, bytes, i, found))
            continue;
        *next = found->behind;
        return true;
    }
    return false;
}

static bool may_have_pragma(const char *bytes, size_t size) {
    return size > 0 && memmem(bytes, size, "gcluster", 8) != NULL;
}

// Line ends stay, and so do the backslashes before them.
static void blank(char *bytes, uint32_t begin, uint32_t end) {
    assert(begin <= end);
    for (uint32_t i = begin; i < end; i++) {
        size_t gap = bytes[i] == '\\' ? strspn(bytes + i + 1, " \t") : 0;
        bool continued = bytes[i] == '\\' && i + 1 + gap < end &&
                         (bytes[i + 1 + gap] == '\n' || bytes[i + 1 + gap] == '\r');
        if (bytes[i] != '\n' && bytes[i] != '\r' && !continued)
            bytes[i] = ' ';
    }
}

GBytes *gcl_pragmas_hide(GBytes *original) {
    size_t size;
    const char *old = g_bytes_get_data(original, &size);
    if (!may_have_pragma(old, size))
        return NULL;
    g_autoptr(GArray) tokens = gcl_lexer_read(old, size);
    g_autofree char *bytes = NULL;
    struct directive found;
    for (guint next = 0; find_pragma(tokens, old, &next, &found);) {
        if (!bytes) {
            bytes = g_malloc(size + 1);
            memcpy(bytes, old, size);
            bytes[size] = '\0';
        }
        for (guint i = found.first; i < found.behind; i++)
            blank(bytes, token(tokens, i)->begin, token(tokens, i)->end);
    }
    return bytes ? g_bytes_new_take(g_steal_pointer(&bytes), size) : NULL;
}

// The kernel that follows.

struct binding {
    const struct gcl_source_draft *draft;
    const char *bytes;
    GPtrArray *pragmas;
    GArray *kernels; // const struct gcl_source_kernel *: that of each pragma
    GPtrArray *diagnostics;
    GArray *skipped; // struct gcl_source_range
};

// `namespace a::b {` or `extern "C" {`, of which token i is the `{`.
static bool opens_scope(const GArray *tokens, const char *bytes, guint i) {
    while (i-- > 0) {
        const struct gcl_token *t = token(tokens, i);
        if (gcl_token_is(t, bytes, "namespace") || gcl_token_is(t, bytes, "extern"))
            return true;
        if (t->kind != GCL_TOKEN_IDENTIFIER && t->kind != GCL_TOKEN_SCOPE &&
            t->kind != GCL_TOKEN_LITERAL)
            break;
    }
    return false;
}

// The index of the first kernel whose name stands behind `offset`.
static guint kernel_behind(const GArray *kernels, uint32_t offset) {
    guint i = 0;
    while (i < kernels->len &&
           g_array_index(kernels, struct gcl_source_kernel, i).range.begin < offset)
        i++;
    return i;
}

// The index of the kernel that the declaration at token `first` is, the number of kernels if it is
// none. `unseen`: the text has a kernel there, but clang hasn't.
static guint find_kernel(const struct binding *binding, guint first, bool *unseen) {
    const GArray *tokens = binding->draft->tokens, *kernels = binding->draft->source->kernels;
    uint32_t begin = first < tokens->len ? token(tokens, first)->begin : G_MAXUINT32;
    guint kernel = kernel_behind(kernels, begin);
    *unseen = false;
    for (guint i = first; i < tokens->len; i++) {
        const struct gcl_token *t = token(tokens, i);
        if (t->line != GCL_LINE_TEXT)
            continue;
        if (kernel < kernels->len &&
            t->begin == g_array_index(kernels, struct gcl_source_kernel, kernel).range.begin)
            return kernel;
        *unseen |= gcl_token_is(t, binding->bytes, "__global__");
        if (t->kind == GCL_TOKEN_SEMICOLON || t->kind == GCL_TOKEN_CURLY_CLOSE ||
            (t->kind == GCL_TOKEN_CURLY_OPEN && !opens_scope(tokens, binding->bytes, i)))
            break;
    }
    return kernels->len;
}

static bool is_live(const struct binding *binding, uint32_t offset) {
    for (guint i = 0; i < binding->skipped->len; i++) {
        const struct gcl_source_range *range =
            &g_array_index(binding->skipped, struct gcl_source_range, i);
        if (offset >= range->begin && offset < range->end)
            return false;
    }
    return true;
}

static void add_clause(struct binding *binding, const struct gcl_source_kernel *kernel,
                       struct gcl_pragma_clause *clause) {
    const struct gcl_unit_file *source = binding->draft->source;
    const struct gcl_pragma_check check = {source, kernel, binding->diagnostics};
    if (!gcl_pragma_check_resolve(&check, clause))
        return;
    for (guint i = 0; i < binding->pragmas->len; i++) {
        const struct gcl_source_kernel *other =
            g_array_index(binding->kernels, struct gcl_source_kernel *, i);
        if (!gcl_pragma_check_agrees(&check, clause, binding->pragmas->pdata[i], other == kernel))
            return;
    }
    struct gcl_pragma *pragma = g_new0(struct gcl_pragma, 1);
    *pragma = (struct gcl_pragma){
        .kernel = g_strdup(kernel->name),
        .symbol = g_strdup(kernel->symbol),
        .parameter_count = kernel->parameter_count,
        .path = g_strdup(source->path),
        .length = clause->end - clause->begin,
        .clause = *clause,
    };
    gcl_unit_file_locate(source, clause->begin, &pragma->line, &pragma->column);
    clause->object.name = NULL;
    clause->nodes = NULL;
    g_ptr_array_add(binding->pragmas, pragma);
    g_array_append_val(binding->kernels, kernel);
}

// Clauses are read for each kernel, because every one gets its own. A name stands for several
// kernels where a file is included several times.
static void bind(struct binding *binding, const struct directive *directive, guint kernel) {
    const GArray *kernels = binding->draft->source->kernels;
    assert(kernel < kernels->len);
    const uint32_t begin = g_array_index(kernels, struct gcl_source_kernel, kernel).range.begin;
    for (; kernel < kernels->len; kernel++) {
        const struct gcl_source_kernel *k =
            &g_array_index(kernels, struct gcl_source_kernel, kernel);
        if (k->range.begin != begin)
            break;
        struct gcl_pragma_parsed parsed =
            gcl_pragma_parse(binding->bytes, directive->clause.begin, directive->clause.end);
        for (guint i = 0; i < parsed.clauses->len; i++)
            add_clause(binding, k, &g_array_index(parsed.clauses, struct gcl_pragma_clause, i));
        gcl_pragma_parsed_finish(&parsed);
    }
}

static void report_errors(const struct binding *binding, const struct directive *directive) {
    struct gcl_pragma_parsed parsed =
        gcl_pragma_parse(binding->bytes, directive->clause.begin, directive->clause.end);
    for (guint i = 0; i < parsed.errors->len; i++) {
        struct gcl_pragma_error *error = &g_array_index(parsed.errors, struct gcl_pragma_error, i);
        const struct gcl_source_range range = {error->begin, error->end};
        gcl_report_error(binding->diagnostics, binding->draft->source, range, GCL_CODE_BAD_PRAGMA,
                         error->help, error->message);
    }
    gcl_pragma_parsed_finish(&parsed);
}

static void see_directive(struct binding *binding, const struct directive *directive) {
    const struct gcl_unit_file *source = binding->draft->source;
    bool unseen;
    if (!is_live(binding, directive->range.begin))
        return;
    report_errors(binding, directive);
    if (directive->in_macro) {
        gcl_report_error(binding->diagnostics, source, directive->range, GCL_CODE_STRAY_PRAGMA,
                         "write '#pragma gcluster' in front of the kernel itself",
                         "a pragma for gcluster in a macro isn't tied to a kernel");
        return;
    }
    guint kernel = find_kernel(binding, directive->behind, &unseen);
    if (kernel < source->kernels->len)
        bind(binding, directive, kernel);
    else if (!unseen)
        gcl_report_error(binding->diagnostics, source, directive->range, GCL_CODE_STRAY_PRAGMA,
                         "write it directly in front of a __global__ function",
                         "no kernel follows this pragma");
}

void gcl_pragmas_collect(CXTranslationUnit unit, const GPtrArray *drafts, GPtrArray *pragmas,
                         GPtrArray *diagnostics) {
    g_autoptr(GArray) kernels = g_array_new(FALSE, FALSE, sizeof(struct gcl_source_kernel *));
    for (guint d = 0; d < drafts->len; d++) {
        const struct gcl_source_draft *draft = drafts->pdata[d];
        size_t size;
        const char *bytes = g_bytes_get_data(gcl_unit_file_text(draft->source), &size);
        struct directive found;
        if (!may_have_pragma(bytes, size))
            continue;
        g_autoptr(GArray) skipped = gcl_collect_skipped(unit, draft);
        struct binding binding = {draft, bytes, pragmas, kernels, diagnostics, skipped};
        for (guint next = 0; find_pragma(draft->tokens, bytes, &next, &found);)
            see_directive(&binding, &found);
    }
}
