// What gcluster makes of a name of CUDA's: whether it is supported, how far, under which name, what
// instead, and which tests say so.
//
// One list, in two files: provided.inc has what is there, unsupported.c what isn't. Which names our
// headers declare is asked of clang while gcluster is built (declared/declared.c), so a name that a
// pattern of the list covers is supported only if a header declares it.
#ifndef GCL_SUPPORT_SUPPORT_H
#define GCL_SUPPORT_SUPPORT_H

#include <stdbool.h>
#include <stddef.h>

#include <glib.h>

enum gcl_support_level {
    GCL_SUPPORT_UNKNOWN, ///< no name of CUDA's that gcluster knows of
    GCL_SUPPORT_REFUSED,
    GCL_SUPPORT_PARTLY,
    GCL_SUPPORT_FULL,
};

/// All strings live forever, but for the `name` of one that is asked for, which is the caller's.
/// NULL: there is none.
struct gcl_support {
    const char *name;
    enum gcl_support_level level;
    const char *kind; ///< "function", "type", "enumerator", "variable", "macro", "header", "name"
    const char *area; ///< "Copies"; of what is refused: "CUDA graphs"
    const char *mapping; ///< its name in source on gcluster's API; NULL: it keeps its own
    const char *header;  ///< that declares it
    const char *since;   ///< the first version of CUDA that has it
    const char *note;    ///< what is missing or different; refused: why
    const char *help;    ///< refused: what to do instead
    const char *tests;   ///< files and folders, separated by blanks
    bool is_sampled;     ///< the tests call others like it, not each
};

/// What is known of `name`: of a name (cudaMalloc, cooperative_groups::this_grid, also without its
/// namespace, gclMalloc for cudaMalloc) or a header (cuda_fp16.h). Any thread.
struct gcl_support gcl_support_find(const char *name);

/// What matches a pattern with `*` and `?`, as struct gcl_support: names and headers that are
/// declared, ascending, then the patterns of what is refused. Freed by the caller.
GArray *gcl_support_match(const char *pattern);

/// The known name that `name` may be a misspelling of, or NULL.
const char *gcl_support_nearest(const char *name);

/// "supported", "supported partly", "not supported", "not known".
const char *gcl_support_level_text(enum gcl_support_level level);

/// A row of provided.inc.
struct gcl_support_row {
    const char *area;  ///< of the rows behind it, in a row without names
    const char *names; ///< patterns, separated by blanks; NULL in a row with an area
    const char *since; ///< "" if the list has none
    const char *note;  ///< or NULL
    const char *help;  ///< or NULL
    const char *tests; ///< or NULL
    enum gcl_support_level level;
    bool is_sampled;
    bool is_beside; ///< no header of ours declares the names
};

/// The row of provided.inc at an index; NULL behind the last.
const struct gcl_support_row *gcl_support_row(size_t index);

/// The row that a name of the headers falls to, or NULL.
const struct gcl_support_row *gcl_support_row_of(const char *name);

/// A name that our headers declare.
struct gcl_support_declared {
    const char *name;
    const char *kind;
    const char *header;
};

/// The declared name at an index, ascending; NULL behind the last.
const struct gcl_support_declared *gcl_support_declared(size_t index);

#endif
