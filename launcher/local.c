// Node 0 is in the foreground with the launcher: it has the terminal, and gets Ctrl-C from there.
// The others are each in a process group of their own, so that they end by node 0's word only.
// Signals are blocked and fetched, so that everything here is ordinary code. The system kills the
// nodes if the launcher itself is killed.
#include "local.h"

#include <errno.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/memory.h"
#include "server.h"

#define MILLISECOND UINT64_C(1000000)
// After node 0's end the others have that long; after a node's end node 0 has, until it is asked
// and until it is made to.
#define END_NS (2000 * MILLISECOND)
#define ASK_NS (1500 * MILLISECOND)
#define FORCE_NS (2500 * MILLISECOND)

static const char STATISTICS[] = "/proc/vmstat";

enum { NOT_EXECUTABLE = 126, NOT_FOUND = 127, TICK_MS = 100 };

static const int forwarded[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGUSR1, SIGUSR2};
enum { FORWARDED_COUNT = sizeof forwarded / sizeof forwarded[0] };

struct member {
    pid_t pid;
    bool has_ended;
    int status; // as waitpid has it
};

struct run {
    struct gcl_server *server;
    unsigned count, running;
    struct member *members;
    uint64_t ended_ns; // when the first node ended; 0: none yet
    bool is_lost;      // a node other than 0 ended before node 0 did
    bool is_asked;
    bool is_signalled;               // by us, or by the user through us
    bool is_described;               // that a node was killed
    unsigned long long memory_kills; // of the machine, when the job began
    int start_status; // exit status of a node that ended before it joined; 0: none did
};

static uint64_t now_ns(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

static sigset_t watched_signals(void) {
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGCHLD);
    for (int i = 0; i < FORWARDED_COUNT; i++)
        sigaddset(&set, forwarded[i]);
    return set;
}

// Start.

_Noreturn static void become(unsigned rank, pid_t parent, char **words, char **environment,
                             const sigset_t *mask) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent)
        _exit(NOT_EXECUTABLE); // it is dead already
    if (rank > 0)
        setpgid(0, 0);
    sigprocmask(SIG_SETMASK, mask, NULL);
    execvpe(words[0], words, environment);
    _exit(errno == ENOENT ? NOT_FOUND : NOT_EXECUTABLE); // the launcher says so, once
}

static bool start_members(struct run *run, char **words, const sigset_t *mask) {
    pid_t parent = getpid();
    for (unsigned rank = 0; rank < run->count; rank++) {
        char **environment = gcl_server_environment(run->server, rank);
        if (!environment)
            return false;
        pid_t pid = fork();
        if (pid == 0)
            become(rank, parent, words, environment, mask);
        if (pid < 0) {
            fprintf(stderr, "gcluster-run: can't start node %u: %s\n", rank, strerror(errno));
            return false;
        }
        run->members[rank].pid = pid;
        run->running++;
    }
    return true;
}

// End.

static void kill_all(struct run *run, int signal) {
    run->is_signalled = true;
    for (unsigned rank = 0; rank < run->count; rank++) {
        struct member *member = &run->members[rank];
        if (member->pid > 0 && !member->has_ended)
            kill(member->pid, signal);
    }
}

