// A character beyond the first 65,536 is two units of UTF-16 and four bytes of UTF-8 (LSP 3.17,
// PositionEncodingKind).
#include "lsp/base/encoding.h"

#include <assert.h>
#include <glib.h>

static const char *const names[] = {
    [GCL_ENCODING_UTF16] = "utf-16",
    [GCL_ENCODING_UTF8] = "utf-8",
    [GCL_ENCODING_UTF32] = "utf-32",
};

const char *gcl_encoding_name(enum gcl_encoding encoding) {
    assert((size_t)encoding < G_N_ELEMENTS(names));
    return names[encoding];
}

bool gcl_encoding_parse(const char *name, enum gcl_encoding *encoding) {
    for (size_t i = 0; i < G_N_ELEMENTS(names); i++) {
        if (g_strcmp0(name, names[i]) != 0)
            continue;
        *encoding = (enum gcl_encoding)i;
        return true;
    }
    return false;
}
