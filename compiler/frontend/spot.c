// clang's text says what it expected; that a launch was meant is seen from the tokens.
#include "frontend/spot.h"

#include <string.h>

#include "frontend/draft.h"
#include "frontend/mend.h"
#include "frontend/report.h"
#include "frontend/text/lexer.h"
#include "support/support.h"

// The token in which clang's place lies, if it isn't at its beginning.
static const struct gcl_token *token_around(const struct gcl_spot *spot) {
    guint i = gcl_token_at(spot->draft->tokens, spot->offset);
    const struct gcl_token *token = i > 0 ? gcl_draft_token(spot->draft, i - 1) : NULL;
    return token && token->begin < spot->offset && spot->offset < token->end ? token : NULL;
}

static struct gcl_source_range range_of(const struct gcl_token *token) {
    return (struct gcl_source_range){token->begin, token->end};
}

static char *word_of(const struct gcl_spot *spot, const struct gcl_token *token) {
    const char *text = g_bytes_get_data(gcl_unit_file_text(spot->draft->source), NULL);
    return g_strndup(text + token->begin, token->end - token->begin);
}

static bool report_braces(const struct gcl_spot *spot, GPtrArray *diagnostics) {
    guint i = gcl_token_at(spot->draft->tokens, spot->offset);
    const struct gcl_token *token = gcl_draft_token(spot->draft, i);
    if (!g_str_has_prefix(spot->text, "expected expression") || i == 0 || !token ||
        token->kind != GCL_TOKEN_CURLY_OPEN || token[-1].kind != GCL_TOKEN_LAUNCH_OPEN)
        return false;
    struct gcl_diagnostic *added = gcl_report_error(
        diagnostics, spot->draft->source, range_of(token), GCL_CODE_BRACED_CONFIGURATION,
        "write dim3{...}", "launch configuration in bare braces");
    gcl_mend_insert(added, spot->draft->source, token->begin, "dim3");
    return true;
}

// In C++ `<<<` is `<<` and `<`, between which clang misses an expression.
static bool report_launch(const struct gcl_spot *spot, GPtrArray *diagnostics) {
    const struct gcl_token *token = token_around(spot);
    if (!token || !g_str_has_prefix(spot->text, "expected expression"))
        return false;
    if (token->kind == GCL_TOKEN_LAUNCH_OPEN)
        gcl_report_error(diagnostics, spot->draft->source, range_of(token), GCL_CODE_LAUNCH_IN_CXX,
                         "name the file .cu, or compile it with -x cu",
                         "kernel launch in a file that is compiled as C++");
    return token->kind == GCL_TOKEN_LAUNCH_OPEN || token->kind == GCL_TOKEN_LAUNCH_CLOSE;
}

static bool is_kernel(const struct gcl_spot *spot, const struct gcl_token *token) {
    const GArray *kernels = spot->draft->source->kernels;
    g_autofree char *word = word_of(spot, token);
    for (guint i = 0; i < kernels->len; i++) {
        const char *name = g_array_index(kernels, struct gcl_source_kernel, i).name;
        const char *last = strrchr(name, ':');
        if (strcmp(last ? last + 1 : name, word) == 0)
            return true;
    }
    return false;
}

// The `>>` before the arguments, in the statement that goes on at token `i`; NULL: there is none.
static const struct gcl_token *closing(const struct gcl_spot *spot, guint i) {
    for (const struct gcl_token *token; (token = gcl_draft_token(spot->draft, i)); i++) {
        if (token->kind == GCL_TOKEN_SEMICOLON)
            return NULL;
        if (token->kind == GCL_TOKEN_SHIFT_RIGHT && gcl_draft_token(spot->draft, i + 1) &&
            token[1].kind == GCL_TOKEN_ROUND_OPEN)
            return token;
    }
    return NULL;
}

static char *key_of(const struct gcl_spot *spot, uint32_t offset) {
    return g_strdup_printf("brackets:%s:%u", spot->draft->source->path, offset);
}

