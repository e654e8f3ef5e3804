// While the tree lies beside its place it is unfinished, and goes if the program ends early.
#include "translate/stage.h"

#include <errno.h>
#include <glib/gstdio.h>
#include <string.h>
#include <sys/stat.h>

#include "base/diagnostic.h"
#include "translate/report.h"
#include "translate/tree.h"

enum { SUM_LENGTH = 64 }; // of SHA-256 in hexadecimal

static bool fail(struct gcl_translation *t, const char *path, const char *what) {
    gcl_diagnostics_add(t->diagnostics, GCL_CODE_FILE, NULL, NULL, "cannot write '%s': %s", path,
                        what);
    return false;
}

// Texts.

/// What a file of the translation has in it, a new reference; NULL: what the original has.
static GBytes *text_of(const struct gcl_translation *t, const char *relative) {
    for (guint i = 0; i < t->files->len; i++) {
        const struct gcl_translate_file *file = t->files->pdata[i];
        if (file->text && strcmp(file->relative, relative) == 0)
            return g_bytes_ref(file->text);
    }
    for (guint i = 0; i < t->scripts->len; i++) {
        const struct gcl_translate_script *script = t->scripts->pdata[i];
        if (script->text && strcmp(script->relative, relative) == 0)
            return g_bytes_ref(script->text);
    }
    return NULL;
}

static GBytes *read_bytes(const char *path) {
    char *text;
    gsize size;
    return g_file_get_contents(path, &text, &size, NULL) ? g_bytes_new_take(text, size) : NULL;
}

// The tree.

static bool fill(struct gcl_stage *stage, struct gcl_translation *t) {
    bool good = true;
    for (guint i = 0; i < t->tree->len && good; i++) {
        const struct gcl_tree_entry *entry = t->tree->pdata[i];
        g_autoptr(GBytes) text = S_ISREG(entry->mode) ? text_of(t, entry->path) : NULL;
        g_autofree char *path = g_build_filename(stage->path, entry->path, NULL);
        good = text ? gcl_tree_write(path, text, entry->mode, t->diagnostics)
                    : gcl_tree_copy(entry, t->options->in_root, stage->path, !stage->becomes_output,
                                    t->diagnostics);
    }
    return good;
}

static bool is_empty(const char *folder) {
    GDir *directory = g_dir_open(folder, 0, NULL);
    bool empty = directory && !g_dir_read_name(directory);
    if (directory)
        g_dir_close(directory);
    return empty;
}

/// Whether the output's place is free, or has an earlier translation, `*exists`.
static bool check_output(struct gcl_translation *t, bool *exists) {
    const char *out = t->options->out_root;
    g_autofree char *sums = out ? g_build_filename(out, GCL_TREE_SUMS, NULL) : NULL;
    *exists = out && g_file_test(out, G_FILE_TEST_EXISTS) && !is_empty(out);
    if (*exists && gcl_tree_relative(out, t->options->in_root))
        return fail(t, out, "it holds the project itself");
    if (*exists && !g_file_test(sums, G_FILE_TEST_EXISTS))
        return fail(t, out, "it is there already, and not from gcluster-translate");
    return true;
}

bool gcl_stage_begin(struct gcl_stage *stage, struct gcl_translation *t,
                     struct gcl_workspace *workspace) {
    bool exists;
    *stage = (struct gcl_stage){.workspace = workspace};
    if (!check_output(t, &exists))
        return false;
    stage->becomes_output = t->options->out_root && !exists;
    stage->path = stage->becomes_output ? g_strconcat(t->options->out_root, ".XXXXXX", NULL)
                                        : gcl_workspace_path(workspace, "tree.XXXXXX");
    if (!g_mkdtemp_full(stage->path, 0755))
        return fail(t, stage->path, g_strerror(errno));
    g_ptr_array_add(workspace->unfinished, g_strdup(stage->path));
    return fill(stage, t);
}

void gcl_stage_end(struct gcl_stage *stage) {
    g_clear_pointer(&stage->path, g_free); // the workspace removes it
}

// What was written before, and now.

/// Sums of files by their paths, as a list has them; names with ends of lines in them aren't there.
static GHashTable *read_sums(const char *folder) {
    GHashTable *sums = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free);
    g_autofree char *path = g_build_filename(folder, GCL_TREE_SUMS, NULL), *text = NULL;
    if (!g_file_get_contents(path, &text, NULL, NULL))
        return sums;
    g_auto(GStrv) lines = g_strsplit(text, "\n", -1);
    for (char **line = lines; *line; line++) {
        if (strlen(*line) > SUM_LENGTH + 2 && strncmp(*line + SUM_LENGTH, "  ", 2) == 0)
            g_hash_table_replace(sums, g_strdup(*line + SUM_LENGTH + 2),
                                 g_strndup(*line, SUM_LENGTH));
    }
    return sums;
}

