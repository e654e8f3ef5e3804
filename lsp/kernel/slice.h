// What of a kernel's body decides whether a call in it is reached, and with what: the body without
// what comes behind, and without what changes memory.
#ifndef GCL_LSP_SLICE_H
#define GCL_LSP_SLICE_H

#include "lsp/kernel/effects.h"

/// A kernel, and the call that its slice is about.
struct gcl_slice {
    struct gcl_effects_scope scope; ///< `skipped` is the call: an atomic operation, used once
    TSNode body;                    ///< a compound_statement that has the call
    const char *instead;            ///< the statement that takes the place of the one with the call
};

/// The text of the body in which threads come to `instead` as often, and with the same values of
/// the variables in it, as to the call. NULL if that isn't certain. It reads what the body reads,
/// and writes nothing but variables of threads and blocks, so nobody may write meanwhile what it
/// reads. To be freed; `names` gets the names in it. `drops_writes`: writes that a thread may have
/// come by before were left out, so it mustn't read what it has written, by any other name.
char *gcl_slice_text(const struct gcl_slice *slice, GHashTable *names, bool *drops_writes);

#endif
