// Temporary folders, and what becomes of those whose process is gone.
#include "unit_test.h"

#include <glib.h>
#include <glib/gstdio.h>
#include <stdbool.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "lsp/base/scratch.h"

static bool is_there(const char *path) {
    return g_file_test(path, G_FILE_TEST_EXISTS);
}

static void put_file(const char *folder, const char *name) {
    g_autofree char *path = g_build_filename(folder, name, NULL);
    assert_true(g_file_set_contents(path, "x", -1, NULL));
}

// A folder with something in it that a process has left behind.
static char *leave_folder(void) {
    int lock;
    g_autofree char *note = g_build_filename(g_get_tmp_dir(), "note", NULL);
    char *folder;
    pid_t child = fork();
    if (child == 0) {
        folder = gcl_scratch_create(&lock);
        g_autofree char *inner = g_build_filename(folder, "hints", NULL);
        g_mkdir(inner, 0700);
        put_file(inner, "ir");
        _exit(!g_file_set_contents(note, folder, -1, NULL));
    }
    assert_int_equal(waitpid(child, NULL, 0), child);
    assert_true(g_file_get_contents(note, &folder, NULL, NULL));
    g_remove(note);
    return folder;
}

static void takes_away_what_was_left(void **state) {
    (void)state;
    int lock;
    g_autofree char *left = leave_folder();
    assert_true(is_there(left));
    g_autofree char *folder = gcl_scratch_create(&lock);
    assert_false(is_there(left));
    gcl_scratch_remove(folder);
    assert_false(is_there(folder));
    close(lock);
}

static void leaves_what_is_used(void **state) {
    (void)state;
    int locks[2];
    g_autofree char *link = g_build_filename(g_get_tmp_dir(), "gcluster-lsp-link", NULL);
    g_autofree char *other = g_build_filename(g_get_tmp_dir(), "other", NULL);
    assert_int_equal(g_mkdir(other, 0700), 0);
    put_file(other, "kept");
    assert_int_equal(symlink(other, link), 0);
    g_autofree char *first = gcl_scratch_create(&locks[0]);
    g_autofree char *second = gcl_scratch_create(&locks[1]);
    g_autofree char *within = g_build_filename(first, "link", NULL);
    g_autofree char *kept = g_build_filename(other, "kept", NULL);
    assert_true(is_there(first));
    assert_int_equal(symlink(other, within), 0);
    gcl_scratch_remove(first);
    gcl_scratch_remove(second);
    assert_true(is_there(kept) && is_there(link));
    close(locks[0]);
    close(locks[1]);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(takes_away_what_was_left),
        cmocka_unit_test(leaves_what_is_used),
    };
    char folder[] = "/tmp/test-scratch-XXXXXX"; // g_get_tmp_dir looks at TMPDIR but once
    if (!g_mkdtemp(folder))
        return 1;
    g_setenv("TMPDIR", folder, TRUE);
    int failures = cmocka_run_group_tests(tests, NULL, NULL);
    gcl_scratch_remove(folder);
    return failures;
}
