// Signals are blocked and read from a descriptor, so that everything here is ordinary code, and one
// poll waits for all that can happen: nothing else waits. The system kills the nodes of this
// machine if the launcher itself is killed, and those of others end with their connection.
#include "job.h"

#include <assert.h>
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/memory.h"
#include "debugger.h"
#include "job_state.h"
#include "member.h"

enum { TICK_MS = 100, DESCRIPTORS = 64, MOST_OUTPUT = 1 << 20 };

static const int forwarded[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGUSR1, SIGUSR2};

// What the loop has beside the job.
struct loop {
    struct gcl_launched_job *job;
    int signals;
    sigset_t mask;      // before
    GByteArray *output; // of nodes on other hosts
    bool is_typing;     // node 0's part has taken the last input
    bool is_typed;      // input is over
    GArray *pollers;
};

static sigset_t watched_signals(void) {
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGCHLD);
    for (size_t i = 0; i < G_N_ELEMENTS(forwarded); i++)
        sigaddset(&set, forwarded[i]);
    return set;
}

// Start.

// Each node of this machine takes a descriptor.
static void raise_limit(unsigned count) {
    struct rlimit limit;
    if (getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur >= count + DESCRIPTORS)
        return;
    limit.rlim_cur = MIN(limit.rlim_max, (rlim_t)count + DESCRIPTORS);
    setrlimit(RLIMIT_NOFILE, &limit);
}

// Nodes with neighbouring numbers need more of each other than others do: a host has a range.
static void deal_nodes(struct gcl_launched_job *job) {
    for (unsigned i = 0; i < job->host_count; i++) {
        struct gcl_host *host = &job->hosts[i];
        host->begin = (gcl_node)((uint64_t)job->count * i / job->host_count);
        host->end = (gcl_node)((uint64_t)job->count * (i + 1) / job->host_count);
        assert(host->begin < host->end); // there aren't more hosts than nodes
        for (gcl_node n = host->begin; n < host->end; n++)
            job->nodes[n].host = host;
    }
}

static bool write_welcomes(const struct gcl_launched_job *job, const struct gcl_hosts *hosts,
                           struct gcl_rendezvous_welcome *welcomes) {
    if (getrandom(welcomes[0].secret, sizeof welcomes[0].secret, 0) !=
        (ssize_t)sizeof welcomes[0].secret) {
        fprintf(stderr, "gcluster-run: the system has no random numbers: %s\n", strerror(errno));
        return false;
    }
    for (gcl_node n = 0; n < job->count; n++) {
        const struct gcl_host *host = job->nodes[n].host;
        struct gcl_rendezvous_welcome *welcome = &welcomes[n];
        memcpy(welcome->secret, welcomes[0].secret, sizeof welcome->secret);
        welcome->node = n;
        welcome->count = job->count;
        welcome->local_rank = host ? n - host->begin : n;
        welcome->local_count = host ? host->end - host->begin : job->count;
        if (host) {
            const char *name = hosts->names[host - job->hosts], *at = strrchr(name, '@');
            snprintf(welcome->host, sizeof welcome->host, "%s", at ? at + 1 : name);
        } else if (gethostname(welcome->host, sizeof welcome->host - 1) != 0) {
            snprintf(welcome->host, sizeof welcome->host, "localhost");
        }
    }
    return true;
}

static bool start_here(struct loop *loop, char **words,
                       const struct gcl_rendezvous_welcome *welcomes) {
    struct gcl_launched_job *job = loop->job;
    for (gcl_node n = 0; n < job->count; n++) {
        struct gcl_launched_node *node = &job->nodes[n];
        node->pid = gcl_member_start(&(struct gcl_member_options){.welcome = &welcomes[n],
                                                                  .words = words,
                                                                  .input = -1,
                                                                  .output = -1,
                                                                  .mask = &loop->mask,
                                                                  .is_debugged = job->is_debugged},
                                     &node->link);
        if (node->pid == 0)
            return false;
        job->running++;
    }
    if (job->is_debugged)
        job->debugger = gcl_debugger_start(job, &loop->mask);
    return !job->is_debugged || job->debugger > 0;
}

