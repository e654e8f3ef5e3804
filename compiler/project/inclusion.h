// Which sources include a file, found by their text: `kernels.cu` that `main.cu` includes is no
// source of its own, and means something only behind what stands before that #include.
//
// Includers are looked for in the file's folder and those around it, up to the workspace's. Nothing
// is run or expanded: each #include "…" in the text counts, whatever conditions stand around it.
#ifndef GCL_PROJECT_INCLUSION_H
#define GCL_PROJECT_INCLUSION_H

#include <stdbool.h>

#include <glib.h>

struct gcl_inclusions;

/// Knows nothing yet; `folder` is where the search ends.
struct gcl_inclusions *gcl_inclusions_create(const char *folder);
void gcl_inclusions_destroy(struct gcl_inclusions *inclusions);
/// Has all files read again when somebody asks next.
void gcl_inclusions_forget(struct gcl_inclusions *inclusions);

/// The absolute paths of sources that include a file, themselves or through others, and that no
/// such source includes: those in the file's own folder first, else in the order of the alphabet.
/// To be freed with g_ptr_array_unref (char *); empty if there is none.
GPtrArray *gcl_inclusions_find(struct gcl_inclusions *inclusions, const char *path);
/// The files that are open where `includer` includes a file for the first time, from `includer` on
/// to the one that has the #include. Likewise; empty if `includer` doesn't include it.
GPtrArray *gcl_inclusions_chain(struct gcl_inclusions *inclusions, const char *includer,
                                const char *path);

/// What stands in a text in front of its first #include of a file, with an #endif for each
/// condition that is open there. `from` is the text's own path. To be freed; NULL if it has no such
/// #include.
char *gcl_inclusion_head(const char *text, const char *from, const char *path);

#endif
