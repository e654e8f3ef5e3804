// How a job ends. The first node's end decides: node 0's is the rule, another one's is a loss. What
// doesn't end by itself is asked to, then killed; a host that can't be reached any more isn't
// waited for.
#include <assert.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>

#include "base/clock.h"
#include "base/memory.h"
#include "job_state.h"
#include "member.h"

// After node 0's end the others have that long; after a node's end node 0 has, until it is asked
// and until it is made to. Hosts have a moment more to say that their nodes are dead.
#define END_NS (2000 * GCL_MILLISECOND)
#define ASK_NS (1500 * GCL_MILLISECOND)
#define FORCE_NS (2500 * GCL_MILLISECOND)
#define FORGET_NS (3500 * GCL_MILLISECOND)
// Two requests for the end within that time kill the program.
#define INSIST_NS (2000 * GCL_MILLISECOND)

static int exit_status(int status) {
    return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

static void send_signal(struct gcl_launched_job *job, gcl_node node, int signal) {
    assert(node < job->count);
    struct gcl_launched_node *to = &job->nodes[node];
    uint8_t body[4];
    if (to->has_ended)
        return;
    gcl_rendezvous_put32(body, (uint32_t)signal);
    if (to->host)
        gcl_link_send(to->host->link, GCL_RENDEZVOUS_SIGNAL, node, body, sizeof body);
    else if (to->pid > 0)
        kill(to->pid, signal);
}

void gcl_job_kill_all(struct gcl_launched_job *job, int signal) {
    job->is_signalled = true;
    for (gcl_node n = 0; n < job->count; n++)
        send_signal(job, n, signal);
}

static void describe_signal(struct gcl_launched_job *job, gcl_node node) {
    int signal = WTERMSIG(job->nodes[node].status);
    if (job->is_signalled || job->is_described)
        return;
    job->is_described = true;
    fprintf(stderr, "gcluster-run: node %u was killed by signal %d (%s)%s\n", node, signal,
            strsignal(signal),
            signal == SIGKILL && !job->nodes[node].host &&
                    gcl_memory_kills(GCL_JOB_STATISTICS) > job->memory_kills
                ? ", probably by the system, which had no memory left for it: free(1) and the "
                  "limits of control groups say how much there is, GCL_MEMORY how much to use"
                : "");
}

static void describe_exit(const struct gcl_launched_job *job, gcl_node node) {
    int status = WEXITSTATUS(job->nodes[node].status);
    const struct gcl_host *host = job->nodes[node].host;
    if (job->nodes[node].has_joined || job->is_described)
        return;
    if (status == GCL_MEMBER_NOT_FOUND || status == GCL_MEMBER_NOT_EXECUTABLE)
        fprintf(stderr, "gcluster-run: %s %s%s%s\n", job->program,
                status == GCL_MEMBER_NOT_FOUND ? "isn't found" : "can't be run",
                host ? " on host " : "", host ? host->name : "");
    else if (job->count > 1)
        fprintf(stderr,
                "gcluster-run: node %u ended before it joined the job: is %s a program made by "
                "gcluster-cc?\n",
                node, job->program);
}

void gcl_job_note_end(struct gcl_launched_job *job, gcl_node number, int status) {
    struct gcl_launched_node *node = &job->nodes[number];
    assert(!node->has_ended && job->running > 0);
    bool is_first = job->ended_ns == 0, is_early = number > 0 && !job->nodes[0].has_ended;

    node->has_ended = true;
    node->status = status;
    job->running--;
    if (is_early && status == 0 && node->has_left)
        return; // node 0 has sent it home, and ends in a moment
    if (WIFSIGNALED(status))
        describe_signal(job, number);
    else if (is_first || (is_early && !job->is_lost))
        describe_exit(job, number);
    if (is_first)
        job->ended_ns = gcl_clock_ns();
    if (!is_early || job->is_lost)
        return;
    job->is_lost = true;
    if (!node->has_joined) {
        job->start_status = exit_status(status);
        gcl_job_kill_all(job, SIGTERM); // the others would wait for it
    }
}

void gcl_job_lose_host(struct gcl_launched_job *job, struct gcl_host *host, const char *why) {
    bool has_nodes = false;
    for (gcl_node n = host->begin; n < host->end; n++)
        has_nodes |= !job->nodes[n].has_ended;
    if (has_nodes && !job->is_signalled && !job->is_described)
        fprintf(stderr, "gcluster-run: %s host %s: %s\n",
                host->is_silent ? "can't start nodes on" : "lost", host->name, why);
    job->is_described |= has_nodes;
    for (gcl_node n = host->begin; n < host->end; n++) {
        if (!job->nodes[n].has_ended)
            gcl_job_note_end(job, n, W_EXITCODE(1, 0));
    }
}

// Hosts that haven't said that their nodes are dead.
static void forget_hosts(struct gcl_launched_job *job) {
    for (unsigned i = 0; i < job->host_count; i++) {
        struct gcl_host *host = &job->hosts[i];
        if (host->has_ended)
            continue;
        kill(host->pid, SIGKILL);
        gcl_job_lose_host(job, host, "it doesn't answer");
    }
}

void gcl_job_enforce_end(struct gcl_launched_job *job) {
    if (job->ended_ns == 0)
        return;
    uint64_t passed_ns = gcl_clock_ns() - job->ended_ns;
    bool is_over = job->nodes[0].has_ended;
    if (!is_over && job->debugger > 0)
        return; // somebody looks at what is left
    if (!is_over && passed_ns > ASK_NS && !job->is_asked) {
        job->is_asked = true;
        gcl_job_kill_all(job, SIGTERM);
    }
    if (passed_ns > (is_over ? END_NS : FORCE_NS))
        gcl_job_kill_all(job, SIGKILL);
    if (passed_ns > FORGET_NS)
        forget_hosts(job);
}

// From the terminal a node 0 of this machine has got the signal itself.
void gcl_job_forward(struct gcl_launched_job *job, const struct signalfd_siginfo *info) {
    bool is_end = info->ssi_signo == SIGINT || info->ssi_signo == SIGTERM;
    uint64_t now = gcl_clock_ns();
    if (info->ssi_signo == SIGINT && info->ssi_code == SI_KERNEL && job->debugger > 0)
        return; // it is the debugger's, which has got it from the terminal itself
    job->is_signalled = true;
    if (info->ssi_code != SI_KERNEL || job->nodes[0].host)
        send_signal(job, 0, (int)info->ssi_signo);
    if (!is_end)
        return;
    if (job->interrupted_ns != 0 && now - job->interrupted_ns < INSIST_NS) {
        if (job->ended_ns == 0)
            job->ended_ns = now;
        gcl_job_kill_all(job, SIGKILL);
    }
    job->interrupted_ns = now;
}

int gcl_job_status(const struct gcl_launched_job *job) {
    assert(job->running == 0);
    int status = exit_status(job->nodes[0].status);
    bool has_joined = job->count == 1 || job->nodes[0].has_joined;
    if (job->is_debugged)
        return exit_status(job->debugger_status);
    if (job->start_status != 0)
        return job->start_status;
    return status == 0 && (job->is_lost || !has_joined) ? 1 : status;
}
