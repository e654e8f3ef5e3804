// The options of one run, and which tool gets a word that is meant for the host compiler. The words
// of the command line come here through the table of options (option_table.c).
#include "driver/options/options.h"

#include <stdarg.h>
#include <string.h>

struct gcl_options *gcl_options_create(void) {
    struct gcl_options *options = g_new0(struct gcl_options, 1);
    options->inputs = g_array_new(FALSE, TRUE, sizeof(struct gcl_input));
    options->depend_targets = g_ptr_array_new();
    options->dump = g_ptr_array_new();
    options->architectures = g_ptr_array_new();
    options->codes = g_ptr_array_new();
    options->gencodes = g_ptr_array_new();
    options->common = g_ptr_array_new();
    options->host = g_ptr_array_new();
    options->unread = g_ptr_array_new();
    options->device = g_ptr_array_new();
    options->link = g_ptr_array_new();
    options->archive = g_ptr_array_new();
    options->run_arguments = g_ptr_array_new();
    options->strings = g_string_chunk_new(4096);
    options->fused_multiply_add = true;
    options->exact_quotients = true;
    options->exact_roots = true;
    options->devices = GCL_DEVICE_CPU | GCL_DEVICE_CUDA;
    options->jobs = 1;
    return options;
}

bool gcl_options_debug_kernels(const struct gcl_options *options) {
    return options->device_debug && !options->sanitize && !options->device_target;
}

bool gcl_options_describe_lines(const struct gcl_options *options) {
    return options->line_info && !gcl_options_debug_kernels(options) && !options->sanitize;
}

bool gcl_options_leave_out_host(const struct gcl_options *options) {
    return options->device_target || options->phase == GCL_PHASE_MODULE;
}

bool gcl_options_keep_objects(const struct gcl_options *options) {
    return options->phase == GCL_PHASE_COMPILE || options->phase == GCL_PHASE_MODULE;
}

const char *gcl_options_keep(struct gcl_options *options, const char *text) {
    return g_string_chunk_insert_const(options->strings, text);
}

void gcl_options_add(struct gcl_options *options, GPtrArray *list, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    g_autofree char *text = g_strdup_vprintf(format, arguments);
    va_end(arguments);
    g_ptr_array_add(list, (gpointer)gcl_options_keep(options, text));
}

static const char *extension(const char *path) {
    const char *slash = strrchr(path, '/');
    const char *dot = strrchr(slash ? slash : path, '.');
    return dot ? dot : "";
}

enum gcl_language gcl_options_language_of(const char *path) {
    static const struct {
        const char *extension;
        enum gcl_language language;
    } known[] = {
        {".cu", GCL_LANGUAGE_CUDA}, {".cpp", GCL_LANGUAGE_CXX},     {".cc", GCL_LANGUAGE_CXX},
        {".cxx", GCL_LANGUAGE_CXX}, {".c++", GCL_LANGUAGE_CXX},     {".C", GCL_LANGUAGE_CXX},
        {".c", GCL_LANGUAGE_C},     {".s", GCL_LANGUAGE_ASSEMBLER}, {".S", GCL_LANGUAGE_ASSEMBLER},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(known); i++)
        if (!strcmp(extension(path), known[i].extension))
            return known[i].language;
    return GCL_LANGUAGE_NONE;
}

bool gcl_options_is_linker_input(const char *path) {
    static const char *const known[] = {".o", ".obj", ".a", ".so", ".lo"};
    g_autofree char *name = g_path_get_basename(path);
    for (size_t i = 0; i < G_N_ELEMENTS(known); i++)
        if (!strcmp(extension(path), known[i]))
            return true;
    return strstr(name, ".so.") != NULL;
}

static bool starts_with_any(const char *word, const char *const *prefixes) {
    for (; *prefixes; prefixes++)
        if (g_str_has_prefix(word, *prefixes))
            return true;
    return false;
}

