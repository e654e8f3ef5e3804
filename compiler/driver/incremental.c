// A kernel's explanation lies under the SHA-256 of all that it comes from: a kernel that has
// changed has another name in the folder, so that no explanation there has to be checked for its
// age.
#include "incremental.h"

#include <glib/gstdio.h>
#include <jansson.h>
#include <stdio.h>
#include <string.h>
#include <utime.h>

#include "base/names.h"
#include "base/pragma.h"
#include "base/shape.h"
#include "compile.h"
#include "frontend/text/lexer.h"
#include "parts.h"

// Reading.

static char *checksum_of(GPtrArray *command) {
    g_autoptr(GPtrArray) words = command;
    g_ptr_array_add(words, NULL);
    g_autofree char *text = g_strjoinv("\n", (char **)words->pdata);
    return g_compute_checksum_for_string(G_CHECKSUM_SHA256, text, -1);
}

// Headers that a source includes first with `<>`, a line each: those come right behind ours, and
// guard themselves against being read again when the source includes them.
static char *first_includes(GBytes *source) {
    gsize size;
    const char *text = g_bytes_get_data(source, &size);
    g_autoptr(GArray) tokens = gcl_lexer_read(text, size);
    GString *lines = g_string_new(NULL);
    // Of such a line the lexer has the first two words, and not the name.
    for (guint i = 0; i + 1 < tokens->len; i += 2) {
        const struct gcl_token *sign = &g_array_index(tokens, struct gcl_token, i);
        const char *name = text + sign[1].end, *end = text + size;
        while (name < end && (*name == ' ' || *name == '\t'))
            name++;
        const char *line = memchr(name, '\n', (gsize)(end - name));
        const char *close = memchr(name, '>', (gsize)((line ? line : end) - name));
        if (sign->kind != GCL_TOKEN_HASH || sign->line != GCL_LINE_INCLUDE ||
            !gcl_token_is(sign + 1, text, "include") || !close || *name != '<')
            break;
        g_string_append_printf(lines, "#include %.*s\n", (int)(close + 1 - name), name);
    }
    return g_string_free(lines, FALSE);
}

static char *file_in(const char *folder, const char *key, const char *suffix) {
    g_autofree char *name = g_strconcat(key, suffix, NULL);
    return g_build_filename(folder, name, NULL);
}

// The precompiled headers of a folder that nobody needed for the longest time, to be freed, and how
// many there are; NULL: none.
static char *find_oldest(const char *folder, guint *count) {
    GDir *dir = g_dir_open(folder, 0, NULL);
    char *oldest = NULL;
    time_t since = 0;
    const char *name;
    GStatBuf status;
    *count = 0;
    while (dir && (name = g_dir_read_name(dir))) {
        g_autofree char *path = g_build_filename(folder, name, NULL);
        if (!g_str_has_suffix(name, ".pch") || g_stat(path, &status) != 0)
            continue;
        if ((*count)++ > 0 && status.st_mtime >= since)
            continue;
        since = status.st_mtime;
        g_free(oldest);
        oldest = g_steal_pointer(&path);
    }
    if (dir)
        g_dir_close(dir);
    return oldest;
}

// Each set of headers is some megabytes, and sources include many: some are kept.
static void make_room(const char *folder) {
    enum { KEPT = 8 };
    for (guint count = KEPT; count >= KEPT;) {
        g_autofree char *oldest = find_oldest(folder, &count);
        if (count >= KEPT && g_remove(oldest) != 0)
            return;
    }
}

// Our headers and `includes` in clang's form. NULL: they aren't there, and are only made if
// `makes`, or clang can't.
static char *find_headers(const struct gcl_compilation *c, const char *folder, const char *includes,
                          bool makes) {
    g_autofree char *text = g_compute_checksum_for_string(G_CHECKSUM_SHA256, includes, -1);
    g_autofree char *file =
        *includes ? file_in(folder, text, ".includes") : g_strdup(GCL_EMPTY_FILE);
    g_autofree char *key = checksum_of(gcl_command_precompile(c, GCL_PASS_DEVICE, file, ""));
    g_autofree char *path = file_in(folder, key, ".pch");
    if (g_utime(path, NULL) == 0)
        return g_steal_pointer(&path);
    if (!makes)
        return NULL;
    make_room(folder);
    if ((*includes && !g_file_test(file, G_FILE_TEST_EXISTS) &&
         !g_file_set_contents(file, includes, -1, NULL)) ||
        gcl_compile_run(c, gcl_command_precompile(c, GCL_PASS_DEVICE, file, path), NULL) != 0)
        return NULL;
    return g_steal_pointer(&path);
}

