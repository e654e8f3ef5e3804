// Words of pragmas: the kinds of clauses, and numbers.
#ifndef GCL_BASE_PRAGMA_WORDS_H
#define GCL_BASE_PRAGMA_WORDS_H

#include "pragma.h"

/// The words that clauses begin with, by kind.
extern const char *const gcl_pragma_words_clauses[GCL_PRAGMA_KIND_COUNT];

/// The kind of clause that bytes [begin, end) of the text are the word for;
/// GCL_PRAGMA_KIND_COUNT: of none.
uint8_t gcl_pragma_words_kind(const char *text, uint32_t begin, uint32_t end);

/// The value of the integer constant at bytes [begin, end), to which its suffix may belong. False
/// if that is none or, then `too_large`, above INT64_MAX.
bool gcl_pragma_words_number(const char *text, uint32_t begin, uint32_t end, int64_t *value,
                             bool *too_large);

#endif
