// Sources come from the command line, from compile_commands.json, or from what lies below the root
// and looks like CUDA, in this order.
#include "translate/translation.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/diagnostic.h"
#include "driver/options/options.h"
#include "project/reading.h"
#include "translate/tree.h"

enum { SOURCE_SIZE_MAX = 64 << 20 };

static void source_destroy(void *data) {
    struct gcl_translate_source *source = data;
    g_free(source->path);
    g_free(source->directory);
    g_ptr_array_unref(source->words);
    g_ptr_array_unref(source->files);
    g_free(source->failure);
    g_free(source->complaint);
    g_free(source);
}

static void file_destroy(void *data) {
    struct gcl_translate_file *file = data;
    gcl_unit_file_destroy(file->unit);
    g_clear_pointer(&file->text, g_bytes_unref);
    g_free(file);
}

static void script_destroy(void *data) {
    struct gcl_translate_script *script = data;
    g_clear_pointer(&script->text, g_bytes_unref);
    g_free(script);
}

struct gcl_translation *gcl_translation_create(const struct gcl_translate_options *options) {
    struct gcl_translation *t = g_new0(struct gcl_translation, 1);
    t->options = options;
    t->sources = g_ptr_array_new_with_free_func(source_destroy);
    t->files = g_ptr_array_new_with_free_func(file_destroy);
    t->tree = gcl_tree_list(options->in_root, options->out_root);
    t->scripts = g_ptr_array_new_with_free_func(script_destroy);
    t->unsupported = gcl_diagnostics_create();
    t->diagnostics = gcl_diagnostics_create();
    t->kernels = json_array();
    return t;
}

void gcl_translation_destroy(struct gcl_translation *t) {
    g_ptr_array_unref(t->sources);
    g_ptr_array_unref(t->files);
    g_ptr_array_unref(t->tree);
    g_ptr_array_unref(t->scripts);
    g_ptr_array_unref(t->unsupported);
    g_ptr_array_unref(t->diagnostics);
    json_decref(t->kernels);
    json_decref(t->verification);
    g_free(t);
}

static void add_source(struct gcl_translation *t, struct gcl_project *project, const char *path,
                       bool is_guessed) {
    const struct gcl_command_line line = gcl_project_find(project, path);
    char *real = realpath(path, NULL);
    const char *relative = real ? gcl_tree_relative(t->options->in_root, real) : NULL;
    struct gcl_source_location location = {.path = path};
    if (!real || !relative || !gcl_tree_has(t->tree, relative)) {
        gcl_diagnostics_add(t->diagnostics, GCL_CODE_NOT_TRANSLATED, &location, NULL,
                            !real      ? "not translated: there is no such file"
                            : relative ? "not translated: made by the build"
                                       : "not translated: outside the project's folder");
        free(real);
        return;
    }
    struct gcl_translate_source *source = g_new0(struct gcl_translate_source, 1);
    source->is_guessed = is_guessed;
    source->path = g_strdup(real);
    source->relative = gcl_tree_relative(t->options->in_root, source->path);
    source->directory = g_strdup(line.directory);
    source->words = g_ptr_array_new_with_free_func(g_free);
    for (guint i = 0; i < line.words->len; i++)
        g_ptr_array_add(source->words, g_strdup(line.words->pdata[i]));
    source->files = g_ptr_array_new();
    g_ptr_array_add(t->sources, source);
    free(real);
}

// Without a list of a build's commands: a source in CUDA, or in C or C++ that speaks of it.
static bool looks_like_cuda(const char *path) {
    enum gcl_language language = gcl_options_language_of(path);
    gsize size;
    if (language == GCL_LANGUAGE_CUDA)
        return true;
    if (language != GCL_LANGUAGE_C && language != GCL_LANGUAGE_CXX)
        return false;
    g_autofree char *text = gcl_reading_file(path, SOURCE_SIZE_MAX, &size);
    return text && g_strstr_len(text, (gssize)size, "cuda");
}

static void add_tree(struct gcl_translation *t, struct gcl_project *project) {
    for (guint i = 0; i < t->tree->len; i++) {
        const struct gcl_tree_entry *entry = t->tree->pdata[i];
        g_autofree char *path = g_build_filename(t->options->in_root, entry->path, NULL);
        if (S_ISREG(entry->mode) && looks_like_cuda(path))
            add_source(t, project, path, true);
    }
}

void gcl_translation_find_sources(struct gcl_translation *t) {
    const struct gcl_translate_options *options = t->options;
    g_autoptr(GPtrArray) complaints = g_ptr_array_new_with_free_func(g_free);
    struct gcl_project *project =
        gcl_project_create(options->build ? options->build : options->in_root, complaints);
    g_autoptr(GPtrArray) known = gcl_project_files(project);
    for (guint i = 0; i < complaints->len; i++)
        gcl_diagnostics_add(t->diagnostics, GCL_CODE_FILE, NULL, NULL, "%s",
                            (const char *)complaints->pdata[i]);
    if (options->build && known->len == 0 && complaints->len == 0)
        gcl_diagnostics_add(t->diagnostics, GCL_CODE_FILE, NULL,
                            "CMake writes it with -DCMAKE_EXPORT_COMPILE_COMMANDS=ON",
                            "no compile_commands.json in '%s'", options->build);
    const GPtrArray *paths = options->files->len > 0 ? options->files : known;
    for (guint i = 0; i < paths->len; i++)
        add_source(t, project, paths->pdata[i], false);
    if (paths->len == 0 && !options->build)
        add_tree(t, project);
    gcl_project_destroy(project);
}

// What has been translated already: "gclMalloc", "gclLaunch".
static bool has_own_names(const struct gcl_unit_file *unit) {
    gsize size;
    const char *text = g_bytes_get_data(unit->bytes, &size), *end = text + size;
    for (const char *at = text; at && (at = memmem(at, (size_t)(end - at), "gcl", 3)); at++) {
        if (end - at > 3 && g_ascii_isupper(at[3]))
            return true;
    }
    return false;
}

bool gcl_translation_has_cuda(const struct gcl_translation *t) {
    for (guint i = 0; i < t->files->len; i++) {
        const struct gcl_translate_file *file = t->files->pdata[i];
        if (file->unit->uses->len > 0 || file->unit->launches->len > 0 || has_own_names(file->unit))
            return true;
    }
    return t->kernel_count > 0;
}

enum gcl_trial gcl_translation_compiled(const struct gcl_translation *t,
                                        const struct gcl_translate_file *file) {
    enum gcl_trial all = GCL_TRIAL_NOT;
    for (guint i = 0; i < t->sources->len; i++) {
        const struct gcl_translate_source *source = t->sources->pdata[i];
        if (g_ptr_array_find(source->files, file, NULL) && all != GCL_TRIAL_BAD)
            all = source->compiled == GCL_TRIAL_NOT ? all : source->compiled;
    }
    return all;
}
