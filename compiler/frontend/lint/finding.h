// How lints say what they have found.
#ifndef GCL_FRONTEND_LINT_FINDING_H
#define GCL_FRONTEND_LINT_FINDING_H

#include "base/diagnostic.h"
#include "frontend/lint/lint.h"

/// Whether findings of a kind are said: it is on by default where the lints run, or asked for.
bool gcl_lint_wants(const struct gcl_lint *lint, enum gcl_diagnostic_code code);

/// Adds a warning at a cursor that stands in the program's text, not in a macro of a header. NULL:
/// that kind is turned off, it stands elsewhere, or it has been said of that place.
struct gcl_diagnostic *gcl_lint_add(const struct gcl_lint *lint, CXCursor at,
                                    enum gcl_diagnostic_code code, const char *help,
                                    const char *format, ...) G_GNUC_PRINTF(5, 6);

/// Adds an error that clang's device pass will find as well.
void gcl_lint_error(const struct gcl_lint *lint, CXCursor at, enum gcl_diagnostic_code code,
                    const char *help, const char *message);

/// An expression as an operand of a product, to be freed; NULL where a macro hides what it is.
char *gcl_lint_name(const struct gcl_lint *lint, CXCursor expression);
/// The text of a cursor as the program has it, in one line, to be freed.
char *gcl_lint_source(const struct gcl_lint *lint, CXCursor cursor);

#endif
