// The progress is one line, written over itself. The thread that waits shows it, so the work itself
// isn't slowed.
#include "exec/watch/progress.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/name.h"

#define PATIENCE_NS 1000000000u

static atomic_bool is_shown;

void gcl_progress_show(const struct gcl_progress *p) {
    uint64_t now = gcl_clock_ns();
    char name[64] = "copy";

    if (!p->begin_ns || now - p->begin_ns < PATIENCE_NS || !isatty(STDERR_FILENO))
        return;
    if (p->kernel)
        gcl_name_demangle(p->kernel, name, sizeof name);
    fprintf(stderr, "\r\033[K%s %3.0f %% (%u of %u), %.1f s", name, 100.0 * p->done / p->count,
            p->done, p->count, (double)(now - p->begin_ns) / 1e9);
    fflush(stderr);
    atomic_store(&is_shown, true);
}

void gcl_progress_clear(void) {
    if (atomic_exchange(&is_shown, false))
        fputs("\r\033[K", stderr);
}
