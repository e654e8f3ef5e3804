// Answers to questions about names of CUDA's, as text or JSON.
#ifndef GCL_SUPPORT_QUERY_H
#define GCL_SUPPORT_QUERY_H

#include <stdbool.h>
#include <stdio.h>

/// Writes what gcluster makes of each of `names`, which end with NULL: names, headers, or patterns
/// with `*` and `?`, whose matches are written one to a line. As JSON it is an array with an object
/// for each name: "name", "support" ("supported", "partly", "refused", "unknown"), and what there
/// is of "kind", "area", "mapping", "header", "since", "note", "help", "tests" (an array), "near"
/// (what an unknown name may mean). Returns whether every name is known, and every pattern matches.
bool gcl_query_write(FILE *out, const char *const *names, bool as_json);

/// Writes the whole list as a page of Markdown: compiler/support.md.
void gcl_page_write(FILE *out);

#endif
