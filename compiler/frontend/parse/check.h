// The proof that rewriting changed what it says and nothing else.
#ifndef GCL_FRONTEND_CHECK_H
#define GCL_FRONTEND_CHECK_H

#include <stdbool.h>

#include <glib.h>

#include "frontend/parse/parse.h"
#include "frontend/text/unit.h"

/// `--check-rewrite`: applies the edits and verifies that undoing them gives back the input, that
/// parsing the result with the same options gives no new error, and that no launch which was to
/// be rewritten is left. Adds GCL129 for each thing that is wrong; returns true if nothing is.
bool gcl_rewrite_check(const struct gcl_source_unit *unit, const GPtrArray *rewritten,
                       const struct gcl_parse_options *options, GPtrArray *diagnostics);

#endif
