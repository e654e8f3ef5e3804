// From what is known of a project's files to their translated texts.
#ifndef GCL_TRANSLATE_REWRITE_H
#define GCL_TRANSLATE_REWRITE_H

#include "translate/translation.h"

/// Fills in the texts of files that change. Files that the project doesn't consist of, as what its
/// build makes, stay as they are.
void gcl_rewrite_files(struct gcl_translation *translation);

#endif
