// Which files are build files is a matter of their names.
#include "translate/scripts.h"

#include <string.h>
#include <sys/stat.h>

#include "translate/tree.h"

typedef struct gcl_edits *find_edits(const char *path, GBytes *text);

static find_edits *kind_of(const char *name) {
    if (strcmp(name, "CMakeLists.txt") == 0 || g_str_has_suffix(name, ".cmake"))
        return gcl_cmake_edits;
    if (g_ascii_strcasecmp(name, "Makefile") == 0 || strcmp(name, "GNUmakefile") == 0 ||
        g_str_has_prefix(name, "Makefile.") || g_str_has_suffix(name, ".mk"))
        return gcl_makefile_edits;
    return NULL;
}

static GBytes *rewrite(const struct gcl_edits *edits, GBytes *text) {
    return edits->list->len > 0 ? gcl_edits_apply(edits, text) : NULL;
}

static void add_script(struct gcl_translation *t, const struct gcl_tree_entry *entry,
                       find_edits *find) {
    g_autofree char *path = g_build_filename(t->options->in_root, entry->path, NULL);
    char *content;
    gsize size;
    if (!g_file_get_contents(path, &content, &size, NULL) || size > UINT32_MAX / 2)
        return;
    g_autoptr(GBytes) text = g_bytes_new_take(content, size);
    struct gcl_edits *edits = find(path, text);
    struct gcl_translate_script *script = g_new(struct gcl_translate_script, 1);
    *script = (struct gcl_translate_script){entry->path, rewrite(edits, text)};
    g_ptr_array_add(t->scripts, script);
    gcl_edits_destroy(edits);
}

void gcl_rewrite_scripts(struct gcl_translation *t) {
    for (guint i = 0; i < t->tree->len; i++) {
        const struct gcl_tree_entry *entry = t->tree->pdata[i];
        g_autofree char *name = g_path_get_basename(entry->path);
        find_edits *find = S_ISREG(entry->mode) ? kind_of(name) : NULL;
        if (find)
            add_script(t, entry, find);
    }
}
