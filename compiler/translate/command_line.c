// GLib's parser takes the options; what they mean together is checked here, before anything is
// read.
#include "translate/command_line.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "config.h"

static const char description[] =
    "Files: those named, else those of compile_commands.json, else the CUDA sources below the\n"
    "root. Kernels stay CUDA kernels; host code gets gcluster's names. gcluster-translate(1) has\n"
    "the details. --query NAME... says what becomes of names of CUDA's.";

struct words {
    char *in_root, *out_root, *build, *report, *verify;
    char **files;
    gboolean in_place, examine, build_scripts, version;
    int jobs;
};

static bool read_words(struct words *words, char **own, GError **error) {
    char **arguments = g_strdupv(own); // the parser takes out what it knows
    const GOptionEntry entries[] = {
        {"in-root", 0, 0, G_OPTION_ARG_FILENAME, &words->in_root,
         "the project's folder (the current one unless told)", "DIR"},
        {"out-root", 0, 0, G_OPTION_ARG_FILENAME, &words->out_root,
         "where the translated project goes", "DIR"},
        {"in-place", 0, 0, G_OPTION_ARG_NONE, &words->in_place,
         "change the files themselves; FILE.orig is what was there", NULL},
        {"examine", 0, 0, G_OPTION_ARG_NONE, &words->examine, "report, and write nothing", NULL},
        {"build", 'p', 0, G_OPTION_ARG_FILENAME, &words->build,
         "the folder that has compile_commands.json", "DIR"},
        {"build-scripts", 0, 0, G_OPTION_ARG_NONE, &words->build_scripts,
         "adapt Makefiles and CMakeLists.txt, too", NULL},
        {"verify", 0, 0, G_OPTION_ARG_STRING, &words->verify,
         "run this in the project and in its translation, and compare what it prints", "COMMAND"},
        {"report", 0, 0, G_OPTION_ARG_FILENAME, &words->report,
         "write the report: a page if it ends in .html, else JSON", "FILE"},
        {"jobs", 'j', 0, G_OPTION_ARG_INT, &words->jobs, "files at a time", "N"},
        {"version", 0, 0, G_OPTION_ARG_NONE, &words->version, "print the version", NULL},
        {G_OPTION_REMAINING, 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &words->files, NULL, NULL},
        {NULL, 0, 0, G_OPTION_ARG_NONE, NULL, NULL, NULL},
    };
    GOptionContext *context = g_option_context_new("[FILE...] [--intercept BUILD...]");
    g_option_context_set_summary(
        context, "Translates a CUDA project to readable source on the gcluster API.");
    g_option_context_set_description(context, description);
    g_option_context_add_main_entries(context, entries, NULL);
    bool good = g_option_context_parse_strv(context, &arguments, error);
    g_option_context_free(context);
    g_strfreev(arguments);
    return good;
}

static void words_finish(struct words *words) {
    g_free(words->in_root);
    g_free(words->out_root);
    g_free(words->build);
    g_free(words->report);
    g_free(words->verify);
    g_strfreev(words->files);
}

// What is wrong with the options as a whole; NULL: nothing.
static const char *complain(const struct words *words, bool records) {
    int ways = !!words->out_root + !!words->in_place + !!words->examine;
    if (ways > 1 || (ways == 0 && !records))
        return "one of --out-root, --in-place and --examine says what becomes of the translation";
    if (words->verify && !words->out_root && !words->examine)
        return "--verify compares two trees: it goes with --out-root or --examine";
    return NULL;
}

// A folder without links in its name; NULL if it isn't one.
static char *folder_of(const char *path) {
    char *real = realpath(path, NULL);
    char *copy = real && g_file_test(real, G_FILE_TEST_IS_DIR) ? g_strdup(real) : NULL;
    free(real);
    return copy;
}

// Where a folder that may not exist yet would lie.
static char *future_folder(const char *path) {
    g_autofree char *absolute = g_canonicalize_filename(path, NULL);
    g_autofree char *parent = g_path_get_dirname(absolute), *name = g_path_get_basename(absolute);
    g_autofree char *real = folder_of(parent);
    return real ? g_build_filename(real, name, NULL) : g_steal_pointer(&absolute);
}

// NULL: there is no such folder.
static struct gcl_translate_options *make_options(const struct words *words) {
    char *root = folder_of(words->in_root ? words->in_root : ".");
    if (!root)
        return NULL;
    struct gcl_translate_options *options = g_new0(struct gcl_translate_options, 1);
    options->in_root = root;
    options->out_root = words->out_root ? future_folder(words->out_root) : NULL;
    options->build = words->build ? g_canonicalize_filename(words->build, NULL) : NULL;
    options->report = words->report ? g_canonicalize_filename(words->report, NULL) : NULL;
    options->verify = g_strdup(words->verify);
    options->in_place = words->in_place;
    options->examine = words->examine;
    options->build_scripts = words->build_scripts;
    options->jobs = words->jobs > 0 ? (unsigned)words->jobs : g_get_num_processors();
    options->files = g_ptr_array_new_with_free_func(g_free);
    for (char **file = words->files; file && *file; file++)
        g_ptr_array_add(options->files, g_canonicalize_filename(*file, NULL));
    return options;
}

static struct gcl_translate_options *fail(const char *text, int *status) {
    fprintf(stderr, "gcluster-translate: %s\n", text);
    *status = 2;
    return NULL;
}

// What stands behind --intercept is a command of its own.
static const char *const *split_command(char **arguments) {
    for (char **word = arguments; *word; word++) {
        if (strcmp(*word, "--intercept") != 0)
            continue;
        *word = NULL;
        return (const char *const *)word + 1;
    }
    return NULL;
}

static struct gcl_translate_options *read_options(char **own, const char *const *command,
                                                  int *status) {
    g_autoptr(GError) error = NULL;
    struct words words = {.jobs = 0};
    struct gcl_translate_options *options = NULL;
    const char *complaint = NULL;
    if (!read_words(&words, own, &error))
        complaint = error->message;
    else if (words.version)
        printf("gcluster-translate " GCL_VERSION "\n");
    else if (command && !*command)
        complaint = "--intercept wants the command of a build, as its last words";
    else
        complaint = complain(&words, command != NULL);
    if (complaint)
        options = fail(complaint, status);
    else if (!words.version && !(options = make_options(&words)))
        options = fail("the folder of --in-root isn't there", status);
    words_finish(&words);
    return options;
}

struct gcl_translate_options *gcl_translate_parse(const char *const *arguments, int *status) {
    g_autofree char **own =
        g_memdup2(arguments, (g_strv_length((char **)arguments) + 1) * sizeof *arguments);
    const char *const *command = split_command(own);
    struct gcl_translate_options *options = read_options(own, command, status);
    if (options && command) {
        options->intercept = g_strdupv((char **)command);
        options->only_records = !options->out_root && !options->in_place && !options->examine;
    }
    return options;
}

void gcl_translate_options_destroy(struct gcl_translate_options *options) {
    if (!options)
        return;
    g_free(options->in_root);
    g_free(options->out_root);
    g_free(options->build);
    g_free(options->report);
    g_free(options->verify);
    g_strfreev(options->intercept);
    g_ptr_array_unref(options->files);
    g_free(options);
}
