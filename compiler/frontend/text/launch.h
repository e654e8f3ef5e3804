// Finds the parts of a launch in the text, from its `<<<`.
#ifndef GCL_FRONTEND_LAUNCH_H
#define GCL_FRONTEND_LAUNCH_H

#include <stdbool.h>
#include <stdint.h>

#include <glib.h>

#include "frontend/text/lexer.h"
#include "frontend/text/unit.h"

/// What the syntax tree says about one launch, in offsets of the file that has the `<<<`. Of a
/// launch in a macro body only `count` means anything.
struct gcl_tree_launch {
    uint32_t chevrons;                      ///< of the `<<<`
    uint32_t kernel;                        ///< begin of the kernel expression
    uint32_t close;                         ///< end of the `>>>`
    uint32_t end;                           ///< end of the closing parenthesis
    uint32_t count;                         ///< configuration arguments that are written down
    uint32_t starts[GCL_CONFIGURATION_MAX]; ///< begin of each
    bool in_argument;                       ///< in an argument of a macro
    bool conflicting;                       ///< expansions of the same text differ in `count`
    bool is_indirect;                       ///< the kernel is a pointer
};

struct gcl_launch_context {
    const GArray *tokens;
    const char *bytes;
    GHashTable *macros; ///< macros.h
};

/// Index of the `)` that matches the `(` at token `open`; `open` if there is none before the next
/// directive.
guint gcl_launch_find_end(const struct gcl_launch_context *context, guint open);

/// Delimits the launch whose `<<<` is token `index`. `call` is NULL if the tree doesn't have it.
/// The result's `keep` says whether it can be edited. Pure.
struct gcl_source_launch gcl_launch_delimit(const struct gcl_launch_context *context, guint index,
                                            const struct gcl_tree_launch *call);

#endif
