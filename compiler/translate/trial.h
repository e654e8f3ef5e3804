// Whether what was translated compiles.
#ifndef GCL_TRANSLATE_TRIAL_H
#define GCL_TRANSLATE_TRIAL_H

#include "translate/pool.h"

/// Compiles the sources of the tree at `root` as the project's build compiles the originals;
/// nothing is kept. Fills in what came of it.
void gcl_try_compiling(struct gcl_translation *translation, const struct gcl_tools *tools,
                       const char *root);

#endif
