// Reads the command line: words, response files, environment, then each word through the table.
//
// A word that starts with a dash is looked up in three steps: whole, up to its `=`, and as a
// one-letter option with its value attached. What is left may still be a host compiler's option
// (-W..., -f..., -m...), which people use here although nvcc refuses it.
#include "driver/options/command_line.h"

#include <string.h>

#include "base/diagnostic.h"
#include "driver/options/installation.h"
#include "driver/options/option_table.h"

enum { NESTING_MAX = 16 }; // response files that name response files

struct reader {
    struct gcl_options *options;
    GPtrArray *diagnostics;
    GPtrArray *words; ///< char *, response files already expanded
    guint next;
};

static bool starts_with_any(const char *word, const char *const *prefixes) {
    for (; *prefixes; prefixes++)
        if (g_str_has_prefix(word, *prefixes))
            return true;
    return false;
}

// Splits at commas outside quotes and brackets. A backslash keeps the comma after it, and quotes
// around the whole of an item are dropped.
static GPtrArray *split_list(const char *value) {
    GPtrArray *items = g_ptr_array_new_with_free_func(g_free);
    g_autoptr(GString) item = g_string_new(NULL);
    int depth = 0;
    char quote = '\0';
    for (const char *c = value;; c++) {
        if (*c == '\0' || (*c == ',' && depth == 0 && !quote)) {
            if (item->len >= 2 && item->str[0] == '"' && item->str[item->len - 1] == '"') {
                g_string_truncate(item, item->len - 1);
                g_string_erase(item, 0, 1);
            }
            g_ptr_array_add(items, g_strdup(item->str));
            g_string_truncate(item, 0);
            if (*c == '\0')
                return items;
            continue;
        }
        if (*c == '\\' && c[1] == ',')
            c++;
        else if (*c == quote)
            quote = '\0';
        else if (!quote && *c == '"')
            quote = *c;
        else if (!quote)
            depth += (*c == '(') - (*c == ')' && depth > 0);
        g_string_append_c(item, *c);
    }
}

// -DX=1,2: what can't begin a macro's name belongs to the value before it.
static void join_values(GPtrArray *items) {
    for (guint i = 1; i < items->len;) {
        const char *item = items->pdata[i];
        if (g_ascii_isalpha(item[0]) || item[0] == '_') {
            i++;
            continue;
        }
        char *whole = g_strconcat(items->pdata[i - 1], ",", item, NULL);
        g_free(items->pdata[i - 1]);
        items->pdata[i - 1] = whole;
        g_ptr_array_remove_index(items, i);
    }
}

static void apply(struct reader *reader, const struct gcl_option *option, const char *spelling,
                  const char *value) {
    struct gcl_option_use use = {.options = reader->options,
                                 .option = option,
                                 .spelling = spelling,
                                 .diagnostics = reader->diagnostics};
    if (!value || option->value != GCL_VALUE_LIST) {
        use.value = value ? gcl_options_keep(reader->options, value) : NULL;
        option->apply(&use);
        return;
    }
    g_autoptr(GPtrArray) items = split_list(value);
    if (g_strcmp0(option->alias, "D") == 0)
        join_values(items);
    for (guint i = 0; i < items->len; i++) {
        use.value = gcl_options_keep(reader->options, items->pdata[i]);
        option->apply(&use);
    }
}

static const char *next_word(struct reader *reader) {
    return reader->next < reader->words->len ? reader->words->pdata[reader->next++] : NULL;
}

// -Werror stands alone as with other compilers, or takes one of nvcc's kinds of warnings.
static const char *take_optional(struct reader *reader) {
    static const char *const kinds[] = {"all-warnings",
                                        "cross-execution-space-call",
                                        "default-stream-launch",
                                        "deprecated-declarations",
                                        "ext-lambda-captures-this",
                                        "missing-launch-bounds",
                                        "reorder",
                                        NULL};
    if (reader->next < reader->words->len &&
        g_strv_contains(kinds, reader->words->pdata[reader->next]))
        return next_word(reader);
    return NULL;
}

