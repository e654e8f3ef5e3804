// clang's device pass and gcluster's analyses, as gcluster-cc --explain=json runs them, on texts
// that may not be on disk.
#include "lsp/kernel/analysis.h"

#include <assert.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

#include <glib.h>

#include "base/diagnostic.h"
#include "driver/incremental.h"
#include "driver/options/command_line.h"
#include "lsp/base/json.h"
#include "lsp/base/rpc.h"

enum { NICENESS = 5 }; // people wait for the diagnosis first

static void add_texts(GHashTable *texts, json_t *object) {
    const char *path;
    json_t *text;
    json_object_foreach(object, path, text) g_hash_table_replace(
        texts, g_strdup(path), g_bytes_new(json_string_value(text), json_string_length(text)));
}

static GHashTable *texts_of(const json_t *params) {
    GHashTable *texts =
        g_hash_table_new_full(g_str_hash, g_str_equal, g_free, (GDestroyNotify)g_bytes_unref);
    add_texts(texts, json_object_get(params, "texts"));
    add_texts(texts, json_object_get(params, "before"));
    return texts;
}

static struct gcl_options *options_of(const json_t *params, GPtrArray *diagnostics) {
    g_autoptr(GPtrArray) words = g_ptr_array_new();
    json_t *word;
    size_t i;
    json_array_foreach(json_object_get(params, "words"), i, word)
        g_ptr_array_add(words, (char *)json_string_value(word));
    g_ptr_array_add(words, (char *)gcl_json_member(params, "path"));
    g_ptr_array_add(words, NULL);
    struct gcl_options *options =
        gcl_command_line_parse((const char *const *)words->pdata, diagnostics);
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

/// The one analysis of this process.
struct work {
    GPtrArray *paths; ///< char *: of intermediate files, which `compilation` borrows
    GPtrArray *diagnostics;
    struct gcl_installation installation;
    struct gcl_options *options;
    struct gcl_input input;
    struct gcl_compilation compilation;
    json_t *params; ///< of "read"; other fields borrow from them
    char *shared;   ///< the folder that is kept
    char *log;
    int status; ///< clang's exit status
};

static const char *file_in(struct work *work, const char *name) {
    char *path = g_build_filename(gcl_json_member(work->params, "folder"), name, NULL);
    g_ptr_array_add(work->paths, path);
    return path;
}

static void work_init(struct work *work, json_t *params) {
    assert(!work->options);
    *work = (struct work){.params = json_incref(params),
                          .paths = g_ptr_array_new_with_free_func(g_free),
                          .diagnostics = gcl_diagnostics_create(),
                          .shared = g_path_get_dirname(gcl_json_member(params, "folder")),
                          .input = {gcl_json_member(params, "path"), GCL_LANGUAGE_CUDA}};
    work->options = options_of(params, work->diagnostics);
    work->log = g_build_filename(gcl_json_member(params, "folder"), "log", NULL);
    work->compilation = (struct gcl_compilation){.options = work->options,
                                                 .installation = &work->installation,
                                                 .input = &work->input,
                                                 .object = "hints",
                                                 .unit_id = "hints",
                                                 .raw_ir = file_in(work, "raw.ll"),
                                                 .device_ir = file_in(work, "device.ll"),
                                                 .shapes_file = file_in(work, "shapes"),
                                                 .pragmas_file = file_in(work, "pragmas"),
                                                 .explain_file = file_in(work, "kernels")};
}

static void work_finish(struct work *work) {
    if (work->options) {
        gcl_options_destroy(work->options);
        gcl_installation_finish(&work->installation);
        g_ptr_array_unref(work->diagnostics);
        g_ptr_array_unref(work->paths);
    }
    json_decref(work->params);
    g_free(work->shared);
    g_free(work->log);
}

static void read_source(struct work *work, json_t *params) {
    const char *directory = gcl_json_member(params, "directory");
    g_autoptr(GHashTable) texts = texts_of(params);
    work_init(work, params);
    gcl_installation_init(&work->installation, work->diagnostics); // before the folder is entered
    if (directory && chdir(directory) != 0)
        g_info("no folder '%s'", directory);
    redirect_errors(work->log);
    work->status = gcl_incremental_read(&work->compilation, texts, work->shared);
}

// Few programs have what clang has to read otherwise (gcl_rewrite_device), which takes a pass anew.
static void read_again(struct work *work, const json_t *params) {
    json_t *device = json_object_get(params, "device");
    if (!work->options || json_object_size(device) == 0)
        return;
    g_autoptr(GHashTable) texts = texts_of(work->params);
    add_texts(texts, device);
    redirect_errors(work->log);
    work->status = gcl_incremental_read(&work->compilation, texts, work->shared);
}

static json_t *explain(const struct work *work, const json_t *params) {
    const struct gcl_compilation *c = &work->compilation;
    if (!work->options || work->status != 0 ||
        !g_file_set_contents(c->shapes_file, gcl_json_member(params, "shapes"), -1, NULL) ||
        !g_file_set_contents(c->pragmas_file, gcl_json_member(params, "pragmas"), -1, NULL) ||
        gcl_incremental_explain(c, work->shared) != 0)
        return NULL;
    return json_load_file(c->explain_file, 0, NULL);
}

static json_t *answer(struct work *work, const struct gcl_rpc_message *message) {
    read_again(work, message->params);
    json_t *kernels = explain(work, message->params);
    g_autofree char *why = NULL;
    if (kernels)
        return gcl_rpc_result(message->id, json_pack("{s:o}", "kernels", kernels));
    if (work->log)
        g_file_get_contents(work->log, &why, NULL, NULL);
    return gcl_rpc_failure(message->id, GCL_RPC_REQUEST_FAILED, why ? why : "no analysis");
}

static bool await_message(struct gcl_rpc_reader *reader, struct gcl_rpc_message *message) {
    char bytes[65536];
    ssize_t size;
    while (gcl_rpc_next(reader, message) != GCL_RPC_MESSAGE) {
        if ((size = read(STDIN_FILENO, bytes, sizeof bytes)) <= 0)
            return false;
        gcl_rpc_feed(reader, bytes, (size_t)size);
    }
    return true;
}

int gcl_analysis_run(void) {
    struct gcl_rpc_reader reader = {0};
    struct gcl_rpc_message message;
    struct work work = {0};
    bool good = false, done = false;
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    setpriority(PRIO_PROCESS, 0, NICENESS);
    while (!done && await_message(&reader, &message)) {
        done = message.kind == GCL_RPC_REQUEST;
        if (done)
            good = gcl_rpc_write(STDOUT_FILENO, answer(&work, &message));
        else
            read_source(&work, message.params);
        gcl_rpc_message_finish(&message);
    }
    work_finish(&work);
    gcl_rpc_reader_finish(&reader);
    return good ? 0 : 1;
}
