#include "hints.h"

#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "base/diagnostic.h"
#include "compile.h"
#include "scratch.h"

/// An analysis under way, owned by its peer's handlers until it ends or is stopped.
struct analysis {
    struct gcl_file *file;
    gcl_hints_found *found;
    void *context;
    char *folder; ///< for intermediate files
    json_t *kernels;
    char *why;
};

static void analysis_free(void *data) {
    struct analysis *analysis = data;
    gcl_scratch_remove(analysis->folder);
    json_decref(analysis->kernels);
    g_free(analysis->folder);
    g_free(analysis->why);
    g_free(analysis);
}

static void answered(json_t *result, json_t *error, void *context) {
    struct analysis *analysis = context;
    analysis->kernels = json_incref(json_object_get(result, "kernels"));
    analysis->why = g_strdup(json_string_value(json_object_get(error, "message")));
}

static void ended(const char *how, void *context) {
    struct analysis *analysis = context;
    const char *why = analysis->why ? analysis->why : how;
    gcl_peer_destroy(g_steal_pointer(&analysis->file->analysis));
    analysis->found(analysis->file, analysis->kernels, analysis->kernels ? NULL : why,
                    analysis->context);
    analysis_free(analysis);
}

// The texts of all that the file is made of and that somebody has open.
static json_t *open_texts(const struct gcl_file *file) {
    json_t *texts = json_object(), *path;
    size_t i, size;
    json_array_foreach(json_object_get(file->diagnosis, "files"), i, path) {
        for (guint f = 0; f < file->folder->files->len; f++) {
            const struct gcl_file *other = file->folder->files->pdata[f];
            if (g_strcmp0(other->document->path, json_string_value(path)) != 0)
                continue;
            const char *text = gcl_lines_data(other->document->text, &size);
            json_object_set_new(texts, other->document->path, json_stringn(text, size));
        }
    }
    return texts;
}

void gcl_hints_stop(struct gcl_file *file) {
    struct analysis *analysis = file->analysis ? gcl_peer_context(file->analysis) : NULL;
    gcl_peer_destroy(g_steal_pointer(&file->analysis));
    if (analysis)
        analysis_free(analysis);
}

void gcl_hints_start(struct gcl_file *file, gcl_hints_found *found, void *context) {
    struct gcl_command_line line = gcl_project_find(file->folder->project, file->document->path);
    g_autofree char *pattern = g_build_filename(file->folder->scratch, "hints-XXXXXX", NULL);
    gcl_hints_stop(file);
    if (!g_mkdtemp(pattern)) {
        found(file, NULL, "no temporary folder", context);
        return;
    }
    struct analysis *analysis = g_new(struct analysis, 1);
    *analysis = (struct analysis){file, found, context, g_strdup(pattern), NULL, NULL};
    struct gcl_peer_handlers handlers = {answered, ended, analysis};
    file->analysis = gcl_peer_start("--hints", &handlers);
    if (!file->analysis) {
        analysis_free(analysis);
        found(file, NULL, "the analysis can't be started", context);
        return;
    }
    json_t *words = json_array();
    for (guint i = 0; i < line.words->len; i++)
        json_array_append_new(words, gcl_json_text(line.words->pdata[i]));
    gcl_peer_ask(file->analysis, "explain",
                 json_pack("{s:o, s:o, s:o, s:s, s:o, s:O, s:O}", "path",
                           gcl_json_text(file->document->path), "directory",
                           gcl_json_text(line.directory), "words", words, "folder",
                           analysis->folder, "texts", open_texts(file), "shapes",
                           json_object_get(file->diagnosis, "shapes"), "pragmas",
                           json_object_get(file->diagnosis, "pragmas")));
}

// The process that analyses.

static const char *string_of(const json_t *object, const char *name) {
    return json_string_value(json_object_get(object, name));
}

static GHashTable *texts_of(const json_t *params) {
    GHashTable *texts =
        g_hash_table_new_full(g_str_hash, g_str_equal, g_free, (GDestroyNotify)g_bytes_unref);
    const char *path;
    json_t *text;
    json_object_foreach(json_object_get(params, "texts"), path, text) g_hash_table_insert(
        texts, g_strdup(path), g_bytes_new(json_string_value(text), json_string_length(text)));
    return texts;
}

