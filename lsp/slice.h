// What of a kernel's body decides whether a call in it is reached, and with what: the body without
// what comes behind, and without what changes memory.
#ifndef GCL_LSP_SLICE_H
#define GCL_LSP_SLICE_H

#include "meaning.h"

/// A kernel whose text is to be cut.
struct gcl_slice {
    const struct gcl_view *view;
    const struct gcl_meaning *meaning;
    TSNode body;         ///< a compound_statement
    TSNode call;         ///< an atomic operation in it, used once
    const char *instead; ///< the statement that takes the place of the one with the call
};

/// The text of the body in which threads come to `instead` as often, and with the same values of
/// the variables in it, as to the call. NULL if that isn't certain. It reads what the body reads,
/// and writes nothing but variables of threads and blocks, so nobody may write meanwhile what it
/// reads. To be freed; `names` gets the names in it. `drops_writes`: writes that a thread may have
/// come by before were left out, so it mustn't read what it has written, by any other name.
char *gcl_slice_text(const struct gcl_slice *slice, GHashTable *names, bool *drops_writes);

enum gcl_memory {
    GCL_MEMORY_LOCAL,  ///< a thread's or a block's variable
    GCL_MEMORY_GLOBAL, ///< behind a pointer, or a variable of the device
    GCL_MEMORY_UNKNOWN,
};
/// Where an expression that can be assigned to lies; of local ones, `root` is the variable's name.
enum gcl_memory gcl_slice_memory(const struct gcl_slice *slice, TSNode lvalue, TSNode *root);

/// Whether it is a call of an atomic operation; `address`: its first argument.
bool gcl_slice_is_atomic(const struct gcl_slice *slice, TSNode call, TSNode *address);

#endif
