// Node 0 is in the foreground with the launcher: it has the terminal, and gets Ctrl-C from there.
// The others are each in a process group of their own, so that they end by node 0's word only.
#include "member.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include <glib.h>

_Noreturn static void become(const struct gcl_member_options *options, pid_t parent, int socket) {
    char text[16];
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent)
        _exit(GCL_MEMBER_NOT_EXECUTABLE); // it is dead already
    if (options->welcome->node > 0)
        setpgid(0, 0);
    if (options->input >= 0)
        dup2(options->input, STDIN_FILENO);
    if (options->output >= 0)
        dup2(options->output, STDOUT_FILENO);
    snprintf(text, sizeof text, "%d", dup(socket)); // which stays open, unlike `socket` itself
    g_setenv(GCL_RENDEZVOUS_DESCRIPTOR, text, TRUE);
    snprintf(text, sizeof text, "%u", options->welcome->node);
    g_setenv(GCL_RENDEZVOUS_NODE, text, TRUE);
    if (options->is_debugged)
        g_setenv("GCL_DEBUG_ATTACH", "launcher", TRUE);
    signal(SIGPIPE, SIG_DFL);
    sigprocmask(SIG_SETMASK, options->mask, NULL);
    execvp(options->words[0], options->words);
    _exit(errno == ENOENT ? GCL_MEMBER_NOT_FOUND : GCL_MEMBER_NOT_EXECUTABLE);
}

pid_t gcl_member_start(const struct gcl_member_options *options, struct gcl_link **link) {
    uint8_t body[GCL_RENDEZVOUS_WELCOME_SIZE];
    int ends[2];
    pid_t parent = getpid(), pid = -1;

    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) == 0) {
        pid = fork();
        if (pid == 0)
            become(options, parent, ends[1]);
        int error = errno;
        close(ends[1]);
        if (pid < 0)
            close(ends[0]);
        errno = error;
    }
    if (pid < 0) {
        fprintf(stderr, "gcluster-run: can't start node %u: %s%s\n", options->welcome->node,
                strerror(errno),
                errno == EMFILE ? "; ulimit -n says how many files the launcher may open" : "");
        return 0;
    }
    *link = gcl_link_create(ends[0], ends[0]);
    gcl_link_send(*link, GCL_RENDEZVOUS_WELCOME, options->welcome->node, body,
                  gcl_rendezvous_write_welcome(options->welcome, body));
    return pid;
}
