// No .clang-tidy is read when sources are: the first run prints what the folder asks for, the
// second one gets what is taken of that as its only configuration.
#include "lsp/tidy/tidy.h"

#include <gio/gio.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/diagnostic.h"
#include "driver/options/installation.h"
#include "frontend/parse/parse.h"
#include "lsp/base/json.h"
#include "lsp/base/rpc.h"
#include "lsp/read/view.h"
#include "lsp/tidy/config.h"
#include "lsp/tidy/remarks.h"

enum { SECONDS_MAX = 60, NICENESS = 10 };

// The program ends with this process, which the server ends when the text changes.
static void limit_child(void *data) {
    const struct rlimit limit = {SECONDS_MAX, SECONDS_MAX + 1}; // SIGXCPU, which says why
    (void)data;
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    setrlimit(RLIMIT_CPU, &limit);
}

// Runs a program to its end; what it prints, to be freed, or NULL and why it was ended, likewise.
// clang-tidy's exit status says no more than that there was something to say.
static char *run(const char *const *words, char **why) {
    g_autoptr(GSubprocessLauncher) launcher = g_subprocess_launcher_new(
        G_SUBPROCESS_FLAGS_STDOUT_PIPE | G_SUBPROCESS_FLAGS_STDERR_SILENCE);
    g_autoptr(GError) error = NULL;
    g_autoptr(GBytes) output = NULL;
    g_subprocess_launcher_set_child_setup(launcher, limit_child, NULL, NULL);
    g_autoptr(GSubprocess) process = g_subprocess_launcher_spawnv(launcher, words, &error);
    if (!process || !g_subprocess_communicate(process, NULL, NULL, &output, NULL, &error)) {
        *why = g_strdup(error->message);
        return NULL;
    }
    if (g_subprocess_get_if_signaled(process)) {
        *why = g_strdup_printf("clang-tidy was ended: %s",
                               g_strsignal(g_subprocess_get_term_sig(process)));
        return NULL;
    }
    gsize size;
    const char *bytes = g_bytes_get_data(output, &size);
    return g_strndup(bytes ? bytes : "", size);
}

static bool save(const char *path, json_t *value) {
    g_autofree char *text = json_dumps(value, 0);
    json_decref(value);
    return text && g_file_set_contents(path, text, -1, NULL);
}

// Writes the texts into files, and their list for --vfsoverlay to `overlay`.
static bool write_texts(const json_t *params, const char *overlay) {
    json_t *roots = json_array(), *text;
    const char *folder = gcl_json_member(params, "folder"), *path;
    g_autoptr(GHashTable) seen = g_hash_table_new(g_str_hash, g_str_equal);
    bool good = true;
    for (int i = 0; i < 2; i++) {
        json_object_foreach(json_object_get(params, i ? "texts" : "before"), path, text) {
            g_autofree char *file = g_strdup_printf("%s/%u", folder, g_hash_table_size(seen));
            if (!g_hash_table_add(seen, (char *)path))
                continue;
            g_autoptr(GBytes) bytes =
                g_bytes_new(json_string_value(text), json_string_length(text));
            g_autoptr(GBytes) mended = gcl_prepare_for_clang(bytes);
            gsize size;
            const char *data = g_bytes_get_data(mended ? mended : bytes, &size);
            good = good && g_file_set_contents(file, data ? data : "", (gssize)size, NULL);
            json_array_append_new(roots, json_pack("{s:s, s:o, s:o}", "type", "file", "name",
                                                   gcl_json_text(path), "external-contents",
                                                   gcl_json_text(file)));
        }
    }
    return save(overlay, json_pack("{s:i, s:b, s:o}", "version", 0, "use-external-names", 0,
                                   "roots", roots)) &&
           good;
}

// What clang gets, as the reader of sources has it.
static GPtrArray *arguments_of(const json_t *params) {
    g_autoptr(GPtrArray) messages = gcl_diagnostics_create();
    g_autoptr(GPtrArray) words = g_ptr_array_new();
    struct gcl_installation installation;
    json_t *word;
    size_t i;
    json_array_foreach(json_object_get(params, "words"), i, word)
        g_ptr_array_add(words, (char *)json_string_value(word));
    gcl_installation_init(&installation, messages);
    GPtrArray *arguments =
        gcl_view_arguments(&installation, gcl_json_member(params, "path"), words, messages);
    gcl_installation_finish(&installation);
    return arguments;
}

