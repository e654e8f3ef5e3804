// Which block sizes launches have, where the source says so, and which kernels may be launched with
// blocks of any size: those that are launched with a size that isn't known, that have a pointer to
// them taken for anything but a launch with a known size, or that other files can launch because a
// header declares them.
#ifndef GCL_FRONTEND_SHAPES_H
#define GCL_FRONTEND_SHAPES_H

#include <stdbool.h>
#include <stdint.h>

#include <clang-c/Index.h>
#include <glib.h>

/// What has been found so far.
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

/// What an expression of type dim3, or one that becomes such, is in the source: constants, and
/// variables that keep the value that they were initialised with. With `assumed` others too have
/// that value, and of `c ? f() : 512` the side that is known counts: "n = 512, m = 3" is added to
/// it. False: it isn't known.
bool gcl_shapes_size(CXCursor expression, GString *assumed, uint32_t size[3]);
/// The same of an integer.
bool gcl_shapes_number(CXCursor expression, GString *assumed, int64_t *value);

#endif
