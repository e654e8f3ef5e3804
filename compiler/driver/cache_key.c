#include "cache_key.h"

#include <glib/gstdio.h>
#include <link.h>
#include <stdlib.h>
#include <string.h>

#include "config.h"
#include "gcluster/kernel.h"

// What is added: each with its size, so that nothing can be taken for something else.

static void add_bytes(GChecksum *sum, const void *bytes, gsize size) {
    guint64 wide = size;
    g_checksum_update(sum, (const guchar *)&wide, sizeof wide);
    g_checksum_update(sum, bytes, (gssize)size);
}

static void add_text(GChecksum *sum, const char *text) {
    add_bytes(sum, text ? text : "", text ? strlen(text) + 1 : 0);
}

/// A file by what tells it from the one that may take its place.
static void add_identity(GChecksum *sum, const char *path) {
    GStatBuf status;
    g_autofree char *text =
        path && g_stat(path, &status) == 0
            ? g_strdup_printf("%s %llu %llu %lld %lld.%ld %lld.%ld", path,
                              (unsigned long long)status.st_dev, (unsigned long long)status.st_ino,
                              (long long)status.st_size, (long long)status.st_mtim.tv_sec,
                              status.st_mtim.tv_nsec, (long long)status.st_ctim.tv_sec,
                              status.st_ctim.tv_nsec)
            : g_strdup(path);
    add_text(sum, text);
}

// Options. What isn't known to leave alone all files but those that the preprocessor reads, isn't
// cached.

static const char *const read_next[] = {"-I",      "-D",         "-U",       "-isystem",
                                        "-iquote", "-idirafter", "-include", NULL};
static const char *const harmless[] = {
    "-I", "-D", "-U", "-isystem", "-iquote",   "-idirafter", "-O",       "-std=", "-W",
    "-w", "-g", "-m", "-f",       "-pedantic", "-ansi",      "-pthread", NULL};
static const char *const harmful[] = {"-Wp,",
                                      "-Wa,",
                                      "-Wl,",
                                      "-gsplit-dwarf",
                                      "-mllvm",
                                      "-fplugin",
                                      "-fpass-plugin",
                                      "-fprofile",
                                      "-fauto-profile",
                                      "-fcs-profile",
                                      "-fcoverage",
                                      "-ftest-coverage",
                                      "-fmodule",
                                      "-fimplicit-module",
                                      "-fprebuilt",
                                      "-fbuiltin-module",
                                      "-fcxx-modules",
                                      "-ftime-",
                                      "-fsave",
                                      "-foptimization-record",
                                      "-fsanitize-",
                                      "-fxray",
                                      "-fbasic-block-sections",
                                      "-fthin",
                                      "-fembed",
                                      "-fdump",
                                      "-fstack-usage",
                                      "-fproc-stat",
                                      "-fcrash",
                                      "-fapi",
                                      "-fdiagnostics-add",
                                      NULL};

static bool begins_with(const char *word, const char *const *list) {
    for (; *list; list++) {
        if (g_str_has_prefix(word, *list))
            return true;
    }
    return false;
}

static bool all_harmless(const GPtrArray *words) {
    for (guint i = 0; i < words->len; i++) {
        const char *word = words->pdata[i];
        if (g_strv_contains(read_next, word))
            i++;
        else if (!begins_with(word, harmless) || begins_with(word, harmful))
            return false;
    }
    return true;
}

/// Whether that is a device or a pipe, which no file may take the place of.
static bool is_special(const char *path) {
    return path && g_file_test(path, G_FILE_TEST_EXISTS) &&
           !g_file_test(path, G_FILE_TEST_IS_REGULAR);
}

/// Why an object isn't cached, for its options; NULL: it may be.
static const char *refusal_of(const struct gcl_compilation *c) {
    const struct gcl_options *options = c->options;
    if (options->verbose || options->dry_run || options->keep || options->explain ||
        options->phase == GCL_PHASE_DUMP || options->device_target)
        return "an option asks for more than an object";
    if (c->input->language == GCL_LANGUAGE_ASSEMBLER)
        return "an assembler reads more than the preprocessor";
    if (is_special(c->object) || is_special(c->depend_output))
        return "an output is no file";
    if (options->unread->len > 0 || !all_harmless(options->common) ||
        !all_harmless(options->host) || !all_harmless(options->device))
        return "an option may have clang read or write other files";
    return NULL;
}

