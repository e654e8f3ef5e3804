// Access programs are made of what people write, and some of it is evaluated for the first time
// here: a child does it, which may crash, or be at it for ever.
#include "lsp/kernel/evaluate.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

enum { PATIENCE_MS = 60000 };

static void write_all(int file, const char *text) {
    size_t left = strlen(text);
    while (left > 0) {
        ssize_t written = write(file, text, left);
        if (written < 0)
            return;
        text += written;
        left -= (size_t)written;
    }
}

// What the child does: it never returns. Its limit on processor time is in whole seconds.
static void evaluate(const struct gcl_spread_launch *launch, gint64 budget_us, int out) {
    rlim_t seconds = (rlim_t)((budget_us + G_USEC_PER_SEC - 1) / G_USEC_PER_SEC);
    const struct rlimit limit = {seconds, seconds};
    signal(SIGABRT, SIG_DFL);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    setrlimit(RLIMIT_CPU, &limit);
    json_t *spread = gcl_spread(launch);
    char *text = spread ? json_dumps(spread, JSON_COMPACT) : NULL;
    write_all(out, text ? text : "");
    _exit(0);
}

// Appends everything that comes until the other end is closed. False if that takes longer than even
// a busy machine explains.
static bool read_all(int in, GString *out) {
    gint64 deadline = g_get_monotonic_time() + PATIENCE_MS * G_TIME_SPAN_MILLISECOND;
    char bytes[65536];
    for (;;) {
        gint64 left = (deadline - g_get_monotonic_time()) / G_TIME_SPAN_MILLISECOND;
        struct pollfd wanted = {.fd = in, .events = POLLIN};
        int found = poll(&wanted, 1, (int)CLAMP(left, 0, G_MAXINT));
        if (found == 0 || (found < 0 && errno != EINTR))
            return false;
        ssize_t size = found > 0 ? read(in, bytes, sizeof bytes) : -1;
        if (size == 0)
            return true;
        if (size > 0)
            g_string_append_len(out, bytes, size);
    }
}

// Ends a child and takes the time that it has used from the budget. True: the child was still at
// work.
static bool settle(pid_t child, gint64 *budget_us) {
    struct rusage used = {.ru_utime = {0, 0}};
    int status = 0;
    kill(child, SIGKILL);
    while (wait4(child, &status, 0, &used) < 0 && errno == EINTR)
        ;
    *budget_us -= (used.ru_utime.tv_sec + used.ru_stime.tv_sec) * G_USEC_PER_SEC +
                  used.ru_utime.tv_usec + used.ru_stime.tv_usec;
    return WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL;
}

json_t *gcl_evaluate_spread(const struct gcl_spread_launch *launch, gint64 *budget_us, char **why) {
    g_autoptr(GString) text = g_string_new(NULL);
    int ends[2];
    assert(*budget_us > 0 && launch->node_count > 0);
    if (pipe2(ends, O_CLOEXEC) != 0) {
        *why = g_strdup("no pipe");
        return NULL;
    }
    pid_t child = fork();
    if (child == 0)
        evaluate(launch, *budget_us, ends[1]);
    close(ends[1]);
    bool ends_by_itself = child > 0 && read_all(ends[0], text);
    close(ends[0]);
    bool in_time = child < 0 || !settle(child, budget_us);
    json_t *spread = ends_by_itself ? json_loads(text->str, 0, NULL) : NULL;
    if (!spread)
        *why = g_strdup_printf("what kernel %s touches %s", launch->kernel->name,
                               in_time ? "can't be evaluated" : "takes too long to evaluate");
    return spread;
}