// True if `word` is the value of the option before it in `common`, as in `-include x.h`.
static bool is_second_word(const struct gcl_options *options, const char *word) {
    static const char *const takers[] = {"-include", "-isystem", "-iquote", "-idirafter",
                                         "-I",       "-D",       "-U",      NULL};
    if (word[0] == '-' || options->common->len == 0)
        return false;
    return g_strv_contains(takers, g_ptr_array_index(options->common, options->common->len - 1));
}

// Kernels run where host code does, so both are for that processor.
static void set_processor(struct gcl_options *options, const char *word) {
    options->march = gcl_options_keep(options, word + strlen("-march="));
    gcl_options_add(options, options->host, "%s", word);
}

// Options that hand words to another tool or have it load code: clang alone gets them, in a process
// of its own, for the host pass. `-Xclang`, `-mllvm` and the like take the word behind them along.
static bool is_unread(const struct gcl_options *options, const char *word) {
    static const char *const takers[] = {"-Xclang", "-Xpreprocessor", "-Xassembler", "-mllvm",
                                         "-B",      "-specs",         "--config",    "-ivfsoverlay",
                                         NULL};
    static const char *const beginnings[] = {
        "-Wp,", "-Wa,", "-fplugin", "-fpass-plugin", "-B", "-specs", "--specs", "--config", NULL};
    bool is_second = false;
    for (guint i = 0; i < options->unread->len; i++)
        is_second = !is_second && g_strv_contains(takers, options->unread->pdata[i]);
    return is_second || g_strv_contains(takers, word) || starts_with_any(word, beginnings);
}

void gcl_options_add_host(struct gcl_options *options, const char *word) {
    static const char *const common[] = {"-D", "-U", "-I", "-i", NULL};
    static const char *const link[] = {"-Wl,", "-L", "-l", "-static", "-rdynamic", "-z", NULL};
    static const char *const both[] = {
        "-fsanitize", "-pthread",  "-pie",      "-no-pie", "--coverage", "-pg",
        "-stdlib=",   "-fuse-ld=", "-fprofile", "-v",      NULL};
    if (g_str_has_prefix(word, "-fopenmp"))
        options->openmp = true;
    else if (g_str_has_prefix(word, "-std="))
        options->standard = gcl_options_keep(options, word + strlen("-std="));
    else if (is_unread(options, word))
        gcl_options_add(options, options->unread, "%s", word);
    else if (is_second_word(options, word) || starts_with_any(word, common))
        gcl_options_add(options, options->common, "%s", word);
    else if (starts_with_any(word, link))
        gcl_options_add(options, options->link, "%s", word);
    else if (g_str_has_prefix(word, "-march="))
        set_processor(options, word);
    else if (g_str_has_prefix(word, "-flto"))
        return; // objects with device code are joined by ld, which can't read bitcode
    else
        gcl_options_add(options, options->host, "%s", word);
    if (starts_with_any(word, both))
        gcl_options_add(options, options->link, "%s", word);
}

bool gcl_options_dump_one(const struct gcl_options *options, const char *const *stages) {
    while (*stages && !g_ptr_array_find_with_equal_func(options->dump, *stages, g_str_equal, NULL))
        stages++;
    return *stages != NULL;
}

bool gcl_options_dump_code(const struct gcl_options *options) {
    static const char *const late[] = {"uniformity", "regions", "vector", "ptx", NULL};
    return gcl_options_dump_one(options, late);
}

bool gcl_options_link_device(const struct gcl_options *options) {
    return options->phase == GCL_PHASE_LINK || options->phase == GCL_PHASE_RUN ||
           options->phase == GCL_PHASE_DEVICE_LINK;
}

void gcl_options_destroy(struct gcl_options *options) {
    if (!options)
        return;
    g_array_unref(options->inputs);
    GPtrArray *lists[] = {options->architectures,  options->codes,         options->gencodes,
                          options->depend_targets, options->dump,          options->common,
                          options->host,           options->device,        options->link,
                          options->archive,        options->run_arguments, options->unread};
    for (size_t i = 0; i < G_N_ELEMENTS(lists); i++)
        g_ptr_array_unref(lists[i]);
    g_string_chunk_free(options->strings);
    g_free(options);
}