static bool write_sums(struct gcl_translation *t, const char *folder, GHashTable *sums) {
    g_autoptr(GString) text = g_string_new(NULL);
    for (guint i = 0; i < t->tree->len; i++) {
        const struct gcl_tree_entry *entry = t->tree->pdata[i];
        const char *sum = g_hash_table_lookup(sums, entry->path);
        if (sum && !strchr(entry->path, '\n'))
            g_string_append_printf(text, "%s  %s\n", sum, entry->path);
    }
    g_autoptr(GBytes) bytes = g_string_free_to_bytes(g_steal_pointer(&text));
    g_autofree char *path = g_build_filename(folder, GCL_TREE_SUMS, NULL);
    return gcl_tree_write(path, bytes, 0644, t->diagnostics);
}

static char *sum_of(const char *path) {
    g_autoptr(GBytes) bytes = read_bytes(path);
    return bytes ? g_compute_checksum_for_bytes(G_CHECKSUM_SHA256, bytes) : NULL;
}

/// Brings a file of an earlier translation up to date.
static bool update(struct gcl_stage *stage, struct gcl_translation *t,
                   const struct gcl_tree_entry *entry, GHashTable *sums) {
    g_autofree char *from = g_build_filename(stage->path, entry->path, NULL);
    g_autofree char *to = g_build_filename(t->options->out_root, entry->path, NULL);
    g_autofree char *old = sum_of(to), *new = sum_of(from);
    const char *known = g_hash_table_lookup(sums, entry->path);
    if (old && g_strcmp0(old, new) != 0 && g_strcmp0(old, known) != 0) {
        struct gcl_source_location location = {.path = to};
        gcl_diagnostics_add(t->diagnostics, GCL_CODE_CHANGED_BY_HAND, &location,
                            "remove it, and the translation is written again",
                            "it has been changed since it was translated, and stays as it is");
        return true;
    }
    g_autoptr(GBytes) bytes = read_bytes(from);
    if (g_strcmp0(old, new) != 0 &&
        (!bytes || !gcl_tree_write(to, bytes, entry->mode, t->diagnostics)))
        return false;
    g_hash_table_replace(sums, g_strdup(entry->path), g_steal_pointer(&new));
    return true;
}

static bool update_tree(struct gcl_stage *stage, struct gcl_translation *t) {
    GHashTable *sums = read_sums(t->options->out_root);
    bool good = true;
    for (guint i = 0; i < t->tree->len && good; i++) {
        const struct gcl_tree_entry *entry = t->tree->pdata[i];
        good = S_ISREG(entry->mode) ? update(stage, t, entry, sums)
                                    : gcl_tree_copy(entry, t->options->in_root,
                                                    t->options->out_root, false, t->diagnostics);
    }
    good = good && write_sums(t, t->options->out_root, sums);
    g_hash_table_unref(sums);
    return good;
}

static bool place_tree(struct gcl_stage *stage, struct gcl_translation *t) {
    GHashTable *sums = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free);
    for (guint i = 0; i < t->tree->len; i++) {
        const struct gcl_tree_entry *entry = t->tree->pdata[i];
        g_autofree char *path = g_build_filename(stage->path, entry->path, NULL);
        if (S_ISREG(entry->mode))
            g_hash_table_replace(sums, g_strdup(entry->path), sum_of(path));
    }
    bool good = write_sums(t, stage->path, sums);
    g_hash_table_unref(sums);
    if (good && g_rename(stage->path, t->options->out_root) != 0)
        return fail(t, t->options->out_root, g_strerror(errno));
    return good;
}

/// A name for what was there before that nothing has yet.
static char *backup_of(const char *path) {
    char *backup = g_strconcat(path, ".orig", NULL);
    for (unsigned i = 1; g_file_test(backup, G_FILE_TEST_EXISTS); i++) {
        g_free(backup);
        backup = g_strdup_printf("%s.orig%u", path, i);
    }
    return backup;
}

static bool replace(struct gcl_translation *t, const struct gcl_tree_entry *entry, GBytes *text) {
    g_autofree char *path = g_build_filename(t->options->in_root, entry->path, NULL);
    g_autofree char *backup = backup_of(path);
    g_autoptr(GBytes) old = read_bytes(path);
    return old && gcl_tree_write(backup, old, entry->mode, t->diagnostics) &&
           gcl_tree_write(path, text, entry->mode, t->diagnostics);
}

static bool replace_files(struct gcl_translation *t) {
    bool good = true;
    for (guint i = 0; i < t->tree->len && good; i++) {
        const struct gcl_tree_entry *entry = t->tree->pdata[i];
        g_autoptr(GBytes) text = S_ISREG(entry->mode) ? text_of(t, entry->path) : NULL;
        good = !text || replace(t, entry, text);
    }
    return good;
}

bool gcl_stage_commit(struct gcl_stage *stage, struct gcl_translation *t, const json_t *report) {
    const char *out = stage->becomes_output ? stage->path : t->options->out_root;
    g_autofree char *path = out ? g_build_filename(out, GCL_TREE_REPORT, NULL) : NULL;
    if (path && !gcl_report_write(report, path, t->diagnostics))
        return false;
    if (t->options->in_place)
        return replace_files(t);
    if (stage->becomes_output)
        return place_tree(stage, t);
    return t->options->examine || update_tree(stage, t);
}
