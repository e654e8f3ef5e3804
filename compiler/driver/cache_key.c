// A SHA-256 over everything that the object may depend on, each part with its size in front so that
// parts can't be taken for each other. Options are the closed list below: one that isn't on it may
// read files that the preprocessor doesn't show, so such a compilation isn't cached.
#include "cache_key.h"

#include <glib/gstdio.h>
#include <link.h>
#include <stdlib.h>
#include <string.h>

#include "base/diagnostic.h"
#include "config.h"
#include "gcluster/kernel.h"
#include "gpu_options.h"

// What is added: each with its size, so that nothing can be taken for something else.

static void add_bytes(GChecksum *sum, const void *bytes, gsize size) {
    guint64 wide = size;
    g_checksum_update(sum, (const guchar *)&wide, sizeof wide);
    g_checksum_update(sum, bytes, (gssize)size);
}

static void add_text(GChecksum *sum, const char *text) {
    add_bytes(sum, text ? text : "", text ? strlen(text) + 1 : 0);
}

/// What tells a file from the one that may take its place; to be freed.
static char *identity_of(const char *path) {
    GStatBuf status;
    if (!path || g_stat(path, &status) != 0)
        return g_strdup(path);
    return g_strdup_printf("%s %llu %llu %lld %lld.%ld %lld.%ld", path,
                           (unsigned long long)status.st_dev, (unsigned long long)status.st_ino,
                           (long long)status.st_size, (long long)status.st_mtim.tv_sec,
                           status.st_mtim.tv_nsec, (long long)status.st_ctim.tv_sec,
                           status.st_ctim.tv_nsec);
}

static void add_identity(GChecksum *sum, const char *path) {
    g_autofree char *identity = identity_of(path);
    add_text(sum, identity);
}

// Options. What isn't known to leave alone all files but those that the preprocessor reads, isn't
// cached.

static const char *const read_next[] = {"-I",      "-D",         "-U",       "-isystem",
                                        "-iquote", "-idirafter", "-include", NULL};
static const char *const harmless[] = {"-I",
                                       "-D",
                                       "-U",
                                       "-isystem",
                                       "-iquote",
                                       "-idirafter",
                                       "-O",
                                       "-std=",
                                       "-W",
                                       "-w",
                                       "-g",
                                       "-pedantic",
                                       "-ansi",
                                       "-pthread",
                                       "-m32",
                                       "-m64",
                                       "-march=",
                                       "-mtune=",
                                       "-mcpu=",
                                       "-mavx",
                                       "-msse",
                                       "-mfma",
                                       "-mbmi",
                                       "-mf16c",
                                       "-mpopcnt",
                                       "-mno-",
                                       "-mcmodel=",
                                       "-mprefer-vector-width=",
                                       "-fPIC",
                                       "-fpic",
                                       "-fPIE",
                                       "-fpie",
                                       "-fno-pic",
                                       "-fno-pie",
                                       "-fopenmp",
                                       "-fexceptions",
                                       "-fno-exceptions",
                                       "-frtti",
                                       "-fno-rtti",
                                       "-fvisibility",
                                       "-fstrict-aliasing",
                                       "-fno-strict-aliasing",
                                       "-fomit-frame-pointer",
                                       "-fno-omit-frame-pointer",
                                       "-fasynchronous-unwind-tables",
                                       "-fno-asynchronous-unwind-tables",
                                       "-fstack-protector",
                                       "-fno-stack-protector",
                                       "-fcf-protection",
                                       "-ffunction-sections",
                                       "-fdata-sections",
                                       "-fno-plt",
                                       "-fno-semantic-interposition",
                                       "-fcommon",
                                       "-fno-common",
                                       "-fwrapv",
                                       "-fsigned-char",
                                       "-funsigned-char",
                                       "-fpermissive",
                                       "-fms-extensions",
                                       "-funroll-loops",
                                       "-fno-unroll-loops",
                                       "-finline",
                                       "-fno-inline",
                                       "-fvectorize",
                                       "-fno-vectorize",
                                       "-ftree-vectorize",
                                       "-ffast-math",
                                       "-fno-fast-math",
                                       "-ffp-",
                                       "-ffinite-math-only",
                                       "-fno-finite-math-only",
                                       "-fmath-errno",
                                       "-fno-math-errno",
                                       "-fsigned-zeros",
                                       "-fno-signed-zeros",
                                       "-ftrapping-math",
                                       "-fno-trapping-math",
                                       "-fassociative-math",
                                       "-fno-associative-math",
                                       "-freciprocal-math",
                                       "-ftemplate-depth",
                                       "-ftemplate-backtrace-limit",
                                       "-fconstexpr-",
                                       "-fbracket-depth",
                                       "-fdiagnostics-color",
                                       "-fno-diagnostics-color",
                                       "-fcolor-diagnostics",
                                       "-fno-color-diagnostics",
                                       "-fmax-errors",
                                       "-ferror-limit",
                                       NULL};
