// Who owns a folder holds a lock on it (flock), which ends with the process, however that ends.
#include "lsp/base/scratch.h"

#include <assert.h>
#include <fcntl.h>
#include <glib.h>
#include <glib/gstdio.h>
#include <sys/file.h>
#include <unistd.h>

#define PREFIX "gcluster-lsp-"

// A file descriptor with the lock of a folder of this user; -1 if the folder is a link or has gone
// meanwhile, or can't be locked.
static int lock_folder(const char *path, int operation) {
    GStatBuf opened, named;
    int lock = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (lock < 0)
        return -1;
    if (flock(lock, operation) == 0 && fstat(lock, &opened) == 0 && g_lstat(path, &named) == 0 &&
        opened.st_ino == named.st_ino && opened.st_uid == geteuid())
        return lock;
    close(lock);
    return -1;
}

static void remove_abandoned(void) {
    GDir *directory = g_dir_open(g_get_tmp_dir(), 0, NULL);
    const char *name;
    while (directory && (name = g_dir_read_name(directory))) {
        g_autofree char *path = g_build_filename(g_get_tmp_dir(), name, NULL);
        int lock = g_str_has_prefix(name, PREFIX) ? lock_folder(path, LOCK_EX | LOCK_NB) : -1;
        if (lock < 0)
            continue;
        gcl_scratch_remove(path);
        close(lock);
    }
    if (directory)
        g_dir_close(directory);
}

// Between the two steps another process may take the new folder for an abandoned one. Some file
// systems lock no folders: nobody removes those.
char *gcl_scratch_create(int *lock) {
    char *folder = NULL;
    remove_abandoned();
    do {
        g_free(folder);
        folder = g_dir_make_tmp(PREFIX "XXXXXX", NULL);
        *lock = folder ? lock_folder(folder, LOCK_EX) : -1;
    } while (folder && *lock < 0 && !g_file_test(folder, G_FILE_TEST_IS_DIR));
    assert(folder || *lock < 0);
    return folder;
}

void gcl_scratch_remove(const char *folder) {
    GDir *directory = g_dir_open(folder, 0, NULL);
    const char *name;
    while (directory && (name = g_dir_read_name(directory))) {
        g_autofree char *path = g_build_filename(folder, name, NULL);
        if (g_file_test(path, G_FILE_TEST_IS_DIR) && !g_file_test(path, G_FILE_TEST_IS_SYMLINK))
            gcl_scratch_remove(path);
        else
            g_remove(path);
    }
    if (directory)
        g_dir_close(directory);
    g_rmdir(folder);
}