static bool start_all(struct loop *loop, const struct gcl_hosts *hosts, char **words) {
    struct gcl_launched_job *job = loop->job;
    g_autofree struct gcl_rendezvous_welcome *welcomes =
        g_new0(struct gcl_rendezvous_welcome, job->count);
    if (!write_welcomes(job, hosts, welcomes))
        return false;
    if (!hosts)
        return start_here(loop, words, welcomes);
    job->running = job->count;
    for (unsigned i = 0; i < job->host_count; i++) {
        if (!gcl_away_start(&job->hosts[i], hosts, i, words, welcomes, &loop->mask))
            return false;
    }
    return true;
}

// What nodes say.

static void hand_out(struct gcl_launched_job *job) {
    g_autoptr(GByteArray) all = gcl_meeting_take(job->meeting);
    if (!all)
        return;
    for (gcl_node n = 0; n < job->count; n++) {
        if (job->nodes[n].link)
            gcl_link_send(job->nodes[n].link, GCL_RENDEZVOUS_SHARED, n, all->data, all->len);
    }
    for (unsigned i = 0; i < job->host_count; i++)
        gcl_link_send(job->hosts[i].link, GCL_RENDEZVOUS_SHARED, job->hosts[i].begin, all->data,
                      all->len);
}

// NULL, or why the other side can't be understood. Its nodes are those of [begin, end).
static const char *take_frame(struct loop *loop, const struct gcl_frame *frame, gcl_node begin,
                              gcl_node end, bool is_away) {
    struct gcl_launched_job *job = loop->job;
    if (frame->head.node < begin || frame->head.node >= end)
        return "it speaks for another's node";
    struct gcl_launched_node *node = &job->nodes[frame->head.node];
    if (node->host)
        node->host->is_silent = false;
    switch ((unsigned)frame->head.kind) {
    case GCL_RENDEZVOUS_HERE:
        node->has_joined = true;
        return NULL;
    case GCL_RENDEZVOUS_LEAVE:
        node->has_left = true;
        return NULL;
    case GCL_RENDEZVOUS_SHARE:
        if (!gcl_meeting_add(job->meeting, frame->head.node, frame->body, frame->head.size))
            return "it shares twice in one round";
        hand_out(job);
        return NULL;
    }
    if (!is_away)
        return "it sends what nodes don't send";
    switch ((unsigned)frame->head.kind) {
    case GCL_RENDEZVOUS_ENDED:
        if (!node->has_ended)
            gcl_job_note_end(job, frame->head.node, (int)gcl_rendezvous_get32(frame->body));
        return NULL;
    case GCL_RENDEZVOUS_OUTPUT:
        g_byte_array_append(loop->output, frame->body, (guint)frame->head.size);
        return NULL;
    case GCL_RENDEZVOUS_TAKEN:
        loop->is_typing = true;
        return NULL;
    }
    return "it sends what hosts don't send";
}

static void take_frames(struct loop *loop, struct gcl_link *link, gcl_node begin, gcl_node end,
                        bool is_away, const char **wrong) {
    struct gcl_frame frame;
    while (!*wrong && gcl_link_next(link, &frame, wrong))
        *wrong = take_frame(loop, &frame, begin, end, is_away);
}

static void listen_here(struct loop *loop, gcl_node n) {
    struct gcl_launched_node *node = &loop->job->nodes[n];
    const char *wrong = NULL;
    gcl_link_progress(node->link);
    take_frames(loop, node->link, n, n + 1, false, &wrong);
    if (!wrong)
        return;
    fprintf(stderr, "gcluster-run: node %u can't be understood: %s\n", n, wrong);
    loop->job->is_described = true;
    kill(node->pid, SIGKILL);
}

static void hear(struct loop *loop, struct gcl_host *host) {
    const char *wrong = NULL;
    gcl_link_progress(host->link);
    take_frames(loop, host->link, host->begin, host->end, true, &wrong);
    if (!wrong)
        return;
    kill(host->pid, SIGKILL);
    gcl_job_lose_host(loop->job, host, wrong);
}

static void listen_away(struct loop *loop, struct gcl_host *host) {
    if (loop->output->len <= MOST_OUTPUT) // otherwise when that is printed
        hear(loop, host);
}

