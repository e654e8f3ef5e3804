// Paths are canonical, so that a file has one URI however an editor spells it (RFC 8089).
#include "lsp/base/uri.h"

#include <assert.h>
#include <glib.h>
#include <string.h>

char *gcl_uri_path(const char *uri) {
    g_autofree char *path = uri ? g_filename_from_uri(uri, NULL, NULL) : NULL;
    return path ? g_canonicalize_filename(path, NULL) : NULL;
}

char *gcl_uri_of(const char *path) {
    g_autofree char *absolute = g_canonicalize_filename(path, NULL);
    char *uri = g_filename_to_uri(absolute, NULL, NULL);
    return uri ? uri : g_strdup("");
}

bool gcl_uri_is_below(const char *path, const char *folder) {
    size_t length = strlen(folder);
    assert(length > 0);
    return g_str_has_prefix(path, folder) && (path[length] == '/' || folder[length - 1] == '/');
}
