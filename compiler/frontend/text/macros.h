// Macros that the project defines, by the text.
#ifndef GCL_FRONTEND_MACROS_H
#define GCL_FRONTEND_MACROS_H

#include <glib.h>

/// An empty table: name (owned) -> GINT_TO_POINTER(1) if each definition takes `...` alone, else 0.
GHashTable *gcl_macros_create(void);
/// Adds the macros that a file defines. `tokens`: struct gcl_token, of its `bytes`.
void gcl_macros_add(GHashTable *macros, const GArray *tokens, const char *bytes);

#endif
