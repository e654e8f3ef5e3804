// gcluster-translate --query NAME...: what becomes of names.
#ifndef GCL_TRANSLATE_QUERY_H
#define GCL_TRANSLATE_QUERY_H

#include <stdbool.h>

/// Whether the command line (NULL-terminated, the program's name first) asks about names.
bool gcl_query_is_asked(char *const *arguments);

/// Answers it on standard output. Returns the exit status: 0 if all names are known, 1 if not, 2 if
/// the command line isn't understood.
int gcl_query_answer(char *const *arguments);

#endif
