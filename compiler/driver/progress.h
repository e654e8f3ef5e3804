// A line on the terminal that says what a compilation is at, when that takes long.
#ifndef GCL_DRIVER_PROGRESS_H
#define GCL_DRIVER_PROGRESS_H

#include "process.h"

/// What the processes of compilations tell the one that waits for them.
struct gcl_progress;

/// NULL where nobody would see it: standard error isn't a terminal. To be made before the
/// processes.
struct gcl_progress *gcl_progress_create(void);
/// Takes NULL.
void gcl_progress_destroy(struct gcl_progress *progress);

/// Where a compilation of `source` writes what it is at: GCL_DEVICE_PROGRESS_SIZE bytes, a text.
/// NULL where there is nobody to see it.
char *gcl_progress_text(struct gcl_progress *progress, const char *source);

/// As gcl_processes_wait; after 20 seconds a line shows, once a second, source, time and text.
void gcl_progress_wait(struct gcl_progress *progress, struct gcl_workspace *workspace,
                       struct gcl_process *processes, size_t count);

#endif
