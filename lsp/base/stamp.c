// Size and time of change stand for the contents, as in make: reading all files of a folder to
// compare them would take as long as what the stamps save.
#include "lsp/base/stamp.h"

#include <sys/stat.h>

#include <glib.h>

char *gcl_stamp_of(const char *path) {
    struct stat status;
    if (stat(path, &status) != 0)
        return NULL;
    return g_strdup_printf("%lld %lld.%09ld", (long long)status.st_size,
                           (long long)status.st_mtim.tv_sec, status.st_mtim.tv_nsec);
}

bool gcl_stamp_holds(const json_t *files) {
    const char *path;
    json_t *stamp;
    json_object_foreach((json_t *)files, path, stamp) {
        g_autofree char *now = gcl_stamp_of(path);
        if (g_strcmp0(now, json_string_value(stamp)) != 0)
            return false;
    }
    return json_object_size(files) > 0;
}