// What the source's own text has in front in clang's form, made by the first who needs it with
// these options. NULL if our headers aren't what is read first, or clang can't make them.
static char *precompile(const struct gcl_compilation *c, GHashTable *texts, const char *folder) {
    if (!gcl_command_may_precompile(c, GCL_PASS_DEVICE))
        return NULL;
    GBytes *source = g_hash_table_lookup(texts, c->input->path);
    g_autofree char *includes = source ? first_includes(source) : g_strdup("");
    // The last of them may be new, and precompiling takes longer than reading it.
    const char *last = g_strrstr(includes, "#");
    g_autofree char *fewer = g_strndup(includes, last ? (gsize)(last - includes) : 0);
    char *path = find_headers(c, folder, includes, false);
    if (!path && *fewer)
        path = find_headers(c, folder, fewer, false);
    return path ? path : find_headers(c, folder, includes, true);
}

// clang refuses precompiled headers that have changed since: then it reads them as they are, and
// the next call precompiles them anew.
static int run_device_pass(struct gcl_compilation *c, GHashTable *texts, const char *folder) {
    g_autofree char *precompiled = precompile(c, texts, folder);
    g_autofree char *log = g_strconcat(c->raw_ir, ".precompiled.log", NULL);
    c->precompiled = precompiled;
    if (precompiled && gcl_compile_run(c, gcl_command_device(c), log) == 0)
        return 0;
    if (precompiled)
        g_remove(precompiled);
    c->precompiled = NULL;
    return gcl_compile_run(c, gcl_command_device(c), NULL);
}

int gcl_incremental_read(const struct gcl_compilation *compilation, GHashTable *texts,
                         const char *folder) {
    struct gcl_compilation c = *compilation;
    g_autofree char *overlay = g_strconcat(c.raw_ir, ".overlay", NULL);
    if (gcl_compile_prepare(&c, overlay, texts))
        c.overlay = overlay;
    return run_device_pass(&c, texts, folder);
}

// Kernels.

/// A kernel of the text.
struct kernel {
    char *key;
    GArray *lines;     ///< uint32_t: those of the source that it is made of
    json_t *explained; ///< NULL: not yet
};

/// A text on its way to explanations.
struct state {
    const struct gcl_compilation *c;
    char *source; ///< its path, canonical
    struct gcl_parts *parts;
    GPtrArray *kernels; ///< struct kernel *
    char *shapes;
    GPtrArray *pragmas;
};

static void kernel_free(void *data) {
    struct kernel *kernel = data;
    g_free(kernel->key);
    g_array_unref(kernel->lines);
    json_decref(kernel->explained);
    g_free(kernel);
}

// Symbols hold the names that they have in the source, so this leaves nothing out.
static void append_shapes(const struct state *s, const char *symbol, GString *out) {
    g_auto(GStrv) lines = g_strsplit(s->shapes, "\n", -1);
    for (char **line = lines; *line; line++) {
        g_autofree char *name = g_strndup(*line, strcspn(*line, " "));
        if (*name && strstr(symbol, name))
            g_string_append_printf(out, "%s\n", *line);
    }
}

static bool concerns(const struct gcl_pragma *pragma, const char *symbol) {
    return strstr(symbol, gcl_name_last(pragma->kernel)) != NULL;
}

static bool is_source(const struct state *s, const char *file) {
    g_autofree char *path = g_canonicalize_filename(file, NULL);
    return strcmp(path, s->source) == 0;
}

static void add_pragma_lines(const struct state *s, const char *symbol, GArray *lines) {
    for (guint i = 0; i < s->pragmas->len; i++) {
        const struct gcl_pragma *pragma = s->pragmas->pdata[i];
        if (concerns(pragma, symbol) && is_source(s, pragma->path))
            g_array_append_val(lines, pragma->line);
    }
}

