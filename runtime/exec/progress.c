// One line, written over itself. The thread that waits shows it, so the work itself isn't slowed.
#include "progress.h"

#include <stdatomic.h>
#include <stdio.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/name.h"

#define PATIENCE_NS 1000000000u

static atomic_bool is_shown;

void gcl_progress_show(const struct gcl_command *command) {
    uint64_t now = gcl_clock_ns();
    char name[64] = "copy";
    uint32_t done = atomic_load_explicit(&command->work.done, memory_order_relaxed);
    uint32_t count = command->work.unit_count;

    if (!command->begin_ns || now - command->begin_ns < PATIENCE_NS || !isatty(STDERR_FILENO))
        return;
    if (command->kind == GCL_COMMAND_RUN)
        gcl_name_demangle(command->run.launch.kernel->name, name, sizeof name);
    fprintf(stderr, "\r\033[K%s %3.0f %% (%u of %u), %.1f s", name, 100.0 * done / count, done,
            count, (double)(now - command->begin_ns) / 1e9);
    fflush(stderr);
    atomic_store(&is_shown, true);
}

void gcl_progress_clear(void) {
    if (atomic_exchange(&is_shown, false))
        fputs("\r\033[K", stderr);
}
