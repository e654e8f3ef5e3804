// Mistakes that clang's words don't tell, but the tokens at which it stops: launches written with
// other brackets or in C++, and names whose header isn't included.
#ifndef GCL_FRONTEND_SPOT_H
#define GCL_FRONTEND_SPOT_H

#include <stdbool.h>

#include <glib.h>

#include "frontend/collect.h"

/// Where an error of clang's is, and what it says.
struct gcl_spot {
    const struct gcl_source_draft *draft;
    uint32_t offset;
    const char *text;
};

/// Adds to `diagnostics` what an error of clang's comes from, with what mends it; true if that is
/// known. `reported` (a set of strings) keeps what has been said, so that errors which follow from
/// that are passed over: then the result is true as well.
bool gcl_spot_report(const struct gcl_spot *spot, GHashTable *reported, GPtrArray *diagnostics);

#endif
