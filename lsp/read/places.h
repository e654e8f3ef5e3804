// All places of a name, in the text, in other open ones and in those that the index knows.
#ifndef GCL_LSP_PLACES_H
#define GCL_LSP_PLACES_H

#include "lsp/read/entry.h"
#include "lsp/read/occurrences.h"
#include "lsp/read/view.h"

typedef void gcl_see_place(const struct gcl_view *view, const struct gcl_occurrence *occurrence,
                           void *data);

/// What is looked for, and what is done with it.
struct gcl_places {
    const struct gcl_query *query;
    gcl_see_place *see;        ///< each place in open files
    gcl_entry_see *see_closed; ///< in others; NULL: only the query's own file counts
    void *data;
};

/// Visits all places of the target of an occurrence (occurrences.h).
void gcl_places_visit(const struct gcl_places *places, CXCursor target);

#endif
