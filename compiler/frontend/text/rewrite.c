// Edits only touch CUDA names, chevrons and the space around them:
//
//     k   <<<   g,b   >>>   (   a)
//     gclLaunch(k,    g,b, 0, 0,    a)
//
// A gap between two parts keeps its comments and line ends and otherwise shrinks to what a person
// would write. Parts with a comma outside parentheses get parentheses, because gclLaunch is a
// macro.
#define _GNU_SOURCE // memmem
#include "frontend/text/rewrite.h"

#include <assert.h>
#include <string.h>

#include "base/diagnostic.h"

static void edits_destroy(gpointer data) {
    gcl_edits_destroy(data);
}

// Appends the part of a gap that must stay: all of it if it has a comment or a line end.
static void append_gap(GString *out, const char *bytes, uint32_t begin, uint32_t end) {
    assert(begin <= end);
    for (uint32_t i = begin; i < end; i++) {
        if (bytes[i] != ' ' && bytes[i] != '\t') {
            g_string_append_len(out, bytes + begin, end - begin);
            return;
        }
    }
}

static bool has_comma(const struct gcl_source_launch *launch, uint32_t part) {
    assert(part <= GCL_CONFIGURATION_MAX);
    return launch->commas >> part & 1;
}

// From the kernel's end to the first configuration argument.
static void edit_open(struct gcl_edits *edits, const struct gcl_source_launch *launch,
                      const char *bytes) {
    uint32_t begin = launch->kernel.end, end = launch->configuration[0].begin;
    GString *text = g_string_new(has_comma(launch, GCL_CONFIGURATION_MAX) ? ")," : ",");
    gsize bare = text->len;
    append_gap(text, bytes, begin, launch->chevrons.begin);
    append_gap(text, bytes, launch->chevrons.end, end);
    if (text->len == bare)
        g_string_append_c(text, ' ');
    if (has_comma(launch, 0))
        g_string_append_c(text, '(');
    gcl_edits_add(edits, begin, end, text->str);
    g_string_free(text, TRUE);
}

// From the last configuration argument to the first argument, or to the closing parenthesis.
static void edit_close(struct gcl_edits *edits, const struct gcl_source_launch *launch,
                       const char *bytes) {
    static const char *const defaults[] = {", 0, 0", ", 0", ""};
    uint32_t last = launch->configuration_count - 1;
    uint32_t begin = launch->configuration[last].end, end = launch->arguments.begin;
    bool empty = launch->arguments.end == launch->arguments.begin;
    GString *text = g_string_new(has_comma(launch, last) ? ")" : "");
    g_string_append(text, defaults[launch->configuration_count - 2]);
    g_string_append(text, empty ? "" : ",");
    gsize bare = text->len;
    append_gap(text, bytes, begin, launch->close.begin);
    append_gap(text, bytes, launch->close.end, launch->open);
    append_gap(text, bytes, launch->open + 1, end);
    if (text->len == bare && !empty)
        g_string_append_c(text, ' ');
    gcl_edits_add(edits, begin, end, text->str);
    g_string_free(text, TRUE);
}

static void edit_launch(struct gcl_edits *edits, const struct gcl_source_launch *launch,
                        const char *bytes) {
    assert(launch->keep == GCL_KEEP_NONE);
    assert(launch->configuration_count >= 2 &&
           launch->configuration_count <= GCL_CONFIGURATION_MAX);
    bool comma = has_comma(launch, GCL_CONFIGURATION_MAX);
    gcl_edits_add(edits, launch->kernel.begin, launch->kernel.begin,
                  comma ? "gclLaunch((" : "gclLaunch(");
    edit_open(edits, launch, bytes);
    for (uint32_t i = 0; i < launch->configuration_count; i++) {
        const struct gcl_source_range *range = &launch->configuration[i];
        if (i > 0 && has_comma(launch, i))
            gcl_edits_add(edits, range->begin, range->begin, "(");
        if (i + 1 < launch->configuration_count && has_comma(launch, i))
            gcl_edits_add(edits, range->end, range->end, ")");
    }
    edit_close(edits, launch, bytes);
}

// From device code: k<<<g, b>>>(a) becomes __gcl_child<decltype(k), k>(g, b)(a), on the same lines.
// Of several kernels of that name, the type names one; clang looks for it outside functions only,
// as which a local class counts.
static void edit_child(struct gcl_edits *edits, const struct gcl_source_launch *launch,
                       const char *bytes) {
    assert(launch->keep == GCL_KEEP_CHILD);
    uint32_t begin = launch->kernel.begin;
    g_autofree char *kernel = g_strndup(bytes + begin, launch->kernel.end - begin);
    g_strdelimit(kernel, "\r\n", ' ');
    g_autofree char *open =
        launch->type
            ? g_strdup_printf("({ struct __gcl_named { typedef __gcl_child<%s, ", launch->type)
            : g_strdup_printf("__gcl_child<decltype(%s), ", kernel);
    gcl_edits_add(edits, begin, begin, open);
    gcl_edits_add(edits, launch->chevrons.begin, launch->chevrons.end,
                  launch->type ? "> type; }; __gcl_named::type(" : ">(");
    gcl_edits_add(edits, launch->close.begin, launch->close.end, launch->type ? "); })" : ")");
}

static void edit_children(struct gcl_edits *edits, const struct gcl_unit_file *source) {
    const char *bytes = g_bytes_get_data(gcl_unit_file_text(source), NULL);
    for (guint i = 0; i < source->launches->len; i++) {
        const struct gcl_source_launch *launch =
            &g_array_index(source->launches, struct gcl_source_launch, i);
        if (launch->keep == GCL_KEEP_CHILD)
            edit_child(edits, launch, bytes);
    }
}

