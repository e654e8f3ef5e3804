// What the compiler tells the user about the program: data first, printed at the edge.
//
// A diagnostic is collected in a GPtrArray that is passed along; whoever finds a mistake adds to it
// and goes on with what it can. Only `main` and the language server print.
#ifndef GCL_BASE_DIAGNOSTIC_H
#define GCL_BASE_DIAGNOSTIC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <glib.h>

enum gcl_severity {
    GCL_SEVERITY_NOTE,
    GCL_SEVERITY_REMARK,
    GCL_SEVERITY_WARNING,
    GCL_SEVERITY_ERROR,
};

/// GCL_CODE_UNKNOWN_OPTION = 100 and so on; see codes.h. GCL_CODE_CLANG marks clang's own messages,
/// which carry no code of ours.
enum gcl_diagnostic_code {
    GCL_CODE_CLANG = 0,
#define GCL_CODE(name, number, severity, title) GCL_CODE_##name = number,
#include "codes.h"
#undef GCL_CODE
};

/// A location in a file. `line` and `column` count from 1, columns in bytes as clang does; line 0
/// means the whole file. `length` bytes are underlined, at least one.
struct gcl_source_location {
    const char *path;
    uint32_t line;
    uint32_t column;
    uint32_t length;
};

/// What would mend a mistake: bytes of a file, from one place up to another, become `text`.
struct gcl_fix {
    char *path;
    uint32_t line;
    uint32_t column;
    uint32_t end_line;
    uint32_t end_column;
    char *text;
};

/// One message. Strings are owned by the diagnostic; `path`, `source` and `help` may be NULL.
struct gcl_diagnostic {
    enum gcl_severity severity;
    enum gcl_diagnostic_code code;
    char *path;
    uint32_t line;
    uint32_t column;
    uint32_t length;
    char *message; ///< one line, no full stop
    char *source;  ///< the text of that line, shown with a caret
    char *help;    ///< what to do about it
    GArray *fixes; ///< struct gcl_fix, to be applied together; NULL if there are none
};

/// A new array that frees its diagnostics: `GPtrArray` of `struct gcl_diagnostic *`.
GPtrArray *gcl_diagnostics_create(void);

/// Adds a message with the code's own severity. `location` may be NULL (no file to point at),
/// `help` may be NULL. Returns the diagnostic, owned by the array, so that `source` can be filled
/// in.
struct gcl_diagnostic *gcl_diagnostics_add(GPtrArray *diagnostics, enum gcl_diagnostic_code code,
                                           const struct gcl_source_location *location,
                                           const char *help, const char *format, ...)
    G_GNUC_PRINTF(5, 6);

/// Adds a fix; `path` and `text` are copied.
void gcl_diagnostic_add_fix(struct gcl_diagnostic *diagnostic, const struct gcl_fix *fix);

/// True if one of them is an error.
bool gcl_diagnostics_have_error(const GPtrArray *diagnostics);

/// Prints as clang does: `file:line:column: error: message [GCL120]`, the source line with a caret
/// if known, then the help line. With `colour`, severity and caret are coloured for a terminal.
void gcl_diagnostic_print(const struct gcl_diagnostic *diagnostic, FILE *out, bool colour);

/// Prints all, in the order in which they were added.
void gcl_diagnostics_print(const GPtrArray *diagnostics, FILE *out, bool colour);

/// The title of a code as in codes.h; NULL for a number that is none.
const char *gcl_diagnostic_title(int code);

#endif
