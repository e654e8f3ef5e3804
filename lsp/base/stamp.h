// Whether files are as they were.
#ifndef GCL_LSP_STAMP_H
#define GCL_LSP_STAMP_H

#include <stdbool.h>

#include <jansson.h>

/// Size and time of a file as a text, to be freed; NULL if there is none.
char *gcl_stamp_of(const char *path);
/// Whether all files of {path: stamp} are as they were.
bool gcl_stamp_holds(const json_t *files);

#endif
