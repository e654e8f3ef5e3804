// Files below a project's folder: which there are, and writing them so that a file is there as a
// whole or not at all.
#ifndef GCL_TRANSLATE_TREE_H
#define GCL_TRANSLATE_TREE_H

#include <stdbool.h>
#include <sys/types.h>

#include <glib.h>

/// What a translation leaves in a folder that it is written to: the report, and a list of what was
/// written.
#define GCL_TREE_REPORT "gcluster-translate.json"
#define GCL_TREE_SUMS "gcluster-translate.sums"

/// Something below the root, by its path relative to that.
struct gcl_tree_entry {
    char *path;
    mode_t mode; ///< of lstat: its kind and permissions
};

/// What belongs to a project (struct gcl_tree_entry *), folders before what is in them, freed with
/// g_ptr_array_unref. Left out are version control's folders, what a build has made (folders with a
/// CMakeCache.txt, objects, programs, make's lists of dependencies) or a translation has left, and
/// the folder `without`, which may be NULL.
GPtrArray *gcl_tree_list(const char *root, const char *without);

/// Whether a path is that of a regular file in a list.
bool gcl_tree_has(const GPtrArray *tree, const char *path);

/// The path relative to `root` of an absolute path without links; NULL if it isn't below. Borrowed
/// from `path`.
const char *gcl_tree_relative(const char *root, const char *path);

/// Writes a file beside `path` and gives it that name. False with a diagnostic.
bool gcl_tree_write(const char *path, GBytes *bytes, mode_t mode, GPtrArray *diagnostics);

/// Makes the entry below `to` what it is below `from`; a file as a link to that, if `links`. False
/// with a diagnostic.
bool gcl_tree_copy(const struct gcl_tree_entry *entry, const char *from, const char *to, bool links,
                   GPtrArray *diagnostics);

#endif
