// Reads one source file with libclang and collects its facts.
#ifndef GCL_FRONTEND_PARSE_H
#define GCL_FRONTEND_PARSE_H

#include <glib.h>

#include "frontend/text/unit.h"

/// A file whose text clang shall read from memory: unsaved in an editor, or rewritten.
struct gcl_overlay {
    const char *path;
    GBytes *bytes;
};

struct gcl_parse_options {
    const char *path; ///< the source file
    /// Only files below this folder belong to the project; NULL: all that are not system headers.
    const char *root;
    /// What the host pass gets, without -c, -o and the file itself; NULL-terminated. The language
    /// must be there (`-x cuda`, `c++`, `c`), with `--cuda-host-only`, the folders of our headers
    /// as -isystem, `-resource-dir`, -I, -D, -std. `-fopenmp` is fine.
    const char *const *arguments;
    const struct gcl_overlay *overlays; ///< NULL if there are none
    size_t overlay_count;
    /// The same, but with the headers that come first as clang has made them; NULL: there are none.
    /// Where clang doesn't take those, `arguments` count.
    const char *const *quick_arguments;
    bool records; ///< clang keeps where macros are defined and used
};

/// Parses the file and returns its facts, to be freed with gcl_unit_destroy. What the program uses
/// and gcluster doesn't support is added to `diagnostics` as errors; clang's own messages are in
/// `unit->messages`. Never fails on a program's mistakes: text that clang can't read is judged by
/// its tokens alone. Returns NULL, with a diagnostic, only if the file can't be read or clang
/// breaks down. Keeps nothing of `options`. Any thread, several at a time.
struct gcl_source_unit *gcl_parse(const struct gcl_parse_options *options, GPtrArray *diagnostics);

/// Text in which `k << <g, b> >>(a)`, which nvcc accepts, has become `k<<< g, b >>>(a)`,
/// `asm("… %0, %laneid;" : …)` has `%%laneid`, operands of it have commas between them, and
/// `#define UNROLL #pragma unroll` is a macro that gives the pragma, and `extern __shared__ int
/// a[4];` has lost its `extern`, byte for byte as long as the input; NULL if there is nothing to
/// mend. clang needs it in every pass.
GBytes *gcl_prepare(GBytes *bytes);

/// What clang shall read in place of a file: `bytes` mended, and without `#pragma gcluster` (see
/// pragmas.h), as long as before; NULL if there is nothing to change.
GBytes *gcl_prepare_for_clang(GBytes *bytes);

/// The files that need that, among `path` and what it includes, directly or not, from beside the
/// including file or from a folder given as -I in `arguments` (NULL-terminated). A table
/// from canonical path (char *) to changed text (GBytes), freed with g_hash_table_unref; mostly
/// empty. For passes that start before gcl_parse is done.
GHashTable *gcl_prepare_project(const char *path, const char *const *arguments);

#endif
