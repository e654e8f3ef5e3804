// Whether a clause fits its kernel, and the clauses before it.
#ifndef GCL_FRONTEND_PRAGMA_CHECK_H
#define GCL_FRONTEND_PRAGMA_CHECK_H

#include <stdbool.h>

#include "base/pragma.h"
#include "frontend/text/unit.h"

/// The declaration that clauses are checked against. Errors go to `diagnostics`.
struct gcl_pragma_check {
    const struct gcl_unit_file *source; ///< that the clause's bytes are of
    const struct gcl_source_kernel *kernel;
    GPtrArray *diagnostics;
};

/// Fills in what the objects of a clause are, and checks that they can be named there; false, with
/// an error for each, if some can't.
bool gcl_pragma_check_resolve(const struct gcl_pragma_check *check,
                              struct gcl_pragma_clause *clause);

/// True if the clause may stand beside `other`; otherwise there is an error, unless the clause says
/// again what was said at another declaration. `same_declaration`: of the kernel that `other` is
/// about.
bool gcl_pragma_check_agrees(const struct gcl_pragma_check *check,
                             const struct gcl_pragma_clause *clause, const struct gcl_pragma *other,
                             bool same_declaration);

#endif