// `k<<1, 64>>(p)` shifts a kernel, and then something by what comes in parentheses.
static bool report_brackets(const struct gcl_spot *spot, GHashTable *reported,
                            GPtrArray *diagnostics) {
    guint i = gcl_token_at(spot->draft->tokens, spot->offset);
    const struct gcl_token *token = gcl_draft_token(spot->draft, i);
    g_autofree char *key = key_of(spot, spot->offset);
    if (!g_str_has_prefix(spot->text, "invalid operands to binary expression") || i == 0 || !token)
        return false;
    if (g_hash_table_contains(reported, key))
        return true;
    const struct gcl_token *close = closing(spot, i);
    if (token->begin != spot->offset || token->kind != GCL_TOKEN_SHIFT_LEFT || !close ||
        !is_kernel(spot, token - 1))
        return false;
    const struct gcl_unit_file *source = spot->draft->source;
    struct gcl_diagnostic *added =
        gcl_report_error(diagnostics, source, range_of(token), GCL_CODE_BRACKETS,
                         "write <<<blocks, threads>>>", "launch with two brackets for three");
    gcl_mend_insert(added, source, token->begin, "<");
    gcl_mend_insert(added, source, close->begin, ">");
    g_hash_table_add(reported, key_of(spot, close->begin));
    return true;
}

// Headers.

// What a program includes for a name that one of our headers declares; NULL: there is none.
static const char *header_for(const struct gcl_support *support) {
    static const char *const inner[] = {
        "cuda_runtime_api.h", "driver_types.h",  "vector_types.h", "vector_functions.h",
        "texture_types.h",    "surface_types.h", "device_types.h", "crt/host_defines.h"};
    const char *header = support->header;
    if (!header || support->level < GCL_SUPPORT_PARTLY || g_str_has_prefix(header, "sm_"))
        return NULL;
    for (size_t i = 0; i < G_N_ELEMENTS(inner); i++) {
        if (strcmp(header, inner[i]) == 0)
            return "cuda_runtime.h";
    }
    return strcmp(header, "crt/mma.h") == 0      ? "mma.h"
           : strcmp(header, "cublas_api.h") == 0 ? "cublas_v2.h"
                                                 : header;
}

// Whether clang's text says so of this word, which could also be a macro whose text has others.
static bool says_unknown(const char *text, const char *word) {
    static const char *const beginnings[] = {"use of undeclared identifier '",
                                             "unknown type name '", "no template named '",
                                             "expected namespace name"};
    const char *quote = strchr(text, '\'');
    size_t length = strlen(word);
    bool is_other = quote && (strncmp(quote + 1, word, length) != 0 || quote[1 + length] != '\'');
    for (size_t i = 0; i < G_N_ELEMENTS(beginnings) && !is_other; i++) {
        if (g_str_has_prefix(text, beginnings[i]))
            return strstr(text, "did you mean") == NULL;
    }
    return false;
}

static const char *find_header(const char *word) {
    if (strcmp(word, "cooperative_groups") == 0 || strcmp(word, "cg") == 0)
        return "cooperative_groups.h";
    if (strcmp(word, "nvcuda") == 0)
        return "mma.h";
    struct gcl_support support = gcl_support_find(word);
    return support.kind && strcmp(support.kind, "name") != 0 ? header_for(&support) : NULL;
}

static bool is_member(const struct gcl_spot *spot, guint i) {
    const struct gcl_token *before = i > 0 ? gcl_draft_token(spot->draft, i - 1) : NULL;
    return before && (before->kind == GCL_TOKEN_SCOPE || before->kind == GCL_TOKEN_DOT ||
                      before->kind == GCL_TOKEN_ARROW);
}

