// What a piece of a kernel's body does: which memory it changes, whether it leaves a loop or waits.
#ifndef GCL_LSP_EFFECTS_H
#define GCL_LSP_EFFECTS_H

#include "lsp/read/meaning.h"

/// The text of a kernel, and what clang knows of the names in it.
struct gcl_effects_scope {
    const struct gcl_view *view;
    const struct gcl_meaning *meaning;
    /// An atomic operation of which nothing counts but its arguments behind the address; or null.
    TSNode skipped;
};

struct gcl_effects {
    GHashTable *changed; ///< names of variables of threads and blocks
    TSNode rank;         ///< the last atomic operation on one of `changed`; or null
    unsigned ranks;      ///< atomic operations on `changed` whose result is used
    bool outside;        ///< changes other memory
    bool unclear;        ///< may do what none of these fields says
    bool leaves;         ///< a loop, or the kernel
    bool waits;          ///< for other threads
};

/// The effects of a node, which may be null, and of all in it; to be finished.
struct gcl_effects gcl_effects_of(const struct gcl_effects_scope *scope, TSNode node);
void gcl_effects_finish(struct gcl_effects *effects);

/// Where an expression that can be assigned to may lie.
enum gcl_memory {
    GCL_MEMORY_LOCAL,  ///< a thread's or a block's variable
    GCL_MEMORY_GLOBAL, ///< behind a pointer, or a variable of the device
    GCL_MEMORY_UNKNOWN,
};
/// Where an lvalue lies; of local ones, `root` becomes the variable's name.
enum gcl_memory gcl_effects_memory(const struct gcl_effects_scope *scope, TSNode lvalue,
                                   TSNode *root);

/// Whether a node is a call of an atomic operation; `address` becomes its first argument.
bool gcl_effects_is_atomic(const struct gcl_effects_scope *scope, TSNode call, TSNode *address);

#endif
