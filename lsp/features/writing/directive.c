// A pragma's words come with their clauses: in editors that fill places in, as templates.
#include "lsp/features/writing/directive.h"

#include <string.h>

#include "base/pragma.h"
#include "lsp/base/json.h"
#include "lsp/read/tree.h"

/// A word that may stand behind another one.
struct word {
    const char *name;
    const char *snippet; ///< NULL: the name
    const char *text;
};

static const struct word pragmas[] = {
    {"gcluster", "gcluster $0", "Says what the compiler can't prove of the kernel behind it."},
    {"once", NULL, "This file is read once, however often it is included."},
    {"unroll", "unroll ${1:4}", "So many turns of the loop behind it become one; 1: none do."},
};

// In the order of GCL_PRAGMA_KINDS.
static const struct word clauses[] = {
    {"split", "split(${1|x,y,z|})", "Nodes get parts of the grid along this axis."},
    {"single", NULL, "All blocks of the kernel run on one node."},
    {"reads", "reads(${1:in}[${2:first} : ${3:count}])",
     "Each block, or each thread if threadIdx is named, reads these elements at most."},
    {"writes", "writes(${1:out}[${2:first} : ${3:count}])",
     "Each block, or each thread if threadIdx is named, writes these elements at most."},
    {"reduces", "reduces(${1:sum}, ${2|+,min,max,&,\\|,^|})",
     "Blocks change the array by this operation alone: nodes put their results together."},
    {"replicate", "replicate(${1:table})", "Every node gets all of the array, once."},
    {"disjoint", "disjoint(${1:out})", "No two blocks write the same element of the array."},
};
G_STATIC_ASSERT(G_N_ELEMENTS(clauses) == GCL_PRAGMA_KIND_COUNT);

// The line's text before the place, to be freed.
static char *line_before(const struct gcl_query *query) {
    const struct gcl_line_table *text = query->view->text;
    uint32_t line, character, begin, end;
    gcl_line_table_locate(text, query->offset, &line, &character);
    gcl_line_table_line(text, line, &begin, &end);
    return g_strndup(gcl_line_table_data(text, NULL) + begin, query->offset - begin);
}

static void add_word(const struct gcl_query *query, const struct word *word, json_t *range,
                     json_t *items) {
    bool fills = query->worker->snippets && word->snippet;
    json_t *item = json_pack("{s:s, s:i, s:s, s:{s:O, s:s}}", "label", word->name, "kind", 14,
                             "documentation", word->text, "textEdit", "range", range, "newText",
                             fills ? word->snippet : word->name);
    if (fills)
        json_object_set_new(item, "insertTextFormat", json_integer(2));
    json_array_append_new(items, item);
}

json_t *gcl_directive_pragmas(const struct gcl_query *query, json_t *range) {
    g_autofree char *before = line_before(query);
    const char *at = before + strspn(before, " \t");
    if (*at != '#')
        return NULL;
    at += 1 + strspn(at + 1, " \t");
    if (!g_str_has_prefix(at, "pragma") || (at[6] != ' ' && at[6] != '\t'))
        return NULL;
    json_t *items = json_array();
    at += strlen("pragma");
    at += strspn(at, " \t");
    bool is_ours = g_str_has_prefix(at, "gcluster") && (at[8] == ' ' || at[8] == '\t');
    for (size_t i = 0; is_ours && i < G_N_ELEMENTS(clauses); i++)
        add_word(query, &clauses[i], range, items);
    for (size_t i = 0; !at[strcspn(at, " \t(")] && i < G_N_ELEMENTS(pragmas); i++)
        add_word(query, &pragmas[i], range, items);
    return items;
}

bool gcl_directive_includes(const struct gcl_query *query, uint32_t *begin, uint32_t *end) {
    g_autofree char *before = line_before(query);
    const char *at = before + strspn(before, " \t"), *part;
    size_t size;
    if (*at != '#')
        return false;
    at += 1 + strspn(at + 1, " \t");
    if (!g_str_has_prefix(at, "include"))
        return false;
    at += strlen("include");
    at += strspn(at, " \t");
    char close = *at == '<' ? '>' : '"';
    if ((*at != '<' && *at != '"') || strchr(at + 1, close))
        return false;
    for (part = ++at; *at; at++)
        part = *at == '/' ? at + 1 : part;
    const char *text = gcl_line_table_data(query->view->text, &size);
    *begin = query->offset - (uint32_t)strlen(part);
    *end = query->offset;
    while (*end < size && (g_ascii_isalnum(text[*end]) || strchr("_.-+", text[*end])))
        ++*end;
    *end += *end < size && text[*end] == close;
    return true;
}

const char *gcl_directive_header(const char *name) {
    static const struct word headers[] = {
        {"cooperative_groups.h", NULL, "Groups of threads that wait for and talk to each other."},
        {"cublas_v2.h", NULL, "Linear algebra on vectors and dense matrices."},
        {"cuda.h", NULL, "The driver API: contexts, modules, functions by name."},
        {"cuda_bf16.h", NULL, "Numbers of 16 bits with the exponent of a float."},
        {"cuda_fp16.h", NULL, "Numbers of 16 bits, IEEE's half precision."},
        {"cuda_fp8.h", NULL, "Numbers of 8 bits."},
        {"cuda_pipeline.h", NULL, "Copies to shared memory while threads compute."},
        {"cuda_runtime.h", NULL, "The runtime API; CUDA sources have it without the #include."},
        {"cuda_runtime_api.h", NULL, "The runtime API's part for C."},
        {"cufft.h", NULL, "Fourier transforms."},
        {"curand.h", NULL, "Random numbers, many at once."},
        {"curand_kernel.h", NULL, "Random numbers in kernels."},
        {"cusolverDn.h", NULL, "Factors and eigenvalues of dense matrices."},
        {"cusparse.h", NULL, "Linear algebra on sparse matrices."},
        {"mma.h", NULL, "Products of small matrices by a warp (nvcuda::wmma)."},
        {"nvrtc.h", NULL, "Compiles CUDA C++ while the program runs."},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(headers); i++) {
        if (strcmp(headers[i].name, name) == 0)
            return headers[i].text;
    }
    return NULL;
}