// `x.get<n>()` becomes `x.template get<n>()`.
static void edit_templates(struct gcl_edits *edits, const struct gcl_unit_file *source) {
    for (guint i = 0; i < source->templates->len; i++) {
        uint32_t at = g_array_index(source->templates, uint32_t, i);
        gcl_edits_add(edits, at, at, "template ");
    }
}

// Where a launch stays, the mended brackets must go into the text all the same.
static void edit_mended(struct gcl_edits *edits, const struct gcl_unit_file *source) {
    if (!source->prepared)
        return;
    size_t size;
    const char *old = g_bytes_get_data(source->bytes, &size);
    const char *bytes = g_bytes_get_data(source->prepared, NULL);
    guint count = edits->list->len, next = 0; // those of the launches, ascending
    for (uint32_t i = 0; i < size; i++) {
        while (next < count && g_array_index(edits->list, struct gcl_edit, next).end <= i)
            next++;
        bool covered = next < count && g_array_index(edits->list, struct gcl_edit, next).begin <= i;
        const char mended[2] = {bytes[i], '\0'};
        if (old[i] != bytes[i] && !covered)
            gcl_edits_add(edits, i, i + 1, mended);
    }
}

static struct gcl_edits *rewrite_source(const struct gcl_unit_file *source, bool for_clang) {
    struct gcl_edits *edits = gcl_edits_create(source->path);
    const char *bytes = g_bytes_get_data(gcl_unit_file_text(source), NULL);
    for (guint i = 0; i < source->launches->len; i++) {
        const struct gcl_source_launch *launch =
            &g_array_index(source->launches, struct gcl_source_launch, i);
        if (launch->keep == GCL_KEEP_NONE)
            edit_launch(edits, launch, bytes);
    }
    if (for_clang) {
        edit_children(edits, source);
        edit_templates(edits, source);
    }
    gcl_edits_sort(edits); // launches nest: a lambda among the arguments may launch
    edit_mended(edits, source);
    for (guint i = 0; i < source->uses->len; i++) {
        const struct gcl_source_use *use = &g_array_index(source->uses, struct gcl_source_use, i);
        if (use->keep == GCL_KEEP_NONE)
            gcl_edits_add(edits, use->range.begin, use->range.end, use->name->gcl);
    }
    gboolean disjoint = gcl_edits_normalise(edits);
    g_assert(disjoint);
    return edits;
}

static GPtrArray *rewrite(const struct gcl_source_unit *unit, bool for_clang) {
    GPtrArray *rewritten = g_ptr_array_new_with_free_func(edits_destroy);
    for (guint i = 0; i < unit->sources->len; i++) {
        struct gcl_edits *edits = rewrite_source(unit->sources->pdata[i], for_clang);
        if (edits->list->len > 0)
            g_ptr_array_add(rewritten, edits);
        else
            gcl_edits_destroy(edits);
    }
    return rewritten;
}

GPtrArray *gcl_rewrite(const struct gcl_source_unit *unit) {
    return rewrite(unit, false);
}

GPtrArray *gcl_rewrite_for_clang(const struct gcl_source_unit *unit) {
    return rewrite(unit, true);
}

GBytes *gcl_rewrite_text(const struct gcl_unit_file *source, const GPtrArray *rewritten) {
    for (guint i = 0; i < rewritten->len; i++) {
        const struct gcl_edits *edits = rewritten->pdata[i];
        if (strcmp(edits->path, source->path) == 0)
            return gcl_edits_apply(edits, source->bytes);
    }
    return NULL;
}

static bool has_symbols(const struct gcl_source_unit *unit) {
    static const char word[] = "Symbol"; // cudaMemcpyFromSymbol, cudaGetSymbolSize…
    bool has = false;
    for (guint i = 0; i < unit->sources->len && !has; i++) {
        const struct gcl_unit_file *source = unit->sources->pdata[i];
        size_t size;
        const char *bytes = g_bytes_get_data(source->bytes, &size);
        has = bytes && memmem(bytes, size, word, strlen(word));
    }
    return has;
}

static void mark_constants(struct gcl_edits *edits, const struct gcl_unit_file *source) {
    for (guint i = 0; i < source->constants->len; i++) {
        uint32_t at = g_array_index(source->constants, uint32_t, i);
        gcl_edits_add(edits, at, at, "__constant__ ");
    }
}

GHashTable *gcl_rewrite_device(const struct gcl_source_unit *unit) {
    GHashTable *texts =
        g_hash_table_new_full(g_str_hash, g_str_equal, g_free, (GDestroyNotify)g_bytes_unref);
    bool marks = has_symbols(unit);
    for (guint i = 0; i < unit->sources->len; i++) {
        const struct gcl_unit_file *source = unit->sources->pdata[i];
        struct gcl_edits *edits = gcl_edits_create(source->path);
        if (marks)
            mark_constants(edits, source);
        edit_children(edits, source);
        edit_templates(edits, source);
        gcl_edits_sort(edits);
        if (edits->list->len > 0)
            g_hash_table_insert(texts, g_strdup(source->path),
                                gcl_edits_apply(edits, source->bytes));
        gcl_edits_destroy(edits);
    }
    if (g_hash_table_size(texts) == 0)
        g_clear_pointer(&texts, g_hash_table_unref);
    return texts;
}
