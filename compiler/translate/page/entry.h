// What stands in an object of the report (translate/report.h).
#ifndef GCL_TRANSLATE_PAGE_ENTRY_H
#define GCL_TRANSLATE_PAGE_ENTRY_H

#include <jansson.h>

/// The text under a key, "" if there is none; owned by the object.
const char *gcl_entry_text(const json_t *object, const char *key);

/// The number under a key, 0 if there is none.
long long gcl_entry_number(const json_t *object, const char *key);

#endif
