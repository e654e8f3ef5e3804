// Warnings about CUDA programs that compile and are certainly wrong. What could be right is passed
// over: a warning that isn't true costs more than ten true ones bring.
//
// Each kind has a code from 300 on, and a name with which it is turned off: -Wno-gcluster-NAME.
#ifndef GCL_FRONTEND_LINT_H
#define GCL_FRONTEND_LINT_H

#include <stdbool.h>

#include <clang-c/Index.h>
#include <glib.h>

#include "base/diagnostic.h"
#include "frontend/collect.h"

/// What lints look at, and where they say what they find.
struct gcl_lint {
    CXTranslationUnit unit;
    const GPtrArray *drafts;    ///< struct gcl_source_draft *
    const GPtrArray *arguments; ///< char *: clang's, among them -Wno-gcluster-NAME; ends with NULL
    bool is_in_editor;          ///< no device pass follows
    bool is_broken; ///< clang has found errors, and may have left out what they are about
    GPtrArray *diagnostics;
    bool has_new;       ///< set by gcl_lint: the program has an `operator new` of its own
    bool shares_memory; ///< set by gcl_lint: the device may reach memory of the host's heap
};

/// Adds warnings about the functions that the program's files define.
void gcl_lint(const struct gcl_lint *task);

// For lints.

/// Adds a warning at a cursor that stands in the program's text, not in a macro of a header, with a
/// literal `help`. NULL: that kind is turned off, or it stands elsewhere.
struct gcl_diagnostic *gcl_lint_add(const struct gcl_lint *lint, CXCursor at,
                                    enum gcl_diagnostic_code code, const char *help,
                                    const char *format, ...) G_GNUC_PRINTF(5, 6);

/// Adds an error that clang's device pass will find as well.
void gcl_lint_error(const struct gcl_lint *lint, CXCursor at, enum gcl_diagnostic_code code,
                    const char *help, const char *message);

/// What an expression is without parentheses and conversions.
CXCursor gcl_lint_strip(CXCursor expression);
/// The name of the function that a call calls, as CUDA has it, to be freed; "" if that isn't known.
char *gcl_lint_callee(CXCursor call);
/// The text of a cursor, its tokens with a blank between, to be freed.
char *gcl_lint_text(CXCursor cursor);
/// The text of a cursor as the program has it, in one line, to be freed.
char *gcl_lint_source(const struct gcl_lint *lint, CXCursor cursor);
/// The first, and the last, of a cursor's children that are expressions; null if there is none.
CXCursor gcl_lint_operand(CXCursor expression, bool last);
/// Whether a value follows from constants and local variables alone.
bool gcl_lint_is_local(CXCursor expression, int depth);

/// Warnings about a launch: the call that configures it, and the call of the kernel.
void gcl_lint_launch(const struct gcl_lint *lint, CXCursor configuration, CXCursor launch);
/// Warnings about the pointers of a function that runs on the host.
void gcl_lint_memory(const struct gcl_lint *lint, CXCursor function);
/// Warnings about a kernel.
void gcl_lint_kernel(const struct gcl_lint *lint, CXCursor kernel);

#endif
