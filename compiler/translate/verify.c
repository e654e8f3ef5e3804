// Copies, for building leaves things behind. make is told to keep quiet, or its commands would be
// among the lines; the name of the tree in a line is taken out.
#include "translate/verify.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "translate/tree.h"

/// One tree that the command is run in.
struct tree {
    char *path;
    char *compilers; ///< a folder that comes first on its PATH
};

struct run {
    const char *command, *output;
    const struct tree *tree;
};

static int run_command(void *context) {
    const struct run *run = context;
    const char *flags = g_getenv("MAKEFLAGS"), *path = g_getenv("PATH");
    g_autofree char *quiet = g_strconcat("s ", flags ? flags : "", NULL);
    g_autofree char *paths = g_strconcat(run->tree->compilers, ":", path ? path : "", NULL);
    g_setenv("MAKEFLAGS", quiet, TRUE);
    g_setenv("PATH", paths, TRUE);
    if (chdir(run->tree->path) != 0 || !freopen(run->output, "w", stdout))
        return 127;
    execl("/bin/sh", "sh", "-c", run->command, (char *)NULL);
    return 127;
}

/// One run of the command: its exit status, and what it printed in lines, to be freed.
static char **run_in(const struct gcl_translation *t, const struct gcl_tools *tools,
                     const struct tree *tree, int *status, char **complaint) {
    g_autofree char *output = g_strconcat(tree->path, ".output", NULL), *text = NULL;
    g_autofree char *log = g_strconcat(tree->path, ".log", NULL), *said = NULL;
    const struct run run = {t->options->verify, output, tree};
    struct gcl_process process;
    gcl_process_start(&process, log, run_command, (void *)&run);
    gcl_processes_wait(tools->workspace, &process, 1);
    *status = process.status;
    g_file_get_contents(output, &text, NULL, NULL);
    g_file_get_contents(log, &said, NULL, NULL);
    g_free(*complaint);
    const char *last = said ? strrchr(g_strchomp(said), '\n') : NULL;
    *complaint = g_strdup(last ? last + 1 : said ? said : "");
    g_free(process.log);
    g_auto(GStrv) parts = g_strsplit(text ? text : "", tree->path, -1);
    g_autofree char *whole = g_strjoinv(".", parts), *valid = g_utf8_make_valid(whole, -1);
    return g_strsplit(g_strchomp(valid), "\n", -1);
}

static bool copy_tree(const struct gcl_translation *t, const char *from, const char *to) {
    bool good = g_mkdir_with_parents(to, 0700) == 0;
    for (guint i = 0; i < t->tree->len && good; i++) {
        const struct gcl_tree_entry *entry = t->tree->pdata[i];
        good = gcl_tree_copy(entry, from, to, false, t->diagnostics);
    }
    return good;
}

/// A folder that has gcluster-cc, as nvcc too unless the user's own is to be taken, if there is
/// one.
static char *make_compilers(const struct gcl_tools *tools, const char *name, bool takes_own) {
    char *folder = gcl_workspace_path(tools->workspace, name);
    g_autofree char *own = takes_own ? g_find_program_in_path("nvcc") : NULL;
    const char *const names[] = {"gcluster-cc", own ? NULL : "nvcc", NULL};
    bool good = g_mkdir_with_parents(folder, 0700) == 0;
    for (const char *const *link = names; *link && good; link++) {
        g_autofree char *path = g_build_filename(folder, *link, NULL);
        good = symlink(tools->compiler, path) == 0;
    }
    return folder;
}

// Whether a line differs between two runs of the original.
static bool varies(char **lines, char **again, guint i) {
    return g_strv_length(lines) == g_strv_length(again) && strcmp(lines[i], again[i]) != 0;
}

static void compare(struct gcl_translation *t, char **original, char **again, char **translated) {
    guint count = g_strv_length(original), compared = 0, varying = 0;
    const char *reason = NULL, *left = NULL, *right = NULL;
    for (guint i = 0; i < count && !reason; i++) {
        if (varies(original, again, i)) {
            varying++;
        } else if (i >= g_strv_length(translated) || strcmp(original[i], translated[i]) != 0) {
            reason = "what they print differs";
            left = original[i];
            right = i < g_strv_length(translated) ? translated[i] : NULL;
        } else {
            compared++;
        }
    }
    if (!reason && g_strv_length(translated) != count)
        reason = "the translation prints more";
    t->verified = reason ? GCL_TRIAL_BAD : GCL_TRIAL_GOOD;
    t->verification =
        json_pack("{s:s, s:b, s:s?, s:i, s:i, s:s?, s:s?}", "command", t->options->verify, "passed",
                  reason == NULL, "reason", reason, "lines", (int)compared, "varying", (int)varying,
                  "original", left, "translation", right);
}

static void fail(struct gcl_translation *t, const char *which, int status, const char *complaint) {
    g_autofree char *valid = g_utf8_make_valid(complaint, -1);
    t->verified = GCL_TRIAL_BAD;
    t->verification =
        json_pack("{s:s, s:b, s:o, s:i, s:i, s:n, s:n}", "command", t->options->verify, "passed", 0,
                  "reason", json_sprintf("%s ends with status %d: %s", which, status, valid),
                  "lines", 0, "varying", 0, "original", "translation");
}

/// The runs of both trees; those of one that fails are the last.
static void run_all(struct gcl_translation *t, const struct gcl_tools *tools,
                    const struct tree *original, const struct tree *translated) {
    const struct tree *const trees[] = {original, original, original, translated, translated};
    char **lines[G_N_ELEMENTS(trees)] = {NULL};
    g_autofree char *complaint = NULL;
    int status = 0;
    for (size_t i = 0; i < G_N_ELEMENTS(trees) && status == 0; i++) {
        lines[i] = run_in(t, tools, trees[i], &status, &complaint);
        if (status != 0)
            fail(t, trees[i] == original ? "the original" : "the translation", status, complaint);
    }
    if (status == 0)
        compare(t, lines[1], lines[2], lines[4]);
    for (size_t i = 0; i < G_N_ELEMENTS(trees); i++)
        g_strfreev(lines[i]);
}

void gcl_verify(struct gcl_translation *t, const struct gcl_tools *tools, const char *root) {
    struct tree original = {gcl_workspace_path(tools->workspace, "original"),
                            make_compilers(tools, "compilers.original", true)};
    struct tree translated = {gcl_workspace_path(tools->workspace, "translation"),
                              make_compilers(tools, "compilers.translation", false)};
    if (copy_tree(t, t->options->in_root, original.path) && copy_tree(t, root, translated.path))
        run_all(t, tools, &original, &translated);
    g_free(original.path);
    g_free(original.compilers);
    g_free(translated.path);
    g_free(translated.compilers);
}