static int exit_status(int status) {
    return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

static void describe_signal(struct run *run, unsigned rank) {
    int status = run->members[rank].status;
    if (run->is_signalled || run->is_described)
        return;
    run->is_described = true;
    fprintf(stderr, "gcluster-run: node %u was killed by signal %d (%s)%s\n", rank,
            WTERMSIG(status), strsignal(WTERMSIG(status)),
            WTERMSIG(status) == SIGKILL && gcl_memory_kills(STATISTICS) > run->memory_kills
                ? ", probably by the system, which had no memory left for it: free(1) and the "
                  "limits of control groups say how much there is, GCL_MEMORY how much to use"
                : "");
}

static void describe_exit(const struct run *run, unsigned rank, const char *program) {
    int status = run->members[rank].status;
    if (gcl_server_has_joined(run->server, rank))
        return;
    else if (WEXITSTATUS(status) == NOT_FOUND || WEXITSTATUS(status) == NOT_EXECUTABLE)
        fprintf(stderr, "gcluster-run: %s %s\n", program,
                WEXITSTATUS(status) == NOT_FOUND ? "isn't found" : "can't be run");
    else if (run->count > 1)
        fprintf(stderr,
                "gcluster-run: node %u ended before it joined the job: is %s a program made by "
                "gcluster-cc?\n",
                rank, program);
}

// The first end decides how the job ends: node 0's is the rule, another one's is a loss.
static void note_end(struct run *run, unsigned rank, const char *program) {
    struct member *member = &run->members[rank];
    bool is_first = run->ended_ns == 0, is_early = rank > 0 && !run->members[0].has_ended;

    member->has_ended = true;
    run->running--;
    if (is_early && member->status == 0 && gcl_server_has_left(run->server, rank))
        return; // node 0 has sent it home, and ends in a moment
    if (WIFSIGNALED(member->status))
        describe_signal(run, rank);
    else if (is_first || (is_early && !run->is_lost))
        describe_exit(run, rank, program);
    if (is_first)
        run->ended_ns = now_ns();
    if (is_early && !run->is_lost) {
        run->is_lost = true;
        if (!gcl_server_has_joined(run->server, rank)) {
            run->start_status = exit_status(member->status);
            kill_all(run, SIGTERM); // the others would wait for it
        }
    }
}

// Node 0 comes last: what ended at the same time is why it did.
static void reap(struct run *run, const char *program) {
    for (unsigned rank = run->count; rank-- > 0;) {
        struct member *member = &run->members[rank];
        if (member->pid > 0 && !member->has_ended &&
            waitpid(member->pid, &member->status, WNOHANG) == member->pid)
            note_end(run, rank, program);
    }
}

static void enforce_end(struct run *run) {
    if (run->ended_ns == 0)
        return;
    uint64_t passed_ns = now_ns() - run->ended_ns;
    bool is_over = run->members[0].has_ended;
    if (is_over && passed_ns > END_NS)
        kill_all(run, SIGKILL);
    if (!is_over && passed_ns > ASK_NS && !run->is_asked) {
        run->is_asked = true;
        kill_all(run, SIGTERM);
    }
    if (passed_ns > FORCE_NS)
        kill_all(run, SIGKILL);
}

// From the terminal node 0 has got the signal itself.
static void forward(struct run *run, const siginfo_t *info) {
    run->is_signalled = true;
    bool is_from_terminal = info->si_code == SI_KERNEL;
    if (!is_from_terminal && !run->members[0].has_ended)
        kill(run->members[0].pid, info->si_signo);
}

static void wait_for_all(struct run *run, const char *program) {
    const struct timespec tick = {.tv_nsec = TICK_MS * (long)MILLISECOND};
    sigset_t set = watched_signals();
    siginfo_t info;

    while (run->running > 0) {
        int signal = sigtimedwait(&set, &info, &tick);
        if (signal > 0 && signal != SIGCHLD)
            forward(run, &info);
        reap(run, program);
        enforce_end(run);
    }
}

int gcl_local_run(unsigned count, char **words) {
    struct run run = {.count = count, .memory_kills = gcl_memory_kills(STATISTICS)};
    sigset_t set = watched_signals(), before;
    int status = 1;

    sigprocmask(SIG_BLOCK, &set, &before); // also in PMIx's threads
    run.members = calloc(count, sizeof run.members[0]);
    run.server = run.members ? gcl_server_start(count) : NULL;
    if (run.server && start_members(&run, words, &before)) {
        wait_for_all(&run, words[0]);
        status = exit_status(run.members[0].status);
        bool has_joined = count == 1 || gcl_server_has_joined(run.server, 0);
        if (run.start_status != 0)
            status = run.start_status;
        if (status == 0 && (run.is_lost || !has_joined))
            status = 1;
    } else {
        kill_all(&run, SIGKILL);
        for (unsigned rank = 0; run.members && rank < count; rank++) {
            if (run.members[rank].pid > 0)
                waitpid(run.members[rank].pid, NULL, 0);
        }
    }
    gcl_server_stop(run.server);
    free(run.members);
    return status;
}