static const char *const harmful[] = {"-Wp,", "-Wa,", "-Wl,", "-gsplit-dwarf", NULL};

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

/// Variables that have clang write more files.
static bool is_watched(void) {
    static const char *const names[] = {"CC_PRINT_", "CC_LOG_", "DEPENDENCIES_OUTPUT",
                                        "SUNPRO_DEPENDENCIES", NULL};
    g_auto(GStrv) variables = g_listenv();
    for (char **name = variables; *name; name++) {
        if (begins_with(*name, names))
            return true;
    }
    return false;
}

/// Whether a program is one itself, and no script that may run anything.
static bool is_program(const char *path) {
    char magic[4] = "";
    FILE *file = path ? fopen(path, "rbe") : NULL;
    bool is_elf = file && fread(magic, 1, sizeof magic, file) == sizeof magic &&
                  memcmp(magic, "\177ELF", sizeof magic) == 0;
    if (file)
        fclose(file);
    return is_elf;
}

/// Whether that is a device or a pipe, which no file may take the place of.
static bool is_special(const char *path) {
    return path && g_file_test(path, G_FILE_TEST_EXISTS) &&
           !g_file_test(path, G_FILE_TEST_IS_REGULAR);
}

/// Whether commands are shown, which are those that anybody may give, or what they write is kept.
static bool shows(const struct gcl_options *options) {
    return options->verbose || options->dry_run || options->keep;
}

/// Why what clang reads isn't known, for the options and the environment; NULL: it is.
static const char *refusal_of_reading(const struct gcl_compilation *c) {
    const struct gcl_options *options = c->options;
    if (c->input->language == GCL_LANGUAGE_ASSEMBLER)
        return "an assembler reads more than the preprocessor";
    if (is_watched())
        return "the environment has clang write more than an object";
    if (!is_program(c->installation->tools[GCL_TOOL_CLANG]))
        return "clang is a script";
    if (options->unread->len > 0 || !all_harmless(options->common) ||
        !all_harmless(options->host) || !all_harmless(options->device))
        return "an option may have clang read or write other files";
    return NULL;
}

/// Why an object isn't cached, for its options; NULL: it may be.
static const char *refusal_of(const struct gcl_compilation *c) {
    const struct gcl_options *options = c->options;
    if (shows(options) || options->explain || options->phase == GCL_PHASE_DUMP ||
        options->device_target)
        return "an option asks for more than an object";
    if (is_special(c->object) || is_special(c->depend_output))
        return "an output is no file";
    return refusal_of_reading(c);
}

/// Whether what clang has made of headers may serve, also where the object isn't cached.
static bool reads_headers(const struct gcl_compilation *c) {
    bool may = gcl_command_may_precompile(c, GCL_PASS_HOST) ||
               gcl_command_may_precompile(c, GCL_PASS_DEVICE);
    return may && !shows(c->options) && !refusal_of_reading(c);
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
    static const char *const beside[] = {"clang.cfg", "clang-19.cfg", "clang++.cfg",
                                         "../lib/libclang-cpp.so.19.1", "../lib/libLLVM.so.19.1"};
    g_autofree char *own = g_file_read_link("/proc/self/exe", NULL);
    g_autofree char *plugin = g_build_filename(installation->library_directory, GCL_PLUGIN, NULL);
    add_identity(sum, own);
    add_identity(sum, plugin);
    dl_iterate_phdr(add_library, sum);
    for (int i = 0; i < GCL_TOOL_COUNT; i++)
        add_identity(sum, installation->tools[i]);
    char *clang = realpath(installation->tools[GCL_TOOL_CLANG], NULL);
    g_autofree char *folder = g_path_get_dirname(clang ? clang : "");
    for (gsize i = 0; i < G_N_ELEMENTS(beside); i++) {
        g_autofree char *path = g_build_filename(folder, beside[i], NULL);
        add_identity(sum, path);
    }
    free(clang);
}

