// What a recorded build has noted, of any bytes: entries with a folder, a source and its command.
#include <stdint.h>
#include <stdlib.h>

#include "translate/intercept.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    g_autofree char *log = g_strndup(size > 0 ? (const char *)data : "", size);
    json_t *database = gcl_intercept_database(log), *entry;
    size_t i;
    json_array_foreach(database, i, entry) {
        if (!json_is_string(json_object_get(entry, "directory")) ||
            !json_is_string(json_object_get(entry, "file")) ||
            json_array_size(json_object_get(entry, "arguments")) < 2)
            abort();
    }
    json_decref(database);
    return 0;
}
