// What a build has made isn't part of the project: with it make would take the original's objects
// and programs, which lie there with newer dates than the translated sources, for up to date.
#include "translate/tree.h"

#include <errno.h>
#include <glib/gstdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/diagnostic.h"

static void entry_destroy(void *data) {
    struct gcl_tree_entry *entry = data;
    g_free(entry->path);
    g_free(entry);
}

const char *gcl_tree_relative(const char *root, const char *path) {
    size_t length = strcmp(root, "/") == 0 ? 0 : strlen(root);
    if (strncmp(path, root, length) != 0 || path[length] != '/')
        return NULL;
    return path + length + 1;
}

// The first bytes of a file, as a string.
static void read_begin(const char *path, char *begin, size_t size) {
    FILE *file = fopen(path, "rb");
    size_t count = file ? fread(begin, 1, size - 1, file) : 0;
    begin[count] = '\0';
    if (file)
        fclose(file);
}

static bool is_made(const char *path, const char *name) {
    char begin[256];
    if (strcmp(name, GCL_TREE_REPORT) == 0 || strcmp(name, GCL_TREE_SUMS) == 0)
        return true;
    if (g_str_has_suffix(name, ".o") || g_str_has_suffix(name, ".gch"))
        return true;
    bool depends = g_str_has_suffix(name, ".d");
    if (!depends && strchr(name, '.') && !g_str_has_suffix(name, ".out") &&
        !g_str_has_suffix(name, ".exe"))
        return false; // libraries that somebody else has made stay
    read_begin(path, begin, sizeof begin);
    return depends ? strstr(begin, ".o:") != NULL : g_str_has_prefix(begin, "\177ELF");
}

static bool is_foreign_folder(const char *path, const char *name) {
    static const char *const names[] = {".git", ".svn", ".hg", NULL};
    g_autofree char *cache = g_build_filename(path, "CMakeCache.txt", NULL);
    return g_strv_contains(names, name) || g_file_test(cache, G_FILE_TEST_EXISTS);
}

static int compare_names(const void *left, const void *right) {
    return strcmp(*(char *const *)left, *(char *const *)right);
}

static GPtrArray *names_in(const char *folder) {
    GPtrArray *names = g_ptr_array_new_with_free_func(g_free);
    GDir *directory = g_dir_open(folder, 0, NULL);
    const char *name;
    while (directory && (name = g_dir_read_name(directory)))
        g_ptr_array_add(names, g_strdup(name));
    if (directory)
        g_dir_close(directory);
    g_ptr_array_sort(names, compare_names);
    return names;
}

static void list(GPtrArray *entries, const char *root, const char *below, const char *without) {
    g_autofree char *folder = g_build_filename(root, below, NULL);
    g_autoptr(GPtrArray) names = names_in(folder);
    for (guint i = 0; i < names->len; i++) {
        const char *name = names->pdata[i];
        struct stat status;
        g_autofree char *path = g_build_filename(folder, name, NULL);
        if (lstat(path, &status) != 0 || g_strcmp0(path, without) == 0)
            continue;
        bool is_folder = S_ISDIR(status.st_mode), is_file = S_ISREG(status.st_mode);
        if ((is_folder && is_foreign_folder(path, name)) || (is_file && is_made(path, name)) ||
            (!is_folder && !is_file && !S_ISLNK(status.st_mode)))
            continue;
        struct gcl_tree_entry *entry = g_new(struct gcl_tree_entry, 1);
        *entry = (struct gcl_tree_entry){
            *below ? g_build_filename(below, name, NULL) : g_strdup(name), status.st_mode};
        g_ptr_array_add(entries, entry);
        if (is_folder)
            list(entries, root, entry->path, without);
    }
}

GPtrArray *gcl_tree_list(const char *root, const char *without) {
    GPtrArray *entries = g_ptr_array_new_with_free_func(entry_destroy);
    list(entries, root, "", without);
    return entries;
}

bool gcl_tree_has(const GPtrArray *tree, const char *path) {
    for (guint i = 0; i < tree->len; i++) {
        const struct gcl_tree_entry *entry = tree->pdata[i];
        if (S_ISREG(entry->mode) && strcmp(entry->path, path) == 0)
            return true;
    }
    return false;
}

static bool report(const char *path, const char *what, GPtrArray *diagnostics) {
    gcl_diagnostics_add(diagnostics, GCL_CODE_FILE, NULL, NULL, "cannot write '%s': %s", path,
                        what);
    return false;
}

bool gcl_tree_write(const char *path, GBytes *bytes, mode_t mode, GPtrArray *diagnostics) {
    g_autoptr(GError) error = NULL;
    gsize size;
    const char *data = g_bytes_get_data(bytes, &size);
    if (!g_file_set_contents_full(path, data ? data : "", (gssize)size,
                                  G_FILE_SET_CONTENTS_CONSISTENT, mode & 0777, &error))
        return report(path, error->message, diagnostics);
    chmod(path, mode & 0777); // whatever the mask says
    return true;
}

static bool link_to(const char *target, const char *path, GPtrArray *diagnostics) {
    g_unlink(path);
    return symlink(target, path) == 0 || report(path, g_strerror(errno), diagnostics);
}

static bool copy_file(const char *source, const char *target, mode_t mode, GPtrArray *diagnostics) {
    g_autoptr(GError) error = NULL;
    char *text;
    gsize size;
    if (!g_file_get_contents(source, &text, &size, &error))
        return report(target, error->message, diagnostics);
    g_autoptr(GBytes) bytes = g_bytes_new_take(text, size);
    return gcl_tree_write(target, bytes, mode, diagnostics);
}

bool gcl_tree_copy(const struct gcl_tree_entry *entry, const char *from, const char *to, bool links,
                   GPtrArray *diagnostics) {
    g_autofree char *source = g_build_filename(from, entry->path, NULL);
    g_autofree char *target = g_build_filename(to, entry->path, NULL);
    if (S_ISDIR(entry->mode)) // a folder that can't be written to could get no files
        return g_mkdir_with_parents(target, (int)((entry->mode & 0777) | 0700)) == 0 ||
               report(target, g_strerror(errno), diagnostics);
    if (S_ISLNK(entry->mode)) {
        g_autofree char *content = g_file_read_link(source, NULL);
        return !content || link_to(content, target, diagnostics);
    }
    return links ? link_to(source, target, diagnostics)
                 : copy_file(source, target, entry->mode, diagnostics);
}
