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

/// The edits for clang alone: launches from device code are rewritten, too, which people better
/// read as they are.
GPtrArray *gcl_rewrite_for_clang(const struct gcl_source_unit *unit);

/// The text of a file of the unit as people read it, a new reference; NULL if that is as on disk.
GBytes *gcl_rewrite_text(const struct gcl_unit_file *source, const GPtrArray *rewritten);

/// What the device pass has to read in place of files, path -> GBytes; NULL if it is nothing else
/// than they hold. Two things are different there. Constants with `__device__` and without
/// `__constant__` have both, if a file has anything to do with symbols: clang 19 takes those
/// constants for the host's as well, and so drops them on the device though host code names them as
/// symbols. Launches from device code, which clang refuses, are calls of our headers'
/// (gcluster_child.h). Freed with g_hash_table_unref.
GHashTable *gcl_rewrite_device(const struct gcl_source_unit *unit);

#endif