static void add_environment(GChecksum *sum) {
    static const char *const names[] = {
        "CPATH",          "C_INCLUDE_PATH",    "CPLUS_INCLUDE_PATH", "OBJC_INCLUDE_PATH",
        "NO_COLOR",       "SDKROOT",           "COMPILER_PATH",      "CCC_OVERRIDE_OPTIONS",
        "LD_PRELOAD",     "SOURCE_DATE_EPOCH", "GCC_EXEC_PREFIX",    "LIBRARY_PATH",
        "LD_LIBRARY_PATH"};
    for (gsize i = 0; i < G_N_ELEMENTS(names); i++)
        add_text(sum, g_getenv(names[i]));
}

static void add_gpu_options(GChecksum *sum, const struct gcl_options *options) {
    struct gcl_gpu_options gpu;
    g_autoptr(GPtrArray) unheard = gcl_diagnostics_create();
    if (gcl_gpu_options_init(&gpu, options, NULL, unheard)) {
        g_autofree char *text = gcl_gpu_options_text(&gpu);
        add_text(sum, text);
        add_identity(sum, gpu.assembler);
        add_identity(sum, gpu.libdevice);
    }
    gcl_gpu_options_finish(&gpu);
}

static void add_options(GChecksum *sum, const struct gcl_compilation *c,
                        const struct gcl_workspace *w) {
    const struct gcl_options *options = c->options;
    g_autofree char *text = g_strdup_printf(
        GCL_VERSION " abi %d arch %s march %s scalar %d sanitize %u "
                    "remarks %d debug %d lines %d rdc %d colour %d source %s object %s",
        GCL_KERNEL_ABI, options->arch, options->march ? options->march : "", options->scalar,
        options->sanitize, options->vector_remarks, options->device_debug, options->line_info,
        options->relocatable_device_code, c->colour, c->input->path,
        without_workspace(c->object, w));
    g_autofree char *folder = g_get_current_dir();
    add_text(sum, text);
    add_gpu_options(sum, options);
    add_text(sum, options->module ? options->module : folder); // modules know of no folder
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

/// The file that a line such as `# 1 "name" 1 3` leads to, to be freed, and whether it is one of
/// the system's. NULL: it is no such line.
static char *find_name(const char *line, const char *end, bool *is_system) {
    g_autofree char *text = g_strndup(line, (gsize)(end - line));
    char *name = g_str_has_prefix(text, "# ") ? strchr(text, '"') : NULL;
    char *quote = name ? strrchr(name, '"') : NULL;
    if (!name || quote == name || name[1] == '<')
        return NULL;
    *is_system = strstr(quote, " 3");
    *quote = 0;
    return g_strcompress(name + 1);
}

/// Adds the bytes of a file of the user's. A line of the source may call itself of any file, also
/// of one that never ends.
static void add_file(GChecksum *sum, const char *name) {
    g_autofree char *bytes = NULL;
    gsize size;
    if (is_special(name) || !g_file_get_contents(name, &bytes, &size, NULL))
        return;
    add_text(sum, name);
    add_bytes(sum, bytes, size);
}

/// Adds the files that a text comes from, each once.
static void add_files(GChecksum *sum, const char *text, GHashTable *files) {
    for (const char *line = text; *line;) {
        const char *end = strchrnul(line, '\n');
        bool is_system = false;
        g_autofree char *name = *line == '#' ? find_name(line, end, &is_system) : NULL;
        if (name && !g_hash_table_contains(files, name)) {
            g_hash_table_insert(files, g_strdup(name), identity_of(name));
            if (!is_system)
                add_file(sum, name);
        }
        line = *end ? end + 1 : end;
    }
}

/// What a pass gets of our headers: from behind the line with the source's name to the one that
/// leads back to it. NULL: they aren't read first.
static char *cut_headers(const char *text) {
    const char *begin = strchr(text, '\n');
    const char *end = begin ? strstr(begin, "\n# 2 \"<built-in>\" 2\n") : NULL;
    return end ? g_strndup(begin, (gsize)(end - begin)) : NULL;
}

/// The key of our headers, to be freed. NULL: others may come before them. Macros don't show in a
/// text after preprocessing, so it has to come from the same files, which are too many to be read.
static char *headers_key(const struct gcl_compilation *c, enum gcl_pass pass, const char *text) {
    g_autofree char *headers = cut_headers(text);
    g_autoptr(GPtrArray) command = gcl_command_precompile(c, pass, GCL_EMPTY_FILE, "");
    g_autoptr(GChecksum) sum = g_checksum_new(G_CHECKSUM_SHA256);
    g_autoptr(GHashTable) files = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    if (!headers || !gcl_command_may_precompile(c, pass))
        return NULL;
    for (guint i = 0; i < command->len; i++)
        add_text(sum, command->pdata[i]);
    add_tools(sum, c->installation);
    add_environment(sum);
    add_text(sum, headers);
    for (const char *line = headers; *line;) {
        const char *end = strchrnul(line, '\n');
        bool is_system = false;
        g_autofree char *name = *line == '#' ? find_name(line, end, &is_system) : NULL;
        if (name && g_hash_table_add(files, g_strdup(name)))
            add_identity(sum, name);
        line = *end ? end + 1 : end;
    }
    return g_strdup(g_checksum_get_string(sum));
}

/// Adds what a pass gets. False: it names files that only the assembler reads, or is no text.
static bool add_pass(GChecksum *sum, const struct gcl_compilation *c, enum gcl_pass pass,
                     const char *path, struct gcl_cache_key *key) {
    g_autofree char *text = NULL;
    gsize size;
    if (!g_file_get_contents(path, &text, &size, NULL) || strlen(text) != size)
        return false;
    add_bytes(sum, text, size);
    add_files(sum, text, key->files);
    key->headers[pass] = headers_key(c, pass, text);
    return !strstr(text, ".incbin") && !strstr(text, ".include");
}

/// Both passes, side by side. False: one of them fails, or can't be cached.
static bool add_passes(GChecksum *sum, const struct gcl_compilation *c,
                       struct gcl_workspace *workspace, struct gcl_cache_key *key) {
    bool is_cuda = c->input->language == GCL_LANGUAGE_CUDA, good = true;
    const char *const names[] = {"cache.host", "cache.device"};
    struct gcl_process processes[2];
    size_t count = is_cuda ? 2 : 1;
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
        good = good && processes[i].status == 0 && add_pass(sum, c, (enum gcl_pass)i, text, key);
        g_unlink(text);
        g_free(processes[i].log);
    }
    return good;
}

