// The nodes have stopped by themselves, before main() (runtime/exec/block/debugger.c): they wait
// until somebody traces them. gcluster-gdb lies beside this program.
#include "debugger.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <glib.h>

#include "member.h"

static char *path_beside(const char *name) {
    g_autofree char *self = g_file_read_link("/proc/self/exe", NULL);
    g_autofree char *folder = self ? g_path_get_dirname(self) : g_strdup(".");
    return g_build_filename(folder, name, NULL);
}

pid_t gcl_debugger_start(const struct gcl_launched_job *job, const sigset_t *mask) {
    g_autofree char *gdb = path_beside("gcluster-gdb");
    GString *attach = g_string_new("cuda nodes");
    for (gcl_node n = 0; n < job->count; n++)
        g_string_append_printf(attach, " %d", (int)job->nodes[n].pid);
    char *words[] = {gdb, (char *)"-q", (char *)"-ex", attach->str, NULL};
    pid_t pid = fork();
    if (pid == 0) {
        prctl(PR_SET_PDEATHSIG, SIGTERM);
        signal(SIGPIPE, SIG_DFL);
        sigprocmask(SIG_SETMASK, mask, NULL);
        execv(gdb, words);
        fprintf(stderr, "gcluster-run: can't start %s: %s\n", gdb, strerror(errno));
        _exit(GCL_MEMBER_NOT_FOUND);
    }
    if (pid < 0)
        fprintf(stderr, "gcluster-run: can't start a debugger: %s\n", strerror(errno));
    g_string_free(attach, TRUE);
    return pid < 0 ? 0 : pid;
}