// Checks the text; the YAML that clang-tidy writes, to be freed, or NULL and why, likewise.
static char *check(const json_t *params, const char *program, json_t *config, char **why) {
    const char *folder = gcl_json_member(params, "folder");
    g_autofree char *fixes = g_build_filename(folder, "fixes.yaml", NULL);
    g_autofree char *overlay = g_build_filename(folder, "overlay.yaml", NULL);
    g_autofree char *chosen = g_build_filename(folder, "config.yaml", NULL);
    g_autofree char *config_word = g_strconcat("--config-file=", chosen, NULL);
    g_autofree char *overlay_word = g_strconcat("--vfsoverlay=", overlay, NULL);
    g_autofree char *fixes_word = g_strconcat("--export-fixes=", fixes, NULL);
    g_autoptr(GPtrArray) words = g_ptr_array_new();
    g_autoptr(GPtrArray) arguments = arguments_of(params);
    const char *const first[] = {program,    config_word, overlay_word,
                                 fixes_word, "--quiet",   gcl_json_member(params, "path"),
                                 "--"};
    char *text = NULL;
    for (size_t i = 0; i < G_N_ELEMENTS(first); i++)
        g_ptr_array_add(words, (char *)first[i]);
    for (guint i = 0; i < arguments->len; i++)
        g_ptr_array_add(words, arguments->pdata[i]); // with the NULL at their end
    if (!save(chosen, json_incref(config)) || !write_texts(params, overlay)) {
        *why = g_strdup("no temporary files");
        return NULL;
    }
    g_autofree char *output = run((const char *const *)words->pdata, why);
    if (output && !g_file_get_contents(fixes, &text, NULL, NULL))
        text = g_strdup(""); // there is no file if there is nothing to say
    return text;
}

// Checks by what the folder asks for; NULL and no reason if that is nothing.
static char *check_by_folder(const json_t *params, char **why) {
    g_autofree char *program = g_find_program_in_path("clang-tidy-19");
    const char *directory = gcl_json_member(params, "directory");
    if (directory && chdir(directory) != 0)
        g_info("no folder '%s'", directory);
    if (!program)
        program = g_find_program_in_path("clang-tidy");
    if (!program) {
        *why = g_strdup("clang-tidy isn't installed (package clang-tidy-19)");
        return NULL;
    }
    const char *const ask[] = {program, "--dump-config", gcl_json_member(params, "path"), "--",
                               NULL};
    g_autofree char *dump = run(ask, why);
    json_t *config = dump ? gcl_tidy_config(dump) : NULL;
    char *fixes = config ? check(params, program, config, why) : NULL;
    json_decref(config);
    return fixes;
}

static json_t *answer(const struct gcl_rpc_message *message) {
    const char *path = gcl_json_member(message->params, "path");
    struct gcl_remarks_subject subject = {
        .path = path,
        .project = gcl_json_member(message->params, "project"),
        .texts = json_object_get(message->params, "texts"),
        .encoding = GCL_ENCODING_UTF16,
    };
    gcl_encoding_parse(gcl_json_member(message->params, "encoding"), &subject.encoding);
    g_autofree char *why = NULL, *fixes = check_by_folder(message->params, &why);
    if (!fixes)
        return why ? gcl_rpc_failure(message->id, GCL_RPC_REQUEST_FAILED, why)
                   : gcl_rpc_result(message->id, json_object());
    return gcl_rpc_result(message->id, gcl_remarks_of(fixes, &subject));
}

int gcl_tidy_run(void) {
    struct gcl_rpc_reader reader = {0};
    struct gcl_rpc_message message;
    char bytes[65536];
    ssize_t size;
    bool good = false, done = false;
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    setpriority(PRIO_PROCESS, 0, NICENESS);
    while (!done && (size = read(STDIN_FILENO, bytes, sizeof bytes)) > 0) {
        gcl_rpc_feed(&reader, bytes, (size_t)size);
        if (gcl_rpc_next(&reader, &message) != GCL_RPC_MESSAGE)
            continue;
        done = true;
        good = message.kind == GCL_RPC_REQUEST && gcl_rpc_write(STDOUT_FILENO, answer(&message));
        gcl_rpc_message_finish(&message);
    }
    gcl_rpc_reader_finish(&reader);
    return good ? 0 : 1;
}