static guint place_of(const GArray *lines, guint line) {
    for (guint i = 0; i < lines->len; i++) {
        if (g_array_index(lines, guint32, i) == line)
            return i + 1;
    }
    return 0;
}

// A line is told by its place among those of the kernel, as in the rest of the key.
static void append_pragmas(const struct state *s, const char *symbol, const GArray *lines,
                           GString *out) {
    g_autoptr(GPtrArray) own = g_ptr_array_new();
    g_autofree struct gcl_pragma *copies = g_new0(struct gcl_pragma, s->pragmas->len + 1);
    for (guint i = 0; i < s->pragmas->len; i++) {
        const struct gcl_pragma *pragma = s->pragmas->pdata[i];
        copies[i] = *pragma;
        if (!concerns(pragma, symbol))
            continue;
        if (is_source(s, pragma->path))
            copies[i].line = place_of(lines, pragma->line);
        g_ptr_array_add(own, &copies[i]);
    }
    g_autofree char *text = gcl_pragmas_format(own);
    g_string_append(out, text);
}

static struct kernel *make_kernel(const struct state *s, guint index) {
    struct kernel *kernel = g_new0(struct kernel, 1);
    const char *symbol = gcl_parts_symbol(s->parts, index);
    kernel->lines = g_array_new(FALSE, FALSE, sizeof(guint32));
    add_pragma_lines(s, symbol, kernel->lines);
    g_autofree char *code = gcl_parts_key(s->parts, index, kernel->lines);
    g_autoptr(GString) text = g_string_new(code);
    append_shapes(s, symbol, text);
    append_pragmas(s, symbol, kernel->lines, text);
    kernel->key = g_compute_checksum_for_string(G_CHECKSUM_SHA256, text->str, -1);
    return kernel;
}

// Explanations that are known.

static bool is_in_source(const struct state *s, const json_t *place) {
    const char *file = json_string_value(json_object_get(place, "file"));
    return file && is_source(s, file);
}

// Replaces each line of the source in `value`, which stands at some index of `from`, by what stands
// at the same index of `to`. False if a line isn't in `from`.
static bool move_lines(const struct state *s, json_t *value, const GArray *from, const GArray *to) {
    bool good = true;
    json_t *element;
    const char *name;
    size_t i;
    json_array_foreach(value, i, element) good = move_lines(s, element, from, to) && good;
    json_object_foreach(value, name, element) good = move_lines(s, element, from, to) && good;
    json_int_t line = json_integer_value(json_object_get(value, "line"));
    if (line == 0 || !is_in_source(s, value))
        return good;
    guint place = place_of(from, (guint)line);
    if (place > 0)
        json_object_set_new(value, "line", json_integer(g_array_index(to, guint32, place - 1)));
    return good && place > 0;
}

static GArray *lines_from(const json_t *list) {
    GArray *lines = g_array_new(FALSE, FALSE, sizeof(guint32));
    json_t *item;
    size_t i;
    json_array_foreach(list, i, item) {
        guint32 line = (guint32)json_integer_value(item);
        g_array_append_val(lines, line);
    }
    return lines;
}

static json_t *lines_json(const GArray *lines) {
    json_t *list = json_array();
    for (guint i = 0; i < lines->len; i++)
        json_array_append_new(list, json_integer(g_array_index(lines, guint32, i)));
    return list;
}

static void recall(const struct state *s, struct kernel *kernel, const json_t *known) {
    const json_t *entry = json_object_get(known, kernel->key);
    g_autoptr(GArray) lines = lines_from(json_object_get(entry, "lines"));
    json_t *copy = json_deep_copy(json_object_get(entry, "kernel"));
    if (copy && lines->len == kernel->lines->len && move_lines(s, copy, lines, kernel->lines))
        kernel->explained = copy;
    else
        json_decref(copy);
}

