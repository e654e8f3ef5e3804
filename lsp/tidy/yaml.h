// The part of YAML that LLVM's tools write: blocks of mappings and sequences, a line an entry, with
// plain, 'single' and "double" quoted scalars.
#ifndef GCL_LSP_YAML_H
#define GCL_LSP_YAML_H

#include <jansson.h>

/// The document as objects, arrays and strings, a new reference; lines that aren't understood are
/// left out. NULL if there is nothing.
json_t *gcl_yaml_parse(const char *text);

#endif