// `value` is what stood after `=` or after the letter; the next word is taken if it must be.
static void apply_with_value(struct reader *reader, const struct gcl_option *option,
                             const char *word, const char *value) {
    g_autofree char *spelling = value && strchr(word, '=')
                                    ? g_strndup(word, (gsize)(strchr(word, '=') - word))
                                    : g_strdup(word);
    if (option->value == GCL_VALUE_NONE && value) {
        gcl_diagnostics_add(reader->diagnostics, GCL_CODE_BAD_COMMAND_LINE, NULL, NULL,
                            "option '%s' takes no value", spelling);
        return;
    }
    if (option->value == GCL_VALUE_MAYBE && !value)
        value = take_optional(reader);
    else if (option->value != GCL_VALUE_NONE && !value)
        value = next_word(reader);
    if (!value && option->value != GCL_VALUE_NONE && option->value != GCL_VALUE_MAYBE) {
        gcl_diagnostics_add(reader->diagnostics, GCL_CODE_BAD_COMMAND_LINE, NULL, NULL,
                            "option '%s' needs a value", spelling);
        return;
    }
    if (option->value == GCL_VALUE_BOOLEAN && strcmp(value, "true") != 0 &&
        strcmp(value, "false") != 0) {
        gcl_diagnostics_add(reader->diagnostics, GCL_CODE_BAD_COMMAND_LINE, NULL, NULL,
                            "option '%s' takes true or false, not '%s'", spelling, value);
        return;
    }
    apply(reader, option, spelling, value);
}

// What nvcc doesn't have: options of host compilers, or nobody's.
static void read_unknown(struct reader *reader, const char *word) {
    static const char *const host[] = {"-W",        "-f",      "-m",   "-pthread", "-pedantic",
                                       "-rdynamic", "-no-pie", "-pie", "-static",  NULL};
    struct gcl_options *options = reader->options;
    if (g_str_has_prefix(word, "-W") && !strchr(word, ',')) // -Wl, -Wp, -Wa: for other tools
        gcl_options_add(options, options->common, "%s", word);
    else if (starts_with_any(word, host) || options->forward_compiler)
        gcl_options_add_host(options, word);
    else if (options->forward_linker)
        gcl_options_add(options, options->link, "%s", word);
    else
        gcl_diagnostics_add(reader->diagnostics, GCL_CODE_UNKNOWN_OPTION, NULL,
                            "-Xcompiler hands an option to the host compiler",
                            "option '%s' is not known and is ignored", word);
}

static void read_option(struct reader *reader, const char *word) {
    const char *name = word + (g_str_has_prefix(word, "--") ? 2 : 1);
    const char *equals = strchr(name, '=');
    size_t length = equals ? (size_t)(equals - name) : strlen(name);
    const struct gcl_option *option = gcl_option_find(name, length);
    if (option) {
        apply_with_value(reader, option, word, equals ? equals + 1 : NULL);
        return;
    }
    if (name == word + 1 && strchr("IDULlOoxt", name[0]))
        option = gcl_option_find(name, 1);
    if (!option) {
        read_unknown(reader, word);
        return;
    }
    g_autofree char *letter = g_strndup(word, 2);
    apply(reader, option, letter, name + 1);
}

static void read_input(struct reader *reader, const char *word) {
    struct gcl_input input = {.path = gcl_options_keep(reader->options, word),
                              .language = gcl_options_language_of(word)};
    g_array_append_val(reader->options->inputs, input);
}

static void expand_words(struct reader *reader, char **words, int nesting);

static void expand_file(struct reader *reader, const char *path, int nesting) {
    g_autofree char *text = NULL;
    g_autoptr(GError) error = NULL;
    g_auto(GStrv) words = NULL;
    if (nesting > NESTING_MAX)
        g_set_error(&error, G_FILE_ERROR, G_FILE_ERROR_LOOP, "it names itself");
    else if (g_file_get_contents(path, &text, NULL, &error) && g_strstrip(text)[0] != '\0')
        g_shell_parse_argv(text, NULL, &words, &error);
    if (error && !g_error_matches(error, G_SHELL_ERROR, G_SHELL_ERROR_EMPTY_STRING))
        gcl_diagnostics_add(reader->diagnostics, GCL_CODE_BAD_COMMAND_LINE, NULL, NULL,
                            "response file '%s' can't be read: %s", path, error->message);
    else if (words)
        expand_words(reader, words, nesting + 1);
}

// Replaces response files by their words.
static void expand_words(struct reader *reader, char **words, int nesting) {
    for (; *words; words++) {
        const char *word = *words;
        const char *path = NULL;
        if (word[0] == '@' && word[1] != '\0')
            path = word + 1;
        else if (g_str_has_prefix(word, "--options-file=") || g_str_has_prefix(word, "-optf="))
            path = strchr(word, '=') + 1;
        else if ((!strcmp(word, "--options-file") || !strcmp(word, "-optf")) && words[1])
            path = *++words;
        if (path)
            expand_file(reader, path, nesting);
        else
            g_ptr_array_add(reader->words, g_strdup(word));
    }
}

static void expand_variable(struct reader *reader, const char *name) {
    const char *value = g_getenv(name);
    g_auto(GStrv) words = NULL;
    if (value && g_shell_parse_argv(value, NULL, &words, NULL))
        expand_words(reader, words, 0);
}

