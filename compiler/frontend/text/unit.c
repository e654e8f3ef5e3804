// Printing and freeing units. The dump is one line a fact, so that a test can look for one line.
#include "frontend/text/unit.h"

#include <assert.h>
#include <string.h>

#include "base/lines.h"
#include "base/shape.h"

static void clear_kernel(gpointer data) {
    struct gcl_source_kernel *kernel = data;
    g_free(kernel->name);
    g_free(kernel->symbol);
    g_array_unref(kernel->parameters);
}

void gcl_unit_file_destroy(struct gcl_unit_file *source) {
    if (!source)
        return;
    g_free(source->path);
    g_clear_pointer(&source->bytes, g_bytes_unref);
    g_clear_pointer(&source->prepared, g_bytes_unref);
    g_array_unref(source->lines);
    g_array_unref(source->uses);
    g_array_unref(source->launches);
    g_array_unref(source->kernels);
    g_array_unref(source->constants);
    g_array_unref(source->templates);
    g_free(source);
}

static void find_lines(struct gcl_unit_file *source) {
    size_t size;
    const char *bytes = g_bytes_get_data(source->bytes, &size);
    uint32_t start = 0;
    g_array_append_val(source->lines, start);
    for (size_t i = 0; i < size; i++) {
        bool pair = bytes[i] == '\r' && i + 1 < size && bytes[i + 1] == '\n';
        if (pair || (bytes[i] != '\n' && bytes[i] != '\r'))
            continue;
        start = (uint32_t)i + 1;
        g_array_append_val(source->lines, start);
    }
}

GBytes *gcl_unit_file_text(const struct gcl_unit_file *source) {
    return source->prepared ? source->prepared : source->bytes;
}

struct gcl_unit_file *gcl_unit_file_create(const char *path, GBytes *bytes, GBytes *prepared) {
    assert(!prepared || g_bytes_get_size(prepared) == g_bytes_get_size(bytes));
    struct gcl_unit_file *source = g_new0(struct gcl_unit_file, 1);
    source->path = g_strdup(path);
    source->bytes = g_bytes_ref(bytes);
    source->prepared = prepared ? g_bytes_ref(prepared) : NULL;
    source->lines = g_array_new(FALSE, FALSE, sizeof(uint32_t));
    source->uses = g_array_new(FALSE, FALSE, sizeof(struct gcl_source_use));
    source->launches = g_array_new(FALSE, FALSE, sizeof(struct gcl_source_launch));
    source->kernels = g_array_new(FALSE, FALSE, sizeof(struct gcl_source_kernel));
    g_array_set_clear_func(source->kernels, clear_kernel);
    source->constants = g_array_new(FALSE, FALSE, sizeof(uint32_t));
    source->templates = g_array_new(FALSE, FALSE, sizeof(uint32_t));
    find_lines(source);
    return source;
}

struct gcl_source_unit *gcl_unit_create(void) {
    struct gcl_source_unit *unit = g_new0(struct gcl_source_unit, 1);
    unit->sources = g_ptr_array_new_with_free_func((GDestroyNotify)gcl_unit_file_destroy);
    unit->shapes = gcl_shapes_create();
    unit->pragmas = gcl_pragmas_create();
    unit->lowered = g_ptr_array_new_with_free_func(g_free);
    return unit;
}

void gcl_unit_destroy(struct gcl_source_unit *unit) {
    if (!unit)
        return;
    g_ptr_array_unref(unit->sources);
    g_array_unref(unit->shapes);
    g_ptr_array_unref(unit->pragmas);
    g_ptr_array_unref(unit->lowered);
    if (unit->messages)
        g_ptr_array_unref(unit->messages);
    g_free(unit);
}

const struct gcl_unit_file *gcl_unit_find(const struct gcl_source_unit *unit, const char *path) {
    for (guint i = 0; i < unit->sources->len; i++) {
        const struct gcl_unit_file *source = unit->sources->pdata[i];
        if (strcmp(source->path, path) == 0)
            return source;
    }
    return NULL;
}

void gcl_unit_file_locate(const struct gcl_unit_file *source, uint32_t offset, uint32_t *line,
                          uint32_t *column) {
    guint number = gcl_line_of(source->lines, offset);
    assert(number < source->lines->len && g_array_index(source->lines, uint32_t, number) <= offset);
    *line = number + 1;
    *column = offset - g_array_index(source->lines, uint32_t, number) + 1;
}

