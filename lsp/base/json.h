// JSON's objects and strings, beside what jansson has.
#ifndef GCL_LSP_JSON_H
#define GCL_LSP_JSON_H

#include <jansson.h>

/// A string of any bytes: what isn't UTF-8 is replaced. NULL gives null.
json_t *gcl_json_text(const char *text);

/// The text of an object's member; NULL: it has none.
const char *gcl_json_member(const json_t *object, const char *name);
/// The text of an object's member, as it is shown; "" if it has none.
const char *gcl_json_words(const json_t *object, const char *name);

#endif
