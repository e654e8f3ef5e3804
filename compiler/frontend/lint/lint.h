// Warnings about CUDA programs that compile and are certainly wrong. What could be right is passed
// over: a warning that isn't true costs more than ten true ones bring.
//
// Each kind has a code from 300 on, and a name with which it is turned off: -Wno-gcluster-NAME.
#ifndef GCL_FRONTEND_LINT_H
#define GCL_FRONTEND_LINT_H

#include <stdbool.h>

#include <clang-c/Index.h>
#include <glib.h>

#include "frontend/collect.h"

/// What lints look at, and where they say what they find.
struct gcl_lint {
    CXTranslationUnit unit;
    const GPtrArray *drafts;    ///< struct gcl_source_draft *
    const GPtrArray *arguments; ///< char *: clang's, among them -Wno-gcluster-NAME; ends with NULL
    const GArray *shapes;       ///< struct gcl_shape: of launches in the program
    bool is_in_editor;          ///< no device pass follows
    bool is_broken; ///< clang has found errors, and may have left out what they are about
    GPtrArray *diagnostics;
    bool has_barriers;  ///< set by gcl_lint: the program speaks of barriers, or of masks of lanes
    bool has_ceil;      ///< set by gcl_lint: the program rounds up somewhere
    bool has_streams;   ///< set by gcl_lint: the program does what can free memory in use
    bool has_new;       ///< set by gcl_lint: the program has an `operator new` of its own
    bool shares_memory; ///< set by gcl_lint: the device may reach memory of the host's heap
    bool is_unchecked;  ///< set by gcl_lint: that is to be said, and the program never looks at an
                        ///< error of CUDA's
};

/// Adds warnings about the functions that the program's files define.
void gcl_lint(const struct gcl_lint *task);

#endif
