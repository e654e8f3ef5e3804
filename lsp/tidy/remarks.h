// What clang-tidy has found, as LSP's diagnostics.
#ifndef GCL_LSP_TIDY_REMARKS_H
#define GCL_LSP_TIDY_REMARKS_H

#include <jansson.h>

#include "lsp/base/encoding.h"

/// What was checked: a source, with the headers that it includes.
struct gcl_remarks_subject {
    const char *path;    ///< of the source
    const char *project; ///< folder in which headers are looked at, or NULL
    const json_t *texts; ///< {path: text} of what isn't as it lies on disk
    enum gcl_encoding encoding;
};

/// {path: [diagnostic]} from what --export-fixes has written (YAML), a new reference: of the
/// source, and of headers in the project's folder. Fixes of the source are in `data`, as
/// features/report/code_action.c takes them; those of headers are left out.
json_t *gcl_remarks_of(const char *fixes, const struct gcl_remarks_subject *subject);

#endif
