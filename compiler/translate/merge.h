// Files that several compilations include, as one: a header is translated once, the same for all.
#ifndef GCL_TRANSLATE_MERGE_H
#define GCL_TRANSLATE_MERGE_H

#include <glib.h>

#include "frontend/text/unit.h"

/// Adds what another compilation has seen of the same text to `file`. A name is renamed, and a
/// launch rewritten, where one compilation is for it and none knows something against it.
void gcl_merge(struct gcl_unit_file *file, const struct gcl_unit_file *other);

#endif