// Libraries that the runtime stands in for, and those of which nothing is here.
static const char *const built_in[] = {
    "cudart",       "cudart_static", "cuda",           "cudadevrt", "nvToolsExt", "culibos",
    "nvtx3interop", "nvrtc",         "nvrtc-builtins", "nvidia-ml", "nvml",       "nccl"};
static const char *const unsupported[] = {"cublas",
                                          "cublasLt",
                                          "cufft",
                                          "cufftw",
                                          "curand",
                                          "cusparse",
                                          "cusolver",
                                          "cudnn",
                                          "nvjpeg",
                                          "cupti",
                                          "cutensor",
                                          "cufile",
                                          "nvJitLink",
                                          "nvblas",
                                          "cusolverMg",
                                          "nvptxcompiler",
                                          "cufft_static_nocallback"};

static bool is_one_of(const char *const *names, size_t count, const char *name) {
    g_autofree char *base = g_strdup(name);
    if (g_str_has_suffix(base, "_static"))
        base[strlen(base) - strlen("_static")] = '\0';
    for (size_t i = 0; i < count; i++)
        if (!strcmp(names[i], name) || !strcmp(names[i], base))
            return true;
    return false;
}

static bool is_built_in(const char *name) {
    return is_one_of(built_in, G_N_ELEMENTS(built_in), name);
}

static bool is_unsupported(const char *name) {
    return g_str_has_prefix(name, "npp") || is_one_of(unsupported, G_N_ELEMENTS(unsupported), name);
}

// Returns the library that an input or a -l names: libcublas.so.12 is cublas.
static char *library_name(const char *path) {
    g_autofree char *base = g_path_get_basename(path);
    if (!g_str_has_prefix(base, "lib"))
        return g_strdup("");
    return g_strndup(base + 3, strcspn(base + 3, "."));
}

// What is linked for `word`, NULL for nothing. NVIDIA's libraries, whether they are installed or
// not, would run on no memory of gcluster's, but build files name them also for programs that call
// nothing of them.
static const char *choose_library(struct gcl_options *options, const char *name, const char *word,
                                  GPtrArray *diagnostics) {
    if (is_built_in(name))
        return NULL;
    if (!is_unsupported(name))
        return word;
    g_autofree char *ours = gcl_installation_library(name);
    if (ours)
        return gcl_options_keep(options, ours);
    gcl_diagnostics_add(diagnostics, GCL_CODE_LIBRARY_LEFT_OUT, NULL,
                        "a program that calls nothing of it links all the same",
                        "'%s' is left out: gcluster doesn't have this library", word);
    options->leaves_out_libraries = true;
    return NULL;
}

static void choose_libraries(struct gcl_options *options, GPtrArray *diagnostics) {
    for (guint i = 0; i < options->link->len;) {
        const char *word = options->link->pdata[i];
        if (g_str_has_prefix(word, "-l"))
            word = choose_library(options, word + 2, word, diagnostics);
        options->link->pdata[i] = (gpointer)word;
        if (word)
            i++;
        else
            g_ptr_array_remove_index(options->link, i);
    }
    for (guint i = 0; i < options->inputs->len;) {
        struct gcl_input *input = &g_array_index(options->inputs, struct gcl_input, i);
        g_autofree char *name = library_name(input->path);
        input->path = choose_library(options, name, input->path, diagnostics);
        if (input->path)
            i++;
        else
            g_array_remove_index(options->inputs, i);
    }
}

static void set_languages(struct gcl_options *options, GPtrArray *diagnostics) {
    for (guint i = 0; i < options->inputs->len; i++) {
        struct gcl_input *input = &g_array_index(options->inputs, struct gcl_input, i);
        if (gcl_options_is_linker_input(input->path))
            continue;
        if (options->language)
            input->language = !strcmp(options->language, "cu")    ? GCL_LANGUAGE_CUDA
                              : !strcmp(options->language, "c++") ? GCL_LANGUAGE_CXX
                                                                  : GCL_LANGUAGE_C;
        if (input->language == GCL_LANGUAGE_NONE)
            gcl_diagnostics_add(diagnostics, GCL_CODE_BAD_COMMAND_LINE, NULL,
                                "-x cu, -x c++ or -x c says what it is",
                                "no idea what to do with '%s'", input->path);
    }
}

static guint count_sources(const struct gcl_options *options) {
    guint count = 0;
    for (guint i = 0; i < options->inputs->len; i++)
        count += g_array_index(options->inputs, struct gcl_input, i).language != GCL_LANGUAGE_NONE;
    return count;
}

static bool has_word(const GPtrArray *words, const char *word) {
    return g_ptr_array_find_with_equal_func((GPtrArray *)words, word, g_str_equal, NULL);
}

