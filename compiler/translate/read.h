// Reading the sources of a project: facts of each, put together to files.
#ifndef GCL_TRANSLATE_READ_H
#define GCL_TRANSLATE_READ_H

#include "translate/pool.h"

/// Fills in files, kernels and what isn't supported, and what of the sources couldn't be read.
void gcl_read_sources(struct gcl_translation *translation, const struct gcl_tools *tools);

#endif
