// The parser that is generated from grammar/pragma/grammar.js.
#ifndef GCL_BASE_PRAGMA_LANGUAGE_H
#define GCL_BASE_PRAGMA_LANGUAGE_H

#include <tree_sitter/api.h>

const TSLanguage *tree_sitter_gcluster_pragma(void);

#endif