// Keeps what is known of the text as it is now. An explanation with lines from elsewhere couldn't
// follow an edit.
static void keep(const struct state *s, const char *path) {
    json_t *known = json_object();
    for (guint i = 0; i < s->kernels->len; i++) {
        struct kernel *kernel = s->kernels->pdata[i];
        if (move_lines(s, kernel->explained, kernel->lines, kernel->lines))
            json_object_set_new(known, kernel->key,
                                json_pack("{s:o, s:O}", "lines", lines_json(kernel->lines),
                                          "kernel", kernel->explained));
    }
    g_autofree char *text = json_dumps(known, JSON_COMPACT);
    g_file_set_contents(path, text, -1, NULL); // without it the next time takes longer
    json_decref(known);
}

// The rest.

// Explains the kernels that `wanted` has true for: that many, in their order.
static json_t *explain(const struct state *s, const bool *wanted) {
    const struct gcl_compilation *c = s->c;
    g_autofree char *path = g_strconcat(c->raw_ir, ".part", NULL);
    GString *text = gcl_parts_extract(s->parts, wanted);
    bool written = g_file_set_contents(path, text->str, (gssize)text->len, NULL);
    g_string_free(text, TRUE);
    if (!written || gcl_compile_run(c, gcl_command_optimize(c, path), NULL) != 0 ||
        gcl_compile_generate(c) != 0)
        return NULL;
    return json_load_file(c->explain_file, 0, NULL);
}

static bool explain_rest(const struct state *s) {
    g_autofree bool *wanted = g_new0(bool, s->kernels->len + 1);
    size_t count = 0, next = 0;
    for (guint i = 0; i < s->kernels->len; i++) {
        const struct kernel *kernel = s->kernels->pdata[i];
        wanted[i] = !kernel->explained;
        count += wanted[i];
    }
    json_t *explained = count > 0 ? explain(s, wanted) : json_array();
    bool complete = explained && json_array_size(explained) == count;
    if (explained && !complete)
        fputs("not all kernels have been explained\n", stderr);
    for (guint i = 0; i < s->kernels->len && complete; i++) {
        struct kernel *kernel = s->kernels->pdata[i];
        if (wanted[i])
            kernel->explained = json_incref(json_array_get(explained, next++));
    }
    json_decref(explained);
    return complete;
}

static bool write_explanations(const struct state *s) {
    json_t *all = json_array();
    for (guint i = 0; i < s->kernels->len; i++)
        json_array_append(all, ((const struct kernel *)s->kernels->pdata[i])->explained);
    bool good = json_dump_file(all, s->c->explain_file, JSON_COMPACT) == 0;
    json_decref(all);
    return good;
}

static char *read_text(const char *path) {
    char *text;
    return g_file_get_contents(path, &text, NULL, NULL) ? text : g_strdup("");
}

static char *memory_of(const struct gcl_compilation *c, const char *folder) {
    struct gcl_compilation same = *c;
    same.raw_ir = same.device_ir = "";
    same.overlay = same.precompiled = NULL;
    g_autofree char *key = checksum_of(gcl_command_device(&same));
    g_autofree char *name = g_strdup_printf("%s.kernels", key);
    return g_build_filename(folder, name, NULL);
}

int gcl_incremental_explain(const struct gcl_compilation *c, const char *folder) {
    g_autofree char *ir = NULL, *memory = memory_of(c, folder);
    gsize size;
    if (!g_file_get_contents(c->raw_ir, &ir, &size, NULL))
        return 1;
    g_autofree char *pragmas = read_text(c->pragmas_file), *shapes = read_text(c->shapes_file),
                    *source = g_canonicalize_filename(c->input->path, NULL);
    g_autoptr(GPtrArray) kernels = g_ptr_array_new_with_free_func(kernel_free);
    g_autoptr(GPtrArray) said = gcl_pragmas_create();
    struct state s = {c, source, gcl_parts_create(ir, size, source), kernels, shapes, said};
    json_t *known = json_load_file(memory, 0, NULL);
    gcl_pragmas_read(said, pragmas);
    for (guint i = 0; i < gcl_parts_count(s.parts); i++) {
        g_ptr_array_add(kernels, make_kernel(&s, i));
        recall(&s, kernels->pdata[i], known);
    }
    bool good = explain_rest(&s);
    if (good)
        keep(&s, memory);
    good = good && write_explanations(&s);
    json_decref(known);
    gcl_parts_destroy(s.parts);
    return good ? 0 : 1;
}
