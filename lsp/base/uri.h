// file: URIs, as editors name documents.
#ifndef GCL_LSP_URI_H
#define GCL_LSP_URI_H

/// The absolute path that a URI stands for, to be freed; NULL if it is no file's, or NULL.
char *gcl_uri_path(const char *uri);
/// The URI of a path, to be freed; "" if it has none.
char *gcl_uri_of(const char *path);

#endif
