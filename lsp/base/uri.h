// file: URIs, as editors name documents.
#ifndef GCL_LSP_URI_H
#define GCL_LSP_URI_H

#include <stdbool.h>

/// The absolute path that a URI stands for, to be freed; NULL if it is no file's, or NULL.
char *gcl_uri_path(const char *uri);
/// The URI of a path, to be freed; "" if it has none.
char *gcl_uri_of(const char *path);
/// Whether a path leads to something in a folder, at any depth; both are canonical.
bool gcl_uri_is_below(const char *path, const char *folder);

#endif
