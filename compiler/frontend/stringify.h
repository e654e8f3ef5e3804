// Macros of the program that turn an argument into a string, such as
//
//     #define CHECK(call) check((call), #call)
//
// What stands in their arguments is what the program prints, and what people then search their
// sources for: rewriting leaves it as it stands.
#ifndef GCL_FRONTEND_STRINGIFY_H
#define GCL_FRONTEND_STRINGIFY_H

#include <glib.h>

#include "frontend/collect.h"

/// Names (owned) of macros in `drafts` (struct gcl_source_draft *) whose body has `#parameter`, of
/// those that hand a parameter on to such a macro, and `assert`. A set.
GHashTable *gcl_stringify_find(const GPtrArray *drafts);

/// The parenthesised arguments of all uses of `macros` in a draft: array of struct
/// gcl_source_range, ascending and disjoint. Arguments with a directive among them are left out.
/// Pure.
GArray *gcl_stringify_arguments(const struct gcl_source_draft *draft, GHashTable *macros);

#endif
