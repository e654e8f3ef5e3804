// Whether a translated project does what the original does: both are built and run by the same
// command, and what they print is compared.
#ifndef GCL_TRANSLATE_VERIFY_H
#define GCL_TRANSLATE_VERIFY_H

#include "translate/pool.h"

/// Runs --verify's command in copies of the project and of the tree at `root`, twice in each: the
/// first run builds. A third run of the original tells lines that vary by themselves, such as
/// times; they don't count. Fills in `verified` and `verification`:
///
///     {command, passed, reason, lines, varying, original, translation}
///
/// `reason` says why it didn't pass, or null; `lines` is how many were compared, `varying` how many
/// weren't; the last two are the first lines that differ, or null. A compiler that the original
/// names and that isn't there, nvcc, is gcluster-cc.
void gcl_verify(struct gcl_translation *translation, const struct gcl_tools *tools,
                const char *root);

#endif
