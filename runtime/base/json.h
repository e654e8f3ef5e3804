// What writing JSON needs.
#ifndef GCL_BASE_JSON_H
#define GCL_BASE_JSON_H

#include <stdio.h>

/// Writes a text in quotes; control characters are left out.
void gcl_json_write_string(FILE *out, const char *text);

#endif