static struct gcl_options *options_of(const json_t *params, GPtrArray *diagnostics) {
    g_autoptr(GPtrArray) words = g_ptr_array_new();
    json_t *word;
    size_t i;
    json_array_foreach(json_object_get(params, "words"), i, word)
        g_ptr_array_add(words, (char *)json_string_value(word));
    g_ptr_array_add(words, (char *)string_of(params, "path"));
    g_ptr_array_add(words, NULL);
    struct gcl_options *options = gcl_options_parse((const char *const *)words->pdata, diagnostics);
    options->phase = GCL_PHASE_DUMP;
    options->explain = GCL_EXPLAIN_TABLES;
    return options;
}

// Everything that clang and the analyses print goes into a file, to be shown if they fail.
static void redirect_errors(const char *path) {
    int file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    if (file >= 0)
        dup2(file, STDERR_FILENO);
}

static json_t *analyse(const json_t *params, char **why) {
    const char *folder = string_of(params, "folder");
    g_autofree char *ir = g_build_filename(folder, "device.ll", NULL),
                    *shapes = g_build_filename(folder, "shapes", NULL),
                    *pragmas = g_build_filename(folder, "pragmas", NULL),
                    *explanation = g_build_filename(folder, "kernels", NULL),
                    *log = g_build_filename(folder, "log", NULL),
                    *shared = g_path_get_dirname(folder);
    g_autoptr(GPtrArray) diagnostics = gcl_diagnostics_create();
    g_autoptr(GHashTable) texts = texts_of(params);
    struct gcl_installation installation;
    struct gcl_options *options = options_of(params, diagnostics);
    struct gcl_input input = {string_of(params, "path"), GCL_LANGUAGE_CUDA};
    struct gcl_compilation compilation = {.options = options,
                                          .installation = &installation,
                                          .input = &input,
                                          .object = "hints",
                                          .unit_id = "hints",
                                          .device_ir = ir,
                                          .shapes_file = shapes,
                                          .pragmas_file = pragmas,
                                          .explain_file = explanation};
    redirect_errors(log);
    gcl_installation_init(&installation, diagnostics);
    g_file_set_contents(shapes, string_of(params, "shapes"), -1, NULL);
    g_file_set_contents(pragmas, string_of(params, "pragmas"), -1, NULL);
    int status = gcl_compile_explain(&compilation, texts, shared);
    json_t *kernels = status == 0 ? json_load_file(explanation, 0, NULL) : NULL;
    if (!kernels)
        g_file_get_contents(log, why, NULL, NULL);
    gcl_options_destroy(options);
    gcl_installation_finish(&installation);
    return kernels;
}

static json_t *answer(const struct gcl_rpc_message *message) {
    g_autofree char *why = NULL;
    const char *directory = string_of(message->params, "directory");
    if (directory && chdir(directory) != 0)
        g_info("no folder '%s'", directory);
    json_t *kernels = analyse(message->params, &why);
    if (kernels)
        return gcl_rpc_result(message->id, json_pack("{s:o}", "kernels", kernels));
    return gcl_rpc_failure(message->id, GCL_RPC_REQUEST_FAILED, why ? why : "no analysis");
}

int gcl_hints_run(void) {
    struct gcl_rpc_reader reader = {0};
    struct gcl_rpc_message message;
    char bytes[65536];
    ssize_t size;
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    while (gcl_rpc_next(&reader, &message) != GCL_RPC_MESSAGE) {
        if ((size = read(STDIN_FILENO, bytes, sizeof bytes)) <= 0)
            return 1;
        gcl_rpc_feed(&reader, bytes, (size_t)size);
    }
    bool good = gcl_rpc_write(STDOUT_FILENO, answer(&message));
    gcl_rpc_message_finish(&message);
    gcl_rpc_reader_finish(&reader);
    return good ? 0 : 1;
}
