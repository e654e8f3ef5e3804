// A command is noted with one write to a file that is open for appending, so those of a parallel
// build don't mix. What a compiler starts itself isn't noted: it gets the PATH that was there
// before.
#include "translate/intercept.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/diagnostic.h"
#include "driver/options/options.h"
#include "translate/tree.h"

#define LOG "GCLUSTER_INTERCEPT_LOG"
#define PATHS "GCLUSTER_INTERCEPT_PATH"

static const char *const compilers[] = {
    "nvcc",
    "gcluster-cc",
    "gcc",
    "g++",
    "cc",
    "c++",
    "clang",
    "clang++",
    "clang-19",
    "clang++-19",
    "x86_64-linux-gnu-gcc",
    "x86_64-linux-gnu-g++",
    NULL,
};

// In the build.

static json_t *text_json(const char *text) {
    g_autofree char *valid = g_utf8_make_valid(text, -1);
    return json_string(valid);
}

static void note(const char *log, char **arguments) {
    g_autofree char *directory = g_get_current_dir();
    json_t *words = json_array();
    for (char **word = arguments; *word; word++)
        json_array_append_new(words, text_json(*word));
    json_t *record = json_pack("{s:o, s:o}", "directory", text_json(directory), "arguments", words);
    char *text = json_dumps(record, JSON_COMPACT);
    g_autofree char *line = g_strconcat(text, "\n", NULL);
    int file = open(log, O_WRONLY | O_APPEND | O_CLOEXEC);
    if (file < 0 || write(file, line, strlen(line)) < 0)
        fprintf(stderr, "gcluster-translate: a command isn't recorded: %s\n", g_strerror(errno));
    if (file >= 0)
        close(file);
    free(text);
    json_decref(record);
}

// gcluster-cc beside this program stands in for nvcc where there is none.
static char *find_compiler(const char *name) {
    char *found = g_find_program_in_path(name);
    g_autofree char *self = found ? NULL : g_file_read_link("/proc/self/exe", NULL);
    g_autofree char *folder = self ? g_path_get_dirname(self) : NULL;
    bool ours = strcmp(name, "nvcc") == 0 || strcmp(name, "gcluster-cc") == 0;
    return found || !ours ? found : g_build_filename(folder, "gcluster-cc", NULL);
}

int gcl_intercept_pass_on(char **arguments) {
    const char *log = g_getenv(LOG), *paths = g_getenv(PATHS);
    g_autofree char *name = g_path_get_basename(arguments[0]);
    if (!log || !paths || !g_strv_contains(compilers, name))
        return -1;
    note(log, arguments);
    g_setenv("PATH", paths, TRUE);
    g_autofree char *compiler = find_compiler(name);
    if (compiler)
        execv(compiler, arguments);
    fprintf(stderr, "%s: not found\n", name);
    return 127;
}

// What was noted.

// Options whose next word is no source.
static bool takes_word(const char *option) {
    static const char *const names[] = {"-o",
                                        "-I",
                                        "-isystem",
                                        "-iquote",
                                        "-idirafter",
                                        "-include",
                                        "-D",
                                        "-U",
                                        "-x",
                                        "-MF",
                                        "-MT",
                                        "-MQ",
                                        "-Xcompiler",
                                        "-Xlinker",
                                        "-Xclang",
                                        "-Xptxas",
                                        "-arch",
                                        "-gencode",
                                        "-code",
                                        "-ccbin",
                                        "-L",
                                        "-l",
                                        "-std",
                                        "-odir",
                                        "--options-file",
                                        "-optf",
                                        "--output-file",
                                        "--compiler-options",
                                        "--include-path",
                                        "--define-macro",
                                        NULL};
    return g_strv_contains(names, option);
}

static bool only_looks(const char *word) {
    static const char *const names[] = {"-E",      "-M",       "-MM", "--version",
                                        "-dryrun", "--dryrun", NULL};
    return g_strv_contains(names, word);
}

static bool is_source(const char *word) {
    enum gcl_language language = gcl_options_language_of(word);
    return *word != '-' && (language == GCL_LANGUAGE_CUDA || language == GCL_LANGUAGE_CXX ||
                            language == GCL_LANGUAGE_C);
}

