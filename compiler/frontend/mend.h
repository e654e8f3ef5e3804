// Edits that mend the mistakes of mistakes.h, where one edit of the user's own text does.
#ifndef GCL_FRONTEND_MEND_H
#define GCL_FRONTEND_MEND_H

#include <clang-c/Index.h>
#include <glib.h>

#include "base/diagnostic.h"
#include "frontend/collect.h"

/// Where clang has found a mistake.
struct gcl_mend_place {
    CXTranslationUnit unit;
    CXDiagnostic message;
    const GPtrArray *drafts; ///< struct gcl_source_draft *
    const struct gcl_source_draft *draft;
    uint32_t offset; ///< in the draft
};

/// Adds a fix to `diagnostic`, which says in CUDA's words what clang has found, if there is a
/// certain one. `address` is the argument of a call, from 1, whose address is meant; 0: none.
void gcl_mend(struct gcl_diagnostic *diagnostic, const struct gcl_mend_place *place,
              uint32_t address);

/// Adds a fix that includes `header` behind the last #include of the first lines of `source`.
void gcl_mend_header(struct gcl_diagnostic *diagnostic, const struct gcl_source_draft *draft,
                     const char *header);

/// Adds a fix that writes `text` in place of a range.
void gcl_mend_replace(struct gcl_diagnostic *diagnostic, const struct gcl_unit_file *source,
                      struct gcl_source_range range, const char *text);

/// Adds a fix that puts `text` before the byte at `offset`.
void gcl_mend_insert(struct gcl_diagnostic *diagnostic, const struct gcl_unit_file *source,
                     uint32_t offset, const char *text);

#endif
