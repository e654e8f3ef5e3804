// What clang-format makes of the text, by the .clang-format file around it.
#include <assert.h>
#include <gio/gio.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>

#include "frontend/text/lexer.h"
#include "lsp/features/writing/writing.h"

enum { SECONDS_MAX = 20 }; // of clang-format's processor time

static char *find_program(void) {
    char *path = g_find_program_in_path("clang-format-19");
    return path ? path : g_find_program_in_path("clang-format");
}

static bool has_style(const char *path) {
    g_autofree char *folder = g_path_get_dirname(path);
    while (strcmp(folder, "/") != 0 && strcmp(folder, ".") != 0) {
        g_autofree char *style = g_build_filename(folder, ".clang-format", NULL);
        if (g_file_test(style, G_FILE_TEST_IS_REGULAR))
            return true;
        char *outer = g_path_get_dirname(folder);
        g_free(folder);
        folder = outer;
    }
    return false;
}

// The project's own style, or else LLVM's with the editor's indentation.
static char *style_option(const struct gcl_query *query) {
    const json_t *options = json_object_get(query->params, "options");
    const json_t *tab_size = json_object_get(options, "tabSize");
    bool uses_tabs = json_is_false(json_object_get(options, "insertSpaces"));
    if (has_style(query->view->path))
        return g_strdup("--style=file");
    return g_strdup_printf("--style={BasedOnStyle: LLVM, IndentWidth: %d, UseTab: %s}",
                           tab_size ? (int)CLAMP(json_integer_value(tab_size), 1, 16) : 4,
                           uses_tabs ? "Always" : "Never");
}

// The program ends with the process that reads sources, which the server ends when it only waits
// for too long; if the program doesn't wait but runs for too long, the limit ends it.
static void limit_child(void *data) {
    const struct rlimit limit = {SECONDS_MAX, SECONDS_MAX + 1}; // SIGXCPU, which says why
    (void)data;
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    setrlimit(RLIMIT_CPU, &limit);
}

static GSubprocess *start(const char *const *words, GError **error) {
    g_autoptr(GSubprocessLauncher) launcher =
        g_subprocess_launcher_new(G_SUBPROCESS_FLAGS_STDIN_PIPE | G_SUBPROCESS_FLAGS_STDOUT_PIPE |
                                  G_SUBPROCESS_FLAGS_STDERR_PIPE);
    g_subprocess_launcher_set_child_setup(launcher, limit_child, NULL, NULL);
    return g_subprocess_launcher_spawnv(launcher, words, error);
}

// Why there is no output, to be freed.
static char *describe_failure(GSubprocess *process, const GError *error, GBytes *errors) {
    gsize size = 0;
    const char *said = errors ? g_bytes_get_data(errors, &size) : NULL;
    if (error)
        return g_strdup(error->message);
    if (g_subprocess_get_if_signaled(process))
        return g_strdup_printf("clang-format was ended: %s",
                               g_strsignal(g_subprocess_get_term_sig(process)));
    return g_strndup(said ? said : "", size);
}

// What the program prints when it gets the text; NULL, with the query's mistake set, if it fails.
static GBytes *run(const struct gcl_query *query, const char *lines) {
    g_autofree char *program = find_program(), *style = style_option(query);
    g_autofree char *name = g_strdup_printf("--assume-filename=%s", query->view->path);
    g_autoptr(GError) error = NULL;
    g_autoptr(GBytes) errors = NULL;
    GBytes *output = NULL;
    if (!program) {
        *query->mistake = g_strdup("clang-format isn't installed (package clang-format-19)");
        return NULL;
    }
    const char *const words[] = {program, name, style, lines, NULL};
    g_autoptr(GSubprocess) process = start(words, &error);
    bool good = process &&
                g_subprocess_communicate(process, query->view->text->bytes, NULL, &output, &errors,
                                         &error) &&
                g_subprocess_get_if_exited(process) && g_subprocess_get_exit_status(process) == 0;
    assert(!good || output);
    if (!good) {
        *query->mistake = describe_failure(process, error, errors);
        g_clear_pointer(&output, g_bytes_unref);
    }
    return output;
}

// One edit, from the first line that differs to the last.
static json_t *edits_to(const struct gcl_line_table *text, GBytes *bytes) {
    size_t olds, news;
    const char *new = g_bytes_get_data(bytes, &news);
    const char *old = gcl_line_table_data(text, &olds);
    size_t common = MIN(olds, news), before = 0, behind = 0;
    while (before < common && old[before] == new[before])
        before++;
    while (before > 0 && old[before - 1] != '\n')
        before--;
    while (behind < common - before && old[olds - 1 - behind] == new[news - 1 - behind])
        behind++;
    while (behind > 0 && behind < olds && old[olds - behind - 1] != '\n')
        behind--;
    assert(before + behind <= common);
    if (before + behind >= olds && olds == news)
        return json_array();
    g_autofree char *middle = g_strndup(new + before, news - before - behind);
    return json_pack("[{s:o, s:s}]", "range",
                     gcl_line_table_range(text, (uint32_t)before, (uint32_t)(olds - behind)),
                     "newText", middle);
}

static json_t *format(const struct gcl_query *query, const char *lines) {
    g_autoptr(GBytes) text = run(query, lines);
    return text ? edits_to(query->view->text, text) : NULL;
}

json_t *gcl_feature_formatting(const struct gcl_query *query) {
    return format(query, NULL);
}

// What clang-format makes of the lines that hold two bytes and those between.
static json_t *format_lines(const struct gcl_query *query, uint32_t begin, uint32_t end) {
    uint32_t first, last, character;
    gcl_line_table_locate(query->view->text, begin, &first, &character);
    gcl_line_table_locate(query->view->text, end, &last, &character);
    g_autofree char *lines = g_strdup_printf("--lines=%u:%u", first + 1, last + 1);
    return format(query, lines);
}

json_t *gcl_feature_range_formatting(const struct gcl_query *query) {
    uint32_t begin, end;
    if (!gcl_line_table_range_of(query->view->text, json_object_get(query->params, "range"), &begin,
                                 &end)) {
        *query->mistake = g_strdup("no range");
        return NULL;
    }
    return format_lines(query, begin, end);
}

// The byte of the brace that the one in front of `offset` closes, or of that one.
static uint32_t opening_of(const struct gcl_line_table *text, uint32_t offset) {
    size_t size;
    const char *data = gcl_line_table_data(text, &size);
    g_autoptr(GArray) tokens = gcl_lexer_read(data, size);
    int depth = 0;
    for (guint i = gcl_token_at(tokens, offset); i-- > 0;) {
        const struct gcl_token *token = &g_array_index(tokens, struct gcl_token, i);
        depth += (token->kind == GCL_TOKEN_CURLY_CLOSE) - (token->kind == GCL_TOKEN_CURLY_OPEN);
        if (depth <= 0 && token->kind == GCL_TOKEN_CURLY_OPEN)
            return token->begin;
    }
    return offset;
}

json_t *gcl_feature_on_type_formatting(const struct gcl_query *query) {
    const char *text = gcl_line_table_data(query->view->text, NULL);
    uint32_t end = query->offset;
    if (end == 0 || (text[end - 1] != '}' && text[end - 1] != ';'))
        return json_array();
    return format_lines(query, text[end - 1] == '}' ? opening_of(query->view->text, end) : end - 1,
                        end - 1);
}