static void add_entries(json_t *database, const json_t *record) {
    json_t *arguments = json_object_get(record, "arguments");
    json_t *directory = json_object_get(record, "directory");
    size_t count = json_array_size(arguments);
    g_autoptr(GPtrArray) sources = g_ptr_array_new();
    for (size_t i = 1; i < count; i++) {
        const char *word = json_string_value(json_array_get(arguments, i));
        if (!word || only_looks(word))
            return;
        if (takes_word(word))
            i++;
        else if (is_source(word))
            g_ptr_array_add(sources, (char *)word);
    }
    for (guint i = 0; i < sources->len && json_is_string(directory); i++)
        json_array_append_new(database,
                              json_pack("{s:O, s:s, s:O}", "directory", directory, "file",
                                        (const char *)sources->pdata[i], "arguments", arguments));
}

json_t *gcl_intercept_database(const char *log) {
    json_t *database = json_array();
    g_auto(GStrv) lines = g_strsplit(log, "\n", -1);
    for (char **line = lines; *line; line++) {
        json_t *record = json_loads(*line, 0, NULL);
        if (record)
            add_entries(database, record);
        json_decref(record);
    }
    return database;
}

// Around the build.

// Sources that a build has made for itself, and has removed again, can't be translated.
static json_t *without_gone(json_t *database) {
    json_t *kept = json_array(), *entry;
    size_t i;
    json_array_foreach(database, i, entry) {
        g_autofree char *path =
            g_canonicalize_filename(json_string_value(json_object_get(entry, "file")),
                                    json_string_value(json_object_get(entry, "directory")));
        if (g_file_test(path, G_FILE_TEST_EXISTS))
            json_array_append(kept, entry);
    }
    json_decref(database);
    return kept;
}

struct build {
    const char *const *command;
    const char *directory, *folder, *log;
};

static int run_build(void *context) {
    const struct build *build = context;
    const char *path = g_getenv("PATH");
    g_autofree char *paths = g_strconcat(build->folder, ":", path ? path : "", NULL);
    g_setenv(LOG, build->log, TRUE);
    g_setenv(PATHS, path ? path : "", TRUE);
    g_setenv("PATH", paths, TRUE);
    if (chdir(build->directory) != 0)
        return 127;
    execvp(build->command[0], (char *const *)build->command);
    return 127;
}

static bool make_links(const char *folder) {
    g_autofree char *self = g_file_read_link("/proc/self/exe", NULL);
    bool good = self && g_mkdir_with_parents(folder, 0700) == 0;
    for (const char *const *name = compilers; *name && good; name++) {
        g_autofree char *link = g_build_filename(folder, *name, NULL);
        good = symlink(self, link) == 0;
    }
    return good;
}

static bool write_database(const char *log, const char *directory, GPtrArray *diagnostics) {
    g_autofree char *text = NULL,
                    *path = g_build_filename(directory, "compile_commands.json", NULL);
    if (!g_file_get_contents(log, &text, NULL, NULL))
        text = g_strdup("");
    json_t *database = without_gone(gcl_intercept_database(text));
    if (json_array_size(database) == 0)
        gcl_diagnostics_add(diagnostics, GCL_CODE_FILE, NULL,
                            "what is up to date isn't compiled: make clean first",
                            "the build has compiled nothing that could be recorded");
    char *json = json_dumps(database, JSON_INDENT(1));
    g_autoptr(GBytes) bytes = g_bytes_new(json, strlen(json));
    bool good = json_array_size(database) > 0 && gcl_tree_write(path, bytes, 0644, diagnostics);
    json_decref(database);
    free(json);
    return good;
}

bool gcl_intercept(struct gcl_workspace *workspace, const char *const *command,
                   const char *directory, GPtrArray *diagnostics) {
    g_autofree char *folder = gcl_workspace_path(workspace, "intercept");
    g_autofree char *log = gcl_workspace_path(workspace, "intercept.log");
    const struct build build = {command, directory, folder, log};
    struct gcl_process process;
    if (!make_links(folder) || !g_file_set_contents(log, "", 0, NULL)) {
        gcl_diagnostics_add(diagnostics, GCL_CODE_FILE, NULL, NULL, "cannot write '%s'", folder);
        return false;
    }
    gcl_process_start(&process, NULL, run_build, (void *)&build);
    gcl_processes_wait(workspace, &process, 1);
    if (process.status != 0)
        gcl_diagnostics_add(diagnostics, GCL_CODE_BUILD_FAILED, NULL,
                            "sources that it didn't come to aren't translated",
                            "'%s' ended with status %d", command[0], process.status);
    return write_database(log, directory, diagnostics);
}
