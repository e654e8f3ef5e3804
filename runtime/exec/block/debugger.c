// Workers are listed once and stay listed. A debugger reads while they stand still, so they write
// without a lock, but for their place in the list.
#include "exec/block/debugger.h"

#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "exec/block/block.h"

#define LOOK_US 10000

const uint64_t gcl_debugged_version = 1;
struct gcl_debugged *gcl_debugged_workers;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; // of the list
static _Thread_local struct gcl_debugged *self;
static bool has_waited; // for a debugger

static struct gcl_debugged *list_self(void) {
    struct gcl_debugged *worker = calloc(1, sizeof *worker);
    if (!worker)
        return NULL;
    worker->thread = (uint64_t)syscall(SYS_gettid);
    pthread_mutex_lock(&lock);
    worker->next = gcl_debugged_workers;
    gcl_debugged_workers = worker;
    pthread_mutex_unlock(&lock);
    return worker;
}

void gcl_debugger_enter(uint64_t stack) {
    const struct gcl_block_launch *launch = gcl_block_launch_current();
    self = self ? self : list_self();
    if (!self)
        return;
    self->kernel = launch->kernel;
    self->stack = stack;
    self->file = launch->file;
    self->line = launch->line;
    self->block = gcl_block_current();
}

void gcl_debugger_leave(void) {
    if (self)
        self->block = NULL;
}

static bool is_followed(void) {
    FILE *file = fopen("/proc/self/status", "r");
    char line[256];
    int tracer = 0;
    while (file && fgets(line, sizeof line, file) && sscanf(line, "TracerPid: %d", &tracer) != 1)
        continue;
    if (file)
        fclose(file);
    return tracer != 0;
}

// A tracer hears of signals that are ignored, too, and one that is no debugger lets them pass. The
// runtime's threads leave all signals to the program's.
void gcl_debugger_stop(void) {
    struct sigaction before, ignored = {.sa_handler = SIG_IGN};
    sigset_t trap, blocked;
    if (!is_followed() || sigaction(SIGTRAP, NULL, &before) != 0)
        return;
    sigemptyset(&trap);
    sigaddset(&trap, SIGTRAP);
    if (before.sa_handler == SIG_DFL)
        sigaction(SIGTRAP, &ignored, NULL);
    pthread_sigmask(SIG_UNBLOCK, &trap, &blocked);
    raise(SIGTRAP);
    pthread_sigmask(SIG_SETMASK, &blocked, NULL);
    if (before.sa_handler == SIG_DFL)
        sigaction(SIGTRAP, &before, NULL);
}

void gcl_debugger_stop_at_signal(void) {
    if (has_waited)
        gcl_debugger_stop();
}

// A node waits until a debugger follows it, where the launcher or an editor wants that.
// Where a process may be traced by its parents alone (Yama), the launcher's debugger may, too; an
// editor's, which is no child of the launcher, while it is waited for.
__attribute__((constructor)) static void await_debugger(void) {
    const char *whose = getenv("GCL_DEBUG_ATTACH");
    if (!whose)
        return;
    prctl(PR_SET_PTRACER, strcmp(whose, "any") == 0 ? PR_SET_PTRACER_ANY : (unsigned long)getppid(),
          0, 0, 0);
    unsetenv("GCL_DEBUG_ATTACH"); // not for programs that this one starts
    while (!is_followed())
        usleep(LOOK_US);
    prctl(PR_SET_PTRACER, 0, 0, 0, 0);
    has_waited = true;
}
