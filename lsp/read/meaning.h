// What clang knows of the names in a function, for edits that copy parts of its text.
#ifndef GCL_LSP_MEANING_H
#define GCL_LSP_MEANING_H

#include "lsp/read/node.h"
#include "lsp/read/tree.h"

struct gcl_meaning;

/// `definition`: the function in tree-sitter's tree of the view's text. NULL if macros have effects
/// that the text doesn't show. The view is borrowed until gcl_meaning_destroy.
struct gcl_meaning *gcl_meaning_create(const struct gcl_view *view, CXCursor function,
                                       TSNode definition);
void gcl_meaning_destroy(struct gcl_meaning *meaning);

/// What the name at that byte stands for; null: not known, or it is no such name.
CXCursor gcl_meaning_of(const struct gcl_meaning *meaning, uint32_t offset);

/// Whether the name at that byte is a macro's.
bool gcl_meaning_is_macro(const struct gcl_meaning *meaning, uint32_t offset);

/// Whether a variable is declared at that byte.
bool gcl_meaning_declares(const struct gcl_meaning *meaning, uint32_t offset);

/// Whether a variable belongs to a thread, or to its block: those of functions, and parameters.
bool gcl_meaning_is_local(CXCursor variable);

/// Whether a type is an array's, of known size or not.
bool gcl_meaning_is_array(CXType type);

/// Whether a call changes nothing but what it returns, and returns the same the next time.
bool gcl_meaning_is_pure(CXCursor function);

/// How many products and quotients, or calls that may have some inside, of floating-point numbers
/// begin in [begin, end). Which of two a sum takes in, to be rounded once, depends on what else
/// they are used for (device/lower/contract.c).
unsigned gcl_meaning_products(const struct gcl_meaning *meaning, uint32_t begin, uint32_t end);

/// Whether a variable may hold a floating-point number.
bool gcl_meaning_is_floating(CXCursor variable);

#endif
