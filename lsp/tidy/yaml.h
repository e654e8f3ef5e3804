// YAML, which LLVM's tools write, as JSON.
#ifndef GCL_LSP_YAML_H
#define GCL_LSP_YAML_H

#include <jansson.h>

/// The first document as objects, arrays and strings, a new reference; NULL if there is none.
json_t *gcl_yaml_parse(const char *text);

#endif
