// From facts to edits: CUDA host code becomes gcluster host code.
//
// cudaX becomes gclX; k<<<g, b, s, t>>>(a) becomes gclLaunch(k, g, b, s, t, a). gclLaunch is a
// macro over the native launch, so whatever a kernel may be (deduced template, overload, pointer)
// keeps its meaning, and a launch that stays as it stands works just as well.
#ifndef GCL_FRONTEND_REWRITE_H
#define GCL_FRONTEND_REWRITE_H

#include <stdbool.h>

#include <glib.h>

#include "frontend/text/edit.h"
#include "frontend/text/unit.h"

/// The edits of every file of the unit that changes: `GPtrArray` of `struct gcl_edits *`, main file
/// first. Pure. Freed with g_ptr_array_unref. Lines keep their numbers.
GPtrArray *gcl_rewrite(const struct gcl_source_unit *unit);

/// The text of a file of the unit as people read it, a new reference; NULL if that is as on disk.
GBytes *gcl_rewrite_text(const struct gcl_unit_file *source, const GPtrArray *rewritten);

/// What the device pass has to read in place of files that have constants with `__device__` and
/// without `__constant__`: the same text with both, path -> GBytes. clang 19 takes those constants
/// for the host's as well, and so drops them on the device though host code names them as symbols.
/// NULL if there is nothing like that, or no file has anything to do with symbols. Freed with
/// g_hash_table_unref.
GHashTable *gcl_rewrite_constants(const struct gcl_source_unit *unit);

#endif
