// Build files of a translated project: the compiler's name in Makefiles and CMakeLists.txt becomes
// gcluster-cc, and CUDA's folders and libraries become gcluster's. Only that changes, byte by byte.
#ifndef GCL_TRANSLATE_SCRIPTS_H
#define GCL_TRANSLATE_SCRIPTS_H

#include "frontend/text/edit.h"
#include "translate/translation.h"

/// The edits of a Makefile; none for most texts. Any bytes are fine.
struct gcl_edits *gcl_makefile_edits(const char *path, GBytes *text);
/// The edits of a CMakeLists.txt or *.cmake. Any bytes are fine.
struct gcl_edits *gcl_cmake_edits(const char *path, GBytes *text);

/// Fills in the build files of a project, and what becomes of them.
void gcl_rewrite_scripts(struct gcl_translation *translation);

#endif
