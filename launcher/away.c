// The starter ignores what comes from the terminal: the program gets Ctrl-C through its part, and
// the connection is needed for that.
#include "away.h"

#include <assert.h>
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include "start.h"

_Noreturn static void become(char **words, pid_t parent, int socket, const sigset_t *mask) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent)
        _exit(1);
    dup2(socket, STDIN_FILENO);
    dup2(socket, STDOUT_FILENO);
    signal(SIGPIPE, SIG_DFL);
    signal(SIGINT, SIG_IGN);
    signal(SIGQUIT, SIG_IGN);
    sigprocmask(SIG_SETMASK, mask, NULL);
    execvp(words[0], words);
    fprintf(stderr, "gcluster-run: can't start %s: %s\n", words[0], strerror(errno));
    _exit(127);
}

// What the job's own settings are; the rest of the environment is the other host's.
static char **own_variables(void) {
    GPtrArray *variables = g_ptr_array_new();
    for (char **entry = environ; *entry; entry++) {
        if (g_str_has_prefix(*entry, "GCL_") || g_str_has_prefix(*entry, "UCX_"))
            g_ptr_array_add(variables, *entry);
    }
    g_ptr_array_add(variables, NULL);
    return (char **)g_ptr_array_free(variables, FALSE);
}

static void send_start(struct gcl_host *host, char **words,
                       const struct gcl_rendezvous_welcome *welcomes) {
    g_autofree char *folder = g_get_current_dir();
    g_autofree char **variables = own_variables();
    const struct gcl_start start = {.folder = folder, .words = words, .variables = variables};
    g_autoptr(GByteArray) body = gcl_start_write(&start);

    gcl_link_send(host->link, GCL_RENDEZVOUS_START, host->begin, body->data, body->len);
    for (gcl_node n = host->begin; n < host->end; n++) {
        uint8_t bytes[GCL_RENDEZVOUS_WELCOME_SIZE];
        gcl_link_send(host->link, GCL_RENDEZVOUS_WELCOME, n, bytes,
                      gcl_rendezvous_write_welcome(&welcomes[n], bytes));
    }
}

bool gcl_away_start(struct gcl_host *host, const struct gcl_hosts *hosts, guint index, char **words,
                    const struct gcl_rendezvous_welcome *welcomes, const sigset_t *mask) {
    g_autoptr(GPtrArray) command = gcl_hosts_command(hosts, index);
    pid_t parent = getpid();
    int ends[2];

    assert(host->begin < host->end);
    host->name = hosts->names[index];
    host->starter = hosts->starter[0];
    host->is_silent = true;
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) == 0) {
        host->pid = fork();
        if (host->pid == 0)
            become((char **)command->pdata, parent, ends[1], mask);
        close(ends[1]);
    }
    if (host->pid <= 0) {
        fprintf(stderr, "gcluster-run: can't reach host %s: %s\n", host->name, strerror(errno));
        return false;
    }
    host->link = gcl_link_create(ends[0], ends[0]);
    send_start(host, words, welcomes);
    return true;
}