// What the host's compiler is asked about itself, in clang's words, or NULL. It answers without a
// look at inputs, which build systems make up.
static const char *question_of(const GPtrArray *words) {
    static const char *const questions[][2] = {{"--version", "--version"},
                                               {"-dumpmachine", "-dumpmachine"},
                                               {"-dumpversion", "-dumpversion"},
                                               {"-dumpfullversion", "-dumpversion"}};
    for (size_t i = 0; i < G_N_ELEMENTS(questions); i++)
        if (has_word(words, questions[i][0]))
            return questions[i][1];
    return NULL;
}

static void check_inputs(const struct gcl_options *options, GPtrArray *diagnostics) {
    bool informs = options->phase >= GCL_PHASE_VERSION;
    if (!informs && options->inputs->len == 0)
        gcl_diagnostics_add(diagnostics, GCL_CODE_BAD_COMMAND_LINE, NULL,
                            "gcluster-cc --help lists the options", "no input files");
    if (gcl_options_keep_objects(options) && count_sources(options) > 1 &&
        (options->output || options->depend_file))
        gcl_diagnostics_add(diagnostics, GCL_CODE_BAD_COMMAND_LINE, NULL, NULL,
                            "'%s' can take the output of one source file, and there are %u",
                            options->output ? options->output : options->depend_file,
                            count_sources(options));
    if (options->module && options->sanitize)
        gcl_diagnostics_add(diagnostics, GCL_CODE_BAD_COMMAND_LINE, NULL, NULL,
                            "--sanitize checks programs, no modules");
    for (guint i = 0; gcl_options_leave_out_host(options) && i < options->inputs->len; i++)
        if (g_array_index(options->inputs, struct gcl_input, i).language != GCL_LANGUAGE_CUDA)
            gcl_diagnostics_add(diagnostics, GCL_CODE_BAD_COMMAND_LINE, NULL, NULL,
                                "%s%s takes CUDA sources, not '%s'",
                                options->module ? "-" : "--device-target",
                                options->module ? options->module : "",
                                g_array_index(options->inputs, struct gcl_input, i).path);
    for (guint i = 0; options->output && i < options->inputs->len; i++)
        if (!strcmp(g_array_index(options->inputs, struct gcl_input, i).path, options->output))
            gcl_diagnostics_add(diagnostics, GCL_CODE_BAD_COMMAND_LINE, NULL, NULL,
                                "output '%s' is also an input", options->output);
}

struct gcl_options *gcl_command_line_parse(const char *const *arguments, GPtrArray *diagnostics) {
    struct gcl_options *options = gcl_options_create();
    struct reader reader = {.options = options,
                            .diagnostics = diagnostics,
                            .words = g_ptr_array_new_with_free_func(g_free)};
    expand_variable(&reader, "NVCC_PREPEND_FLAGS");
    expand_words(&reader, (char **)arguments, 0);
    expand_variable(&reader, "NVCC_APPEND_FLAGS");
    for (const char *word; (word = next_word(&reader));) {
        if (word[0] == '-' && word[1] != '\0')
            read_option(&reader, word);
        else
            read_input(&reader, word);
    }
    g_ptr_array_unref(reader.words);
    if (!options->arch)
        options->arch = "sm_75";
    if (options->explain && options->phase == GCL_PHASE_LINK && !options->output)
        options->phase = GCL_PHASE_DUMP;
    if ((options->host_question = question_of(options->host)))
        options->phase = GCL_PHASE_HOST_VERSION;
    if (options->phase == GCL_PHASE_LINK || options->phase == GCL_PHASE_RUN)
        choose_libraries(options, diagnostics);
    set_languages(options, diagnostics);
    check_inputs(options, diagnostics);
    return options;
}

void gcl_command_line_print_help(FILE *out) {
    fputs("Usage: gcluster-cc [options] files\n"
          "Compiles CUDA programs for CPUs and clusters; takes nvcc's command line.\n\n",
          out);
    const struct gcl_option *option;
    for (size_t i = 0; (option = gcl_option_at(i)); i++) {
        if (!option->help)
            continue;
        const char *value = option->value == GCL_VALUE_NONE || option->value == GCL_VALUE_MAYBE ? ""
                            : option->value == GCL_VALUE_LIST ? " X,..."
                                                              : " X";
        g_autofree char *names =
            option->alias ? g_strdup_printf("-%s, --%s%s", option->alias, option->name, value)
                          : g_strdup_printf("%s%s%s", strlen(option->name) > 1 ? "--" : "-",
                                            option->name, value);
        fprintf(out, "  %-46s %s\n", names, option->help);
    }
}
