// The progress line of GCL_PROGRESS=1.
#ifndef GCL_EXEC_PROGRESS_H
#define GCL_EXEC_PROGRESS_H

#include <stdint.h>

/// How often a thread that waits should show progress.
#define GCL_PROGRESS_INTERVAL_NS 200000000u

/// How far a command is.
struct gcl_progress {
    const char *kernel; ///< mangled; NULL: a copy
    uint32_t done, count;
    uint64_t begin_ns; ///< 0: it hasn't begun
};

/// Shows a command's progress on the terminal's last line; nothing if stderr is no terminal or the
/// command hasn't taken a second yet.
void gcl_progress_show(const struct gcl_progress *progress);
/// Takes the line away if there is one.
void gcl_progress_clear(void);

#endif