// Commands.

/// A word without the name of a folder that is another one each time.
static const char *without_workspace(const char *word, const struct gcl_workspace *workspace) {
    bool is_inside = g_str_has_prefix(word, workspace->directory);
    return is_inside ? word + strlen(workspace->directory) : word;
}

/// Adds a command's words, without the names that differ each time.
static void add_command(GChecksum *sum, const struct gcl_compilation *c,
                        const struct gcl_workspace *workspace, const GPtrArray *command) {
    for (guint i = 0; i < command->len; i++) {
        const char *word = command->pdata[i];
        bool is_rule = g_strcmp0(word, c->depend_output) == 0; // another one each time, too
        add_text(sum, is_rule ? "-" : without_workspace(word, workspace));
    }
}

static bool is_native(GPtrArray *words) {
    return g_ptr_array_find_with_equal_func(words, "-march=native", g_str_equal, NULL) ||
           g_ptr_array_find_with_equal_func(words, "-mtune=native", g_str_equal, NULL) ||
           g_ptr_array_find_with_equal_func(words, "-mcpu=native", g_str_equal, NULL);
}

/// The processor, where it decides about code.
static void add_processor(GChecksum *sum, const struct gcl_options *options) {
    static const char *const fields[] = {"vendor_id", "cpu family", "model",    "stepping",
                                         "flags",     "CPU ",       "Features", NULL};
    g_autofree char *text = NULL;
    if (g_strcmp0(options->march, "native") != 0 && !is_native(options->common) &&
        !is_native(options->host) && !is_native(options->device))
        return;
    if (!g_file_get_contents("/proc/cpuinfo", &text, NULL, NULL))
        return;
    g_auto(GStrv) lines = g_strsplit(text, "\n", -1);
    for (char **line = lines; *line && **line; line++) {
        if (begins_with(*line, fields))
            add_text(sum, *line);
    }
}

static int add_library(struct dl_phdr_info *info, size_t size, void *sum) {
    (void)size;
    if (info->dlpi_name && *info->dlpi_name)
        add_identity(sum, info->dlpi_name);
    return 0;
}

/// The programs that compile, their libraries and settings.
static void add_tools(GChecksum *sum, const struct gcl_installation *installation) {
    static const char *const settings[] = {"clang.cfg", "clang-19.cfg", "clang++.cfg"};
    g_autofree char *own = g_file_read_link("/proc/self/exe", NULL);
    g_autofree char *plugin = g_build_filename(installation->library_directory, GCL_PLUGIN, NULL);
    add_identity(sum, own);
    add_identity(sum, plugin);
    dl_iterate_phdr(add_library, sum);
    for (int i = 0; i < GCL_TOOL_COUNT; i++)
        add_identity(sum, installation->tools[i]);
    char *clang = realpath(installation->tools[GCL_TOOL_CLANG], NULL);
    g_autofree char *folder = g_path_get_dirname(clang ? clang : "");
    for (gsize i = 0; i < G_N_ELEMENTS(settings); i++) {
        g_autofree char *path = g_build_filename(folder, settings[i], NULL);
        add_identity(sum, path);
    }
    free(clang);
}

static void add_environment(GChecksum *sum) {
    static const char *const names[] = {
        "CPATH",      "C_INCLUDE_PATH",    "CPLUS_INCLUDE_PATH", "OBJC_INCLUDE_PATH",
        "NO_COLOR",   "SDKROOT",           "COMPILER_PATH",      "CCC_OVERRIDE_OPTIONS",
        "LD_PRELOAD", "SOURCE_DATE_EPOCH", "GCC_EXEC_PREFIX",    "LIBRARY_PATH"};
    for (gsize i = 0; i < G_N_ELEMENTS(names); i++)
        add_text(sum, g_getenv(names[i]));
}

static void add_options(GChecksum *sum, const struct gcl_compilation *c,
                        const struct gcl_workspace *w) {
    const struct gcl_options *options = c->options;
    g_autofree char *text = g_strdup_printf(
        GCL_VERSION " abi %d arch %s march %s scalar %d sanitize %u remarks %d debug %d rdc %d "
                    "colour %d source %s object %s",
        GCL_KERNEL_ABI, options->arch, options->march ? options->march : "", options->scalar,
        options->sanitize, options->vector_remarks, options->device_debug,
        options->relocatable_device_code, c->colour, c->input->path,
        without_workspace(c->object, w));
    g_autofree char *folder = g_get_current_dir();
    add_text(sum, text);
    add_text(sum, folder);
    add_text(sum, c->unit_id);
}