// The program's input and output, where node 0 is on another host.

static void pass_output(struct loop *loop) {
    struct pollfd poller = {.fd = STDOUT_FILENO, .events = POLLOUT};
    if (loop->output->len == 0 || poll(&poller, 1, 0) <= 0)
        return;
    // No more than a pipe takes without waiting, once it says that it takes something.
    ssize_t count = write(STDOUT_FILENO, loop->output->data, MIN(loop->output->len, 4096));
    if (count < 0 && errno != EINTR && errno != EAGAIN)
        count = (ssize_t)loop->output->len; // nobody reads it
    if (count > 0)
        g_byte_array_remove_range(loop->output, 0, (guint)count);
}

// In the background a terminal would stop this process for reading.
static bool may_read(const struct loop *loop) {
    const struct gcl_launched_job *job = loop->job;
    return job->nodes[0].host && loop->is_typing && !loop->is_typed && !job->nodes[0].has_ended &&
           (!isatty(STDIN_FILENO) || tcgetpgrp(STDIN_FILENO) == getpgrp());
}

static void pass_input(struct loop *loop) {
    uint8_t bytes[GCL_RENDEZVOUS_STREAM_SIZE];
    struct pollfd poller = {.fd = STDIN_FILENO, .events = POLLIN};
    if (!may_read(loop) || poll(&poller, 1, 0) <= 0)
        return;
    ssize_t count = read(STDIN_FILENO, bytes, sizeof bytes);
    if (count < 0 && (errno == EINTR || errno == EAGAIN))
        return;
    loop->is_typed = count <= 0;
    loop->is_typing = false;
    gcl_link_send(loop->job->nodes[0].host->link, GCL_RENDEZVOUS_INPUT, 0, bytes,
                  count > 0 ? (size_t)count : 0);
}

// The loop.

static void add_poller(struct loop *loop, int fd, short events) {
    struct pollfd poller = {.fd = fd, .events = events};
    g_array_append_val(loop->pollers, poller);
}

static void add_link(struct loop *loop, const struct gcl_link *link) {
    struct pollfd pollers[2];
    gcl_link_poll(link, pollers);
    g_array_append_vals(loop->pollers, pollers, 2);
}

static void wait_for_something(struct loop *loop) {
    struct gcl_launched_job *job = loop->job;
    g_array_set_size(loop->pollers, 0);
    add_poller(loop, loop->signals, POLLIN);
    add_poller(loop, may_read(loop) ? STDIN_FILENO : -1, POLLIN);
    add_poller(loop, loop->output->len > 0 ? STDOUT_FILENO : -1, POLLOUT);
    for (gcl_node n = 0; n < job->count; n++) {
        if (job->nodes[n].link && !job->nodes[n].has_ended)
            add_link(loop, job->nodes[n].link);
    }
    for (unsigned i = 0; i < job->host_count; i++) {
        if (!job->hosts[i].has_ended && loop->output->len <= MOST_OUTPUT)
            add_link(loop, job->hosts[i].link);
    }
    poll((struct pollfd *)(void *)loop->pollers->data, loop->pollers->len, TICK_MS);
}

// What a process has said before its end counts.
static void reap_here(struct loop *loop, gcl_node n) {
    struct gcl_launched_node *node = &loop->job->nodes[n];
    int status;
    if (node->has_ended || waitpid(node->pid, &status, WNOHANG) != node->pid)
        return;
    listen_here(loop, n);
    gcl_job_note_end(loop->job, n, status);
}

// Not to the end: something that the starter has left behind may hold the other side open.
static bool has_more(const struct gcl_link *link) {
    struct pollfd pollers[2];
    gcl_link_poll(link, pollers);
    return poll(pollers, 1, 0) > 0;
}

static void reap_away(struct loop *loop, struct gcl_host *host) {
    int status;
    if (host->has_ended || waitpid(host->pid, &status, WNOHANG) != host->pid)
        return;
    host->has_ended = true;
    while (has_more(host->link))
        hear(loop, host);
    g_autofree char *why = g_strdup_printf(
        "%s has ended with %s %d", host->starter, WIFSIGNALED(status) ? "signal" : "exit status",
        WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status));
    gcl_job_lose_host(loop->job, host, why);
}

