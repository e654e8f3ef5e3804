// What is wrong with a pragma, told from the tables that the parser of grammar/pragma is made of.
#ifndef GCL_BASE_PRAGMA_MISTAKE_H
#define GCL_BASE_PRAGMA_MISTAKE_H

#include <stdbool.h>
#include <stdint.h>

#include <glib.h>
#include <tree_sitter/api.h>

#include "pragma.h"

/// More than that isn't read at a time: libtree-sitter 0.20 counts what a node with a mistake
/// consists of in 16 bits.
enum { GCL_PRAGMA_SIZE_MAX = 0x8000 };

/// A leaf of a pragma's tree but for comments: bytes [begin, end) of the text.
struct gcl_pragma_token {
    uint32_t begin;
    uint32_t end;
    TSSymbol symbol; ///< of the grammar; (TSSymbol)-1 for what is no word of it
};

/// The first mistake in a list of clauses.
struct gcl_pragma_mistake {
    struct gcl_pragma_error error;
    guint clause; ///< index of the token that the clause with the mistake begins with
    /// Index behind the last token that may be kept: there the clause in front of the mistake ends
    /// or, if `open`, a list in it that only lacks its closing parenthesis.
    guint kept;
    bool open;
};

/// Goes through the tokens (struct gcl_pragma_token, of the text from `begin` on) as the parser
/// does, and makes words the symbols that they are where they stand. `cut`: there was more text.
/// Returns false if there is no mistake; `mistake` is then left as it is. The error's strings are
/// the caller's.
bool gcl_pragma_mistake_find(const char *text, uint32_t begin, GArray *tokens, bool cut,
                             struct gcl_pragma_mistake *mistake);

#endif
