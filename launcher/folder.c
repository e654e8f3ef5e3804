// A process that is killed can't tidy up. So another one, in a session of its own and with all
// signals blocked, waits for the end of a pipe that only this process holds, and removes the folder
// then; it is also the one that does so when all is well.
#include "folder.h"

#include <fcntl.h>
#include <ftw.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

// Unix sockets' paths are short: a long TMPDIR wouldn't do.
enum { MAX_PARENT = 30, MAX_OPEN = 16 };

static int remove_entry(const char *path, const struct stat *status, int type, struct FTW *ftw) {
    (void)status, (void)type, (void)ftw;
    return remove(path);
}

static int remove_tree(const char *path) {
    return nftw(path, remove_entry, MAX_OPEN, FTW_DEPTH | FTW_PHYS);
}

// Keeps nothing open that somebody may wait for the end of, such as standard output.
_Noreturn static void keep(const char *path, int lead) {
    sigset_t all;
    char byte;

    sigfillset(&all);
    sigprocmask(SIG_BLOCK, &all, NULL);
    setsid();
    prctl(PR_SET_NAME, "gcluster-keeper");
    dup2(lead, 0);
    close_range(1, ~0u, 0);
    while (read(0, &byte, 1) > 0)
        continue;
    _exit(remove_tree(path) == 0 ? EXIT_SUCCESS : EXIT_FAILURE);
}

bool gcl_folder_make(struct gcl_folder *folder) {
    const char *parent = getenv("TMPDIR");
    int ends[2];

    snprintf(folder->path, sizeof folder->path, "%.30s/gcluster-run.XXXXXX",
             parent && strlen(parent) <= MAX_PARENT ? parent : "/tmp");
    if (!mkdtemp(folder->path))
        goto forget;
    if (pipe2(ends, O_CLOEXEC) != 0)
        goto remove;
    folder->keeper = fork();
    if (folder->keeper == 0)
        keep(folder->path, ends[0]);
    close(ends[0]);
    folder->lead = ends[1];
    if (folder->keeper > 0)
        return true;
    close(ends[1]);
remove:
    remove_tree(folder->path);
forget:
    folder->path[0] = 0;
    return false;
}

void gcl_folder_remove(struct gcl_folder *folder) {
    int status;
    if (!folder->path[0])
        return;
    close(folder->lead);
    if (waitpid(folder->keeper, &status, 0) != folder->keeper || status != 0)
        remove_tree(folder->path); // somebody has ended the keeper
    folder->path[0] = 0;
}
