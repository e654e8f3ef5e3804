// Block sizes that launches have, where the source says so, and the kernels that may be launched
// with blocks of any size: those that are launched with a size that isn't known, that have a
// pointer to them taken for anything but a launch with a known size, or that other files can launch
// because a header declares them.
#ifndef GCL_FRONTEND_SHAPES_H
#define GCL_FRONTEND_SHAPES_H

#include <stdbool.h>
#include <stdint.h>

#include <clang-c/Index.h>
#include <glib.h>

/// A search through a unit for the block sizes of launches, and what it has found so far.
struct gcl_shapes_search {
    GArray *shapes;      ///< borrowed
    GArray *mentions;    ///< struct gcl_shapes_mention (shapes.c): names of kernels, as they come
    GHashTable *settled; ///< hashes of cursors of those that are accounted for
};

/// A search that adds to `shapes` (base/shape.h).
void gcl_shapes_search_begin(struct gcl_shapes_search *search, GArray *shapes);

/// Takes in a cursor; all of a unit have to be shown, each with its parent, those of system headers
/// excepted. A launch is the call of __cudaPushCallConfiguration that clang makes of `<<<...>>>`,
/// as a child of the call of the kernel (`parent`), or a call of cudaLaunchKernel or
/// cudaLaunchCooperativeKernel.
void gcl_shapes_search_see(struct gcl_shapes_search *search, CXCursor cursor, CXCursor parent);

/// Adds what is only known once all has been seen, and frees the search.
void gcl_shapes_search_end(struct gcl_shapes_search *search);

/// A variable whose value somebody else knows.
struct gcl_shapes_variable {
    CXCursor variable; ///< as clang declares it first
    int64_t value;
};

/// Values that count beside the source when an expression is worked out.
struct gcl_shapes_known {
    GArray *variables; ///< struct gcl_shapes_variable; NULL: none
    /// char *, "n = 512": is added to where a variable that may change is taken to have the value
    /// that it was initialised with, a parameter that of the first call, and `c ? f() : 512` the
    /// side that is known. NULL: nothing is taken for granted.
    GPtrArray *assumed;
};

/// What an expression of type dim3, or one that becomes such, is in the source: constants, and
/// variables that keep the value that they were initialised with. `known` NULL: nothing else
/// counts. False: it isn't known.
bool gcl_shapes_size(CXCursor expression, const struct gcl_shapes_known *known, uint32_t size[3]);
/// A size as gcl_shapes_size finds it, parts of which may be 0: a launch with such a one fails.
bool gcl_shapes_extent(CXCursor expression, const struct gcl_shapes_known *known,
                       uint32_t extent[3]);
/// Whether a local variable or a parameter is never written to but where it is declared.
bool gcl_shapes_keeps_value(CXCursor variable);
/// What an integer expression is in the source, likewise; false: it isn't known.
bool gcl_shapes_number(CXCursor expression, const struct gcl_shapes_known *known, int64_t *value);
/// The variable that an expression is, but for conversions, as clang declares it first; null: none.
CXCursor gcl_shapes_variable(CXCursor expression);

#endif