struct gcl_cache_key *gcl_cache_key(const struct gcl_compilation *c,
                                    struct gcl_workspace *workspace, const char **why) {
    g_autoptr(GChecksum) sum = g_checksum_new(G_CHECKSUM_SHA256);
    g_autoptr(GPtrArray) host = gcl_command_host(c), device = gcl_command_device(c);
    *why = refusal_of(c);
    if (*why && !reads_headers(c))
        return NULL;
    add_options(sum, c, workspace);
    add_command(sum, c, workspace, host);
    add_command(sum, c, workspace, device);
    add_processor(sum, c->options);
    add_tools(sum, c->installation);
    add_environment(sum);
    struct gcl_cache_key *key = g_new0(struct gcl_cache_key, 1);
    key->files = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free);
    bool is_known = add_passes(sum, c, workspace, key);
    if (is_known && !*why)
        key->text = g_strdup(g_checksum_get_string(sum));
    if (is_known)
        return key;
    gcl_cache_key_free(key);
    if (!*why)
        *why = "it doesn't compile, has the assembler read a file, or has a byte 0";
    return NULL;
}

bool gcl_cache_key_holds(const struct gcl_cache_key *key) {
    GHashTableIter files;
    gpointer name, identity;
    g_hash_table_iter_init(&files, key->files);
    while (g_hash_table_iter_next(&files, &name, &identity)) {
        g_autofree char *now = identity_of(name);
        if (strcmp(now, identity) != 0)
            return false;
    }
    return true;
}

void gcl_cache_key_free(struct gcl_cache_key *key) {
    if (!key)
        return;
    g_hash_table_unref(key->files);
    for (int i = 0; i < GCL_PASS_COUNT; i++)
        g_free(key->headers[i]);
    g_free(key->text);
    g_free(key);
}