char *gcl_unit_file_line(const struct gcl_unit_file *source, uint32_t line) {
    if (line == 0 || line > source->lines->len)
        return NULL;
    size_t size;
    const char *bytes = g_bytes_get_data(source->bytes, &size);
    size_t begin = g_array_index(source->lines, uint32_t, line - 1), end = begin;
    while (end < size && bytes[end] != '\n' && bytes[end] != '\r')
        end++;
    return g_strndup(bytes + begin, end - begin);
}

const char *gcl_keep_text(enum gcl_keep keep) {
    static const char *const text[] = {
#define GCL_KEEP_TEXT(name, text) [GCL_KEEP_##name] = text,
        GCL_KEEP_LIST(GCL_KEEP_TEXT)
#undef GCL_KEEP_TEXT
    };
    assert(keep < G_N_ELEMENTS(text));
    return text[keep];
}

static void print_place(const struct gcl_unit_file *source, struct gcl_source_range range,
                        const char *fact, FILE *out) {
    uint32_t line, column;
    gcl_unit_file_locate(source, range.begin, &line, &column);
    fprintf(out, "%s %u:%u [%u, %u) ", fact, line, column, range.begin, range.end);
}

static void print_keep(enum gcl_keep keep, FILE *out) {
    if (keep == GCL_KEEP_NONE)
        fputc('\n', out);
    else
        fprintf(out, " kept: %s\n", gcl_keep_text(keep));
}

static void print_range(const struct gcl_unit_file *source, const char *what,
                        struct gcl_source_range range, FILE *out) {
    assert(range.begin <= range.end);
    const char *bytes = g_bytes_get_data(source->bytes, NULL);
    fprintf(out, " %s '", what);
    for (uint32_t i = range.begin; i < range.end; i++)
        fputc(bytes[i] == '\n' || bytes[i] == '\r' ? ' ' : bytes[i], out);
    fputc('\'', out);
}

static void print_launch(const struct gcl_unit_file *source, const struct gcl_source_launch *launch,
                         FILE *out) {
    print_place(source, launch->chevrons, "launch", out);
    fputs(launch->evidence == GCL_EVIDENCE_TREE ? "tree" : "text", out);
    if (launch->in_macro)
        fputs(" macro", out);
    if (launch->keep == GCL_KEEP_NONE) {
        print_range(source, "kernel", launch->kernel, out);
        for (uint32_t i = 0; i < launch->configuration_count; i++)
            print_range(source, i ? "," : "configuration", launch->configuration[i], out);
        print_range(source, "arguments", launch->arguments, out);
    }
    print_keep(launch->keep, out);
}

static void print_source(const struct gcl_unit_file *source, FILE *out) {
    fprintf(out, "file %s %zu bytes%s\n", source->path, g_bytes_get_size(source->bytes),
            source->prepared ? " prepared" : "");
    for (guint i = 0; i < source->kernels->len; i++) {
        const struct gcl_source_kernel *kernel =
            &g_array_index(source->kernels, struct gcl_source_kernel, i);
        print_place(source, kernel->range, "kernel", out);
        fprintf(out, "%s%s%s\n", kernel->name, kernel->is_template ? " template" : "",
                kernel->is_definition ? "" : " declaration");
    }
    for (guint i = 0; i < source->constants->len; i++) {
        uint32_t at = g_array_index(source->constants, uint32_t, i), line, column;
        gcl_unit_file_locate(source, at, &line, &column);
        fprintf(out, "constant %u:%u\n", line, column);
    }
    for (guint i = 0; i < source->uses->len; i++) {
        const struct gcl_source_use *use = &g_array_index(source->uses, struct gcl_source_use, i);
        print_place(source, use->range, "use", out);
        fprintf(out, "%s %s", use->name->cuda, gcl_name_kind_text(use->name->kind));
        print_keep(use->keep, out);
    }
    for (guint i = 0; i < source->launches->len; i++)
        print_launch(source, &g_array_index(source->launches, struct gcl_source_launch, i), out);
}

void gcl_unit_print(const struct gcl_source_unit *unit, FILE *out) {
    for (guint i = 0; i < unit->sources->len; i++)
        print_source(unit->sources->pdata[i], out);
    if (unit->has_errors)
        fputs("clang found errors: some facts are from the text alone\n", out);
}

bool gcl_unit_lacks_file(const char *text) {
    return g_str_has_suffix(text, "file not found");
}
