// What an editor counts in a line: bytes, UTF-16 units or characters.
#ifndef GCL_LSP_ENCODING_H
#define GCL_LSP_ENCODING_H

#include <stdbool.h>

enum gcl_encoding {
    GCL_ENCODING_UTF16,
    GCL_ENCODING_UTF8,
    GCL_ENCODING_UTF32,
};

/// LSP's name of an encoding: "utf-16" and so on.
const char *gcl_encoding_name(enum gcl_encoding encoding);
/// The encoding of that name, which may be NULL; false if there is none.
bool gcl_encoding_parse(const char *name, enum gcl_encoding *encoding);

#endif
