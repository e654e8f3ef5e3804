#include "scratch.h"

#include <glib.h>
#include <glib/gstdio.h>

char *gcl_scratch_create(void) {
    return g_dir_make_tmp("gcluster-lsp-XXXXXX", NULL);
}

void gcl_scratch_remove(const char *folder) {
    GDir *directory = g_dir_open(folder, 0, NULL);
    const char *name;
    while (directory && (name = g_dir_read_name(directory))) {
        g_autofree char *path = g_build_filename(folder, name, NULL);
        if (g_file_test(path, G_FILE_TEST_IS_DIR))
            gcl_scratch_remove(path);
        else
            g_remove(path);
    }
    if (directory)
        g_dir_close(directory);
    g_rmdir(folder);
}
