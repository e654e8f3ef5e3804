// A source whose process fails keeps its text; what others know of the headers that it includes
// counts all the same.
#include "translate/read.h"

#include <string.h>

#include "base/diagnostic.h"
#include "translate/facts.h"
#include "translate/merge.h"
#include "translate/tree.h"

static bool start(struct gcl_pool *pool, guint index, const char *log,
                  struct gcl_process *process) {
    const struct gcl_translate_source *source = pool->translation->sources->pdata[index];
    g_autofree char *result = gcl_pool_path(pool, index, "facts");
    const struct gcl_facts_request request = {
        .path = source->path,
        .directory = source->directory,
        .words = source->words,
        .root = pool->root,
        .compiler = pool->tools->compiler,
        .result = result,
    };
    gcl_facts_start(process, log, &request); // forks: the request is the child's now
    return true;
}

static struct gcl_translate_file *find_file(const struct gcl_translation *t, const char *relative) {
    for (guint i = 0; i < t->files->len; i++) {
        struct gcl_translate_file *file = t->files->pdata[i];
        if (strcmp(file->relative, relative) == 0)
            return file;
    }
    return NULL;
}

// Takes a file's facts out of those of a compilation.
static void add_file(struct gcl_translation *t, struct gcl_translate_source *source,
                     struct gcl_unit_file *unit) {
    const char *relative = gcl_tree_relative(t->options->in_root, unit->path);
    struct gcl_translate_file *file = relative ? find_file(t, relative) : NULL;
    if (!relative) {
        gcl_unit_file_destroy(unit);
        return;
    }
    if (file) {
        gcl_merge(file->unit, unit);
        gcl_unit_file_destroy(unit);
    } else {
        file = g_new0(struct gcl_translate_file, 1);
        *file = (struct gcl_translate_file){.relative = relative, .unit = unit};
        g_ptr_array_add(t->files, file);
    }
    if (!g_ptr_array_find(source->files, file, NULL))
        g_ptr_array_add(source->files, file);
}

static bool is_same_diagnostic(const void *left, const void *right) {
    const struct gcl_diagnostic *a = left, *b = right;
    return a->code == b->code && a->line == b->line && a->column == b->column &&
           g_strcmp0(a->path, b->path) == 0 && g_strcmp0(a->message, b->message) == 0;
}

static gboolean are_same_diagnostics(const void *left, const void *right) {
    return is_same_diagnostic(left, right);
}

static void add_unsupported(struct gcl_translation *t, GPtrArray *diagnostics) {
    while (diagnostics->len > 0) {
        struct gcl_diagnostic *diagnostic = g_ptr_array_steal_index(diagnostics, 0);
        if (g_ptr_array_find_with_equal_func(t->unsupported, diagnostic, are_same_diagnostics,
                                             NULL)) {
            g_ptr_array_add(diagnostics, diagnostic); // to be freed with the array
            g_ptr_array_remove_index(diagnostics, diagnostics->len - 1);
        } else {
            g_ptr_array_add(t->unsupported, diagnostic);
        }
    }
}

static bool is_same_kernel(const json_t *a, const json_t *b) {
    return json_equal(json_object_get(a, "file"), json_object_get(b, "file")) &&
           json_equal(json_object_get(a, "line"), json_object_get(b, "line")) &&
           json_equal(json_object_get(a, "name"), json_object_get(b, "name"));
}

// Paths in what is said of kernels are relative to where the compiler was started, as its words
// are.
static void complete_paths(json_t *value, const char *directory) {
    const char *name;
    json_t *member;
    size_t i;
    json_array_foreach(value, i, member) complete_paths(member, directory);
    json_object_foreach(value, name, member) {
        complete_paths(member, directory);
        if (strcmp(name, "file") == 0 && json_is_string(member)) {
            g_autofree char *path = g_canonicalize_filename(json_string_value(member), directory);
            json_object_set_new(value, name, json_string(path));
        }
    }
}

