// Paths are canonical, so that a file has one URI however an editor spells it (RFC 8089).
#include "lsp/base/uri.h"

#include <glib.h>

char *gcl_uri_path(const char *uri) {
    g_autofree char *path = uri ? g_filename_from_uri(uri, NULL, NULL) : NULL;
    return path ? g_canonicalize_filename(path, NULL) : NULL;
}

char *gcl_uri_of(const char *path) {
    g_autofree char *absolute = g_canonicalize_filename(path, NULL);
    char *uri = g_filename_to_uri(absolute, NULL, NULL);
    return uri ? uri : g_strdup("");
}