// All that a header declares has one error.
static bool report_header(const struct gcl_spot *spot, GHashTable *reported,
                          GPtrArray *diagnostics) {
    guint i = gcl_token_at(spot->draft->tokens, spot->offset);
    const struct gcl_token *token = gcl_draft_token(spot->draft, i);
    if (!token || token->begin != spot->offset || token->kind != GCL_TOKEN_IDENTIFIER ||
        is_member(spot, i))
        return false;
    g_autofree char *word = word_of(spot, token);
    const char *header = says_unknown(spot->text, word) ? find_header(word) : NULL;
    if (!header)
        return false;
    if (!g_hash_table_add(reported, g_strconcat("header:", header, NULL)))
        return true;
    bool is_device = strcmp(header, "device_launch_parameters.h") == 0;
    g_autofree char *message =
        is_device ? g_strdup_printf("'%s' in a file that is compiled as C++", word)
                  : g_strdup_printf("'%s' is declared in %s, which isn't included", word, header);
    g_autofree char *help = is_device ? g_strdup("name the file .cu, or compile it with -x cu")
                                      : g_strdup_printf("#include <%s>", header);
    struct gcl_diagnostic *added = gcl_report_error(
        diagnostics, spot->draft->source, range_of(token),
        is_device ? GCL_CODE_LAUNCH_IN_CXX : GCL_CODE_HEADER_NOT_INCLUDED, help, message);
    if (!is_device)
        gcl_mend_header(added, spot->draft, header);
    return true;
}

// Words.

// Whether a word is another one but for underscores and case, or one letter that is wrong, lacking
// or too many.
static bool is_nearly(const char *word, const char *other) {
    size_t size = strlen(word), other_size = strlen(other), begin = 0, end = 0;
    while (word[begin] && g_ascii_tolower(word[begin]) == other[begin])
        begin++;
    while (end < size - begin && end < other_size - begin &&
           g_ascii_tolower(word[size - 1 - end]) == other[other_size - 1 - end])
        end++;
    return size - begin - end <= 1 && other_size - begin - end <= 1;
}

// `_global_`, `__device`, `__globl__`, and `global` where a type is meant.
static bool report_misspelt(const struct gcl_spot *spot, GPtrArray *diagnostics) {
    static const char *const words[] = {"global", "device",   "host",
                                        "shared", "constant", "managed"};
    guint i = gcl_token_at(spot->draft->tokens, spot->offset);
    const struct gcl_token *token = gcl_draft_token(spot->draft, i);
    if (!g_str_has_prefix(spot->text, "unknown type name '") || !token ||
        token->begin != spot->offset || token->kind != GCL_TOKEN_IDENTIFIER)
        return false;
    g_autofree char *word = word_of(spot, token);
    g_autofree char *bare = g_strdup(word + strspn(word, "_"));
    for (size_t end = strlen(bare); end > 0 && bare[end - 1] == '_'; end--)
        bare[end - 1] = '\0';
    for (size_t k = 0; k < G_N_ELEMENTS(words); k++) {
        // A word without any underscore may be the program's own, if not quite the same.
        bool is_meant = *word == '_' ? is_nearly(bare, words[k]) : strcmp(word, words[k]) == 0;
        if (!is_meant || *bare == '\0')
            continue;
        g_autofree char *right = g_strdup_printf("__%s__", words[k]);
        g_autofree char *message = g_strdup_printf("'%s' is no word of CUDA's", word);
        g_autofree char *help = g_strdup_printf("write %s", right);
        gcl_mend_replace(gcl_report_error(diagnostics, spot->draft->source, range_of(token),
                                          GCL_CODE_MISSPELT, help, message),
                         spot->draft->source, range_of(token), right);
        return true;
    }
    return false;
}

bool gcl_spot_report(const struct gcl_spot *spot, GHashTable *reported, GPtrArray *diagnostics) {
    return report_header(spot, reported, diagnostics) || report_misspelt(spot, diagnostics) ||
           report_braces(spot, diagnostics) || report_launch(spot, diagnostics) ||
           report_brackets(spot, reported, diagnostics);
}