// Texts.

static int run_command(void *command) {
    return gcl_process_run(command, NULL);
}

/// A pass's command, which ends with preprocessing instead, and writes to `text`.
static GPtrArray *preprocess(GPtrArray *command, const char *text) {
    g_ptr_array_add(command, g_strdup("-E"));
    g_ptr_array_add(command, g_strdup("-o"));
    g_ptr_array_add(command, g_strdup(text));
    return command;
}

/// The file that a line such as `# 1 "name" 1 3` leads to, if it isn't the system's; to be freed.
/// NULL: it is no such line, or none of those.
static char *find_name(const char *line, const char *end) {
    g_autofree char *text = g_strndup(line, (gsize)(end - line));
    char *name = g_str_has_prefix(text, "# ") ? strchr(text, '"') : NULL;
    char *quote = name ? strrchr(name, '"') : NULL;
    if (!name || quote == name || name[1] == '<' || strstr(quote, " 3"))
        return NULL;
    *quote = 0;
    return g_strcompress(name + 1);
}

/// Adds the files of the user's that a text comes from, each once.
static void add_files(GChecksum *sum, const char *text, GHashTable *known) {
    for (const char *line = text; *line;) {
        const char *end = strchrnul(line, '\n');
        char *name = *line == '#' ? find_name(line, end) : NULL;
        g_autofree char *bytes = NULL;
        gsize size;
        if (name && g_hash_table_add(known, name) &&
            g_file_get_contents(name, &bytes, &size, NULL)) {
            add_text(sum, name);
            add_bytes(sum, bytes, size);
        }
        line = *end ? end + 1 : end;
    }
}

/// Adds what a pass gets. False: it names files that only the assembler reads.
static bool add_pass(GChecksum *sum, const char *path, GHashTable *known) {
    g_autofree char *text = NULL;
    gsize size;
    if (!g_file_get_contents(path, &text, &size, NULL))
        return false;
    add_bytes(sum, text, size);
    add_files(sum, text, known);
    return !strstr(text, ".incbin") && !strstr(text, ".include");
}

/// Both passes, side by side. False: one of them fails, or can't be cached.
static bool add_passes(GChecksum *sum, const struct gcl_compilation *c,
                       struct gcl_workspace *workspace) {
    bool is_cuda = c->input->language == GCL_LANGUAGE_CUDA, good = true;
    const char *const names[] = {"cache.host", "cache.device"};
    struct gcl_process processes[2];
    size_t count = is_cuda ? 2 : 1;
    g_autoptr(GHashTable) known = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    for (size_t i = 0; i < count; i++) {
        g_autofree char *text = gcl_workspace_path(workspace, names[i]);
        g_autofree char *log = g_strconcat(text, ".log", NULL);
        struct gcl_compilation plain = *c;
        plain.depend_output = NULL;
        g_autoptr(GPtrArray) command =
            preprocess(i ? gcl_command_device(&plain) : gcl_command_host(&plain), text);
        gcl_process_start(&processes[i], log, run_command, command);
    }
    gcl_processes_wait(workspace, processes, count);
    for (size_t i = 0; i < count; i++) {
        g_autofree char *text = gcl_workspace_path(workspace, names[i]);
        good = good && processes[i].status == 0 && add_pass(sum, text, known);
        g_unlink(text);
        g_free(processes[i].log);
    }
    return good;
}

char *gcl_cache_key(const struct gcl_compilation *c, struct gcl_workspace *workspace,
                    const char **why) {
    g_autoptr(GChecksum) sum = g_checksum_new(G_CHECKSUM_SHA256);
    g_autoptr(GPtrArray) host = gcl_command_host(c), device = gcl_command_device(c);
    *why = refusal_of(c);
    if (*why)
        return NULL;
    add_options(sum, c, workspace);
    add_command(sum, c, workspace, host);
    add_command(sum, c, workspace, device);
    add_processor(sum, c->options);
    add_tools(sum, c->installation);
    add_environment(sum);
    if (add_passes(sum, c, workspace))
        return g_strdup(g_checksum_get_string(sum));
    *why = "it doesn't compile, or has the assembler read a file";
    return NULL;
}