// A kernel in a header is explained wherever that is included, by whatever way there.
static void add_kernels(struct gcl_translation *t, json_t *kernels, const char *directory) {
    json_t *kernel, *known;
    size_t i, j;
    complete_paths(kernels, directory);
    json_array_foreach(kernels, i, kernel) {
        bool is_known = false;
        json_array_foreach(t->kernels, j, known) is_known |= is_same_kernel(known, kernel);
        if (!is_known)
            json_array_append(t->kernels, kernel);
    }
}

static void take(struct gcl_translation *t, struct gcl_translate_source *source,
                 struct gcl_facts *facts) {
    for (guint i = 0; i < facts->files->len; i++)
        add_file(t, source, facts->files->pdata[i]);
    g_ptr_array_set_free_func(facts->files, NULL);
    add_unsupported(t, facts->diagnostics);
    add_kernels(t, facts->kernels, source->directory);
    t->kernel_count += facts->kernel_count;
    gcl_facts_finish(facts);
}

static void end(struct gcl_pool *pool, guint index, const struct gcl_process *process) {
    struct gcl_translate_source *source = pool->translation->sources->pdata[index];
    g_autofree char *line = gcl_pool_first_error(pool, process);
    if (process->status >= 128)
        source->failure =
            g_strdup_printf("reading it crashed: %s", g_strsignal(process->status - 128));
    else if (process->status != 0)
        source->failure = g_strdup_printf("it can't be read: %s", line);
}

// Whether another source has it as a header: then it isn't compiled by itself.
static bool is_included(const struct gcl_facts *all, guint count, guint index) {
    const struct gcl_unit_file *own = all[index].files->pdata[0];
    for (guint i = 0; i < count; i++) {
        for (guint f = 1; all[i].files && f < all[i].files->len; f++) {
            const struct gcl_unit_file *file = all[i].files->pdata[f];
            if (i != index && strcmp(file->path, own->path) == 0)
                return true;
        }
    }
    return false;
}

// A source whose facts can't be taken has none.
static struct gcl_facts *read_facts(const struct gcl_pool *pool) {
    const GPtrArray *sources = pool->translation->sources;
    struct gcl_facts *all = g_new0(struct gcl_facts, sources->len);
    for (guint i = 0; i < sources->len; i++) {
        struct gcl_translate_source *source = sources->pdata[i];
        g_autofree char *result = gcl_pool_path(pool, i, "facts");
        if (!source->failure && !gcl_facts_read(result, &all[i]))
            source->failure = g_strdup("it changed while it was read");
    }
    return all;
}

// In the order of sources, whichever was read first: so a translation is the same each time.
static void take_all(const struct gcl_pool *pool) {
    struct gcl_translation *t = pool->translation;
    guint count = t->sources->len;
    g_autofree struct gcl_facts *all = read_facts(pool);
    g_autofree bool *dropped = g_new0(bool, count);
    for (guint i = 0; i < count; i++) {
        const struct gcl_translate_source *source = t->sources->pdata[i];
        dropped[i] = source->is_guessed && all[i].files && is_included(all, count, i);
    }
    for (guint i = 0; i < count; i++) {
        if (dropped[i])
            gcl_facts_finish(&all[i]);
        else if (all[i].files)
            take(t, t->sources->pdata[i], &all[i]);
    }
    for (guint i = count; i-- > 0;) {
        if (dropped[i])
            g_ptr_array_remove_index(t->sources, i);
    }
}

static int compare_files(const void *left, const void *right) {
    const struct gcl_translate_file *const *a = left, *const *b = right;
    return strcmp((*a)->relative, (*b)->relative);
}

void gcl_read_sources(struct gcl_translation *t, const struct gcl_tools *tools) {
    struct gcl_pool pool = {.translation = t,
                            .tools = tools,
                            .words = "reading",
                            .start = start,
                            .end = end,
                            .root = t->options->in_root};
    gcl_pool_run(&pool);
    take_all(&pool);
    g_ptr_array_sort(t->files, compare_files);
}
