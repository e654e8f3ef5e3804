// Replacements of byte ranges: what rewriting is made of.
#ifndef GCL_FRONTEND_EDIT_H
#define GCL_FRONTEND_EDIT_H

#include <stdint.h>
#include <stdio.h>

#include <glib.h>

/// Replace bytes [begin, end) of the source by `text`, which is owned by the edit.
struct gcl_edit {
    uint32_t begin;
    uint32_t end;
    char *text;
};

/// The edits of one file: ascending, disjoint, at most one insertion at an offset. None of them
/// adds or removes a line.
struct gcl_edits {
    char *path;
    GArray *list; ///< struct gcl_edit
};

struct gcl_edits *gcl_edits_create(const char *path);
void gcl_edits_destroy(struct gcl_edits *edits);

/// Appends an edit; `text` is copied.
void gcl_edits_add(struct gcl_edits *edits, uint32_t begin, uint32_t end, const char *text);

/// Sorts edits by their begin; insertions at one offset keep their order.
void gcl_edits_sort(struct gcl_edits *edits);

/// Sorts edits, and merges those that touch. Returns false if two overlap; the list is then as
/// before.
gboolean gcl_edits_normalise(struct gcl_edits *edits);

/// The rewritten bytes. A new reference.
GBytes *gcl_edits_apply(const struct gcl_edits *edits, GBytes *original);

/// Takes the edits back: `rewritten` must be what gcl_edits_apply made of `original`. Returns NULL
/// if the bytes at an edit are not its text.
GBytes *gcl_edits_undo(const struct gcl_edits *edits, GBytes *original, GBytes *rewritten);

/// Prints each edit on a line: `begin end "old" -> "new"`, escaped as in C, as `--dump=edits` shows
/// them.
void gcl_edits_print(const struct gcl_edits *edits, GBytes *original, FILE *out);

#endif
