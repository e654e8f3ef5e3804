// The parts of CUDA that gcluster knows and doesn't support.
//
// Consulted only for names that clang couldn't find: whatever our headers or the program declare is
// fine, so a part that becomes supported needs no change here.
#ifndef GCL_SUPPORT_UNSUPPORTED_H
#define GCL_SUPPORT_UNSUPPORTED_H

#include <stdbool.h>
#include <stddef.h>

#include "base/diagnostic.h"

struct gcl_unsupported {
    const char *pattern; ///< a name, or the beginning of names if it ends with `*`
    enum gcl_diagnostic_code code;
    const char *part; ///< "CUDA graphs"
    const char *help;
};

/// What the undeclared identifier `name` belongs to, or NULL.
const struct gcl_unsupported *gcl_unsupported_find(const char *name, size_t length);

/// True if only the beginning `cuda` speaks for the entry: the name may as well be misspelt.
bool gcl_unsupported_is_vague(const struct gcl_unsupported *entry);

/// What a header that wasn't found belongs to (`cublas_v2.h`, `thrust/sort.h`), or NULL.
const struct gcl_unsupported *gcl_unsupported_find_header(const char *name, size_t length);

/// The row at an index of the table, names before headers; NULL behind the last. `is_header` is set
/// to whether its pattern is a header's.
const struct gcl_unsupported *gcl_unsupported_row(size_t index, bool *is_header);

#endif