// Somebody who leaves the debugger leaves the job.
static void reap_debugger(struct gcl_launched_job *job) {
    if (job->debugger == 0 ||
        waitpid(job->debugger, &job->debugger_status, WNOHANG) != job->debugger)
        return;
    job->debugger = 0;
    gcl_job_kill_all(job, SIGKILL);
}

// Node 0 comes last: what ended at the same time is why it did.
static void reap(struct loop *loop) {
    struct gcl_launched_job *job = loop->job;
    reap_debugger(job);
    for (unsigned i = job->host_count; i-- > 0;)
        reap_away(loop, &job->hosts[i]);
    for (gcl_node n = job->count; n-- > 0;) {
        if (!job->nodes[n].host)
            reap_here(loop, n);
    }
}

static void progress(struct loop *loop) {
    struct gcl_launched_job *job = loop->job;
    struct signalfd_siginfo info;
    wait_for_something(loop);
    for (gcl_node n = 0; n < job->count; n++) {
        if (job->nodes[n].link && !job->nodes[n].has_ended)
            listen_here(loop, n);
    }
    for (unsigned i = 0; i < job->host_count; i++) {
        if (!job->hosts[i].has_ended)
            listen_away(loop, &job->hosts[i]);
    }
    pass_output(loop);
    pass_input(loop);
    while (read(loop->signals, &info, sizeof info) == (ssize_t)sizeof info) {
        if (info.ssi_signo != SIGCHLD)
            gcl_job_forward(job, &info);
    }
    reap(loop);
    gcl_job_enforce_end(job);
}

static void end_all(struct gcl_launched_job *job) {
    gcl_job_kill_all(job, SIGKILL);
    for (gcl_node n = 0; n < job->count; n++) {
        if (job->nodes[n].pid > 0 && !job->nodes[n].has_ended)
            waitpid(job->nodes[n].pid, NULL, 0);
        gcl_link_destroy(job->nodes[n].link);
    }
    // The parts end with their connections, and a starter that doesn't is of no use any more.
    for (unsigned i = 0; i < job->host_count; i++) {
        struct gcl_host *host = &job->hosts[i];
        gcl_link_destroy(host->link);
        if (host->pid > 0 && !host->has_ended) {
            kill(host->pid, SIGKILL);
            waitpid(host->pid, NULL, 0);
        }
    }
}

int gcl_job_run(unsigned count, const struct gcl_hosts *hosts, bool is_debugged, char **words) {
    struct gcl_launched_job job = {.count = count,
                                   .nodes = g_new0(struct gcl_launched_node, count),
                                   .host_count =
                                       hosts ? MIN(count, g_strv_length(hosts->names)) : 0,
                                   .program = words[0],
                                   .is_debugged = is_debugged,
                                   .meeting = gcl_meeting_create(count),
                                   .memory_kills = gcl_memory_kills(GCL_JOB_STATISTICS)};
    struct loop loop = {.job = &job,
                        .output = g_byte_array_new(),
                        .is_typing = true,
                        .pollers = g_array_new(FALSE, FALSE, sizeof(struct pollfd))};
    sigset_t set = watched_signals();
    int status = 1;

    job.hosts = g_new0(struct gcl_host, job.host_count);
    deal_nodes(&job);
    raise_limit(count);
    signal(SIGPIPE, SIG_IGN);
    sigprocmask(SIG_BLOCK, &set, &loop.mask);
    loop.signals = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
    if (loop.signals < 0) {
        fprintf(stderr, "gcluster-run: can't wait for signals: %s\n", strerror(errno));
    } else if (start_all(&loop, hosts, words)) {
        // Nobody may read the output any more: then an interruption ends this.
        while (job.running > 0 || job.debugger > 0 ||
               (loop.output->len > 0 && job.interrupted_ns == 0))
            progress(&loop);
        status = gcl_job_status(&job);
    }
    end_all(&job);
    gcl_meeting_destroy(job.meeting);
    g_byte_array_unref(loop.output);
    g_array_unref(loop.pollers);
    g_free(job.nodes);
    g_free(job.hosts);
    return status;
}
