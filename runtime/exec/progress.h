// The progress line of GCL_PROGRESS=1.
#ifndef GCL_EXEC_PROGRESS_H
#define GCL_EXEC_PROGRESS_H

#include <stdint.h>

#include "exec/command.h"

/// How often a thread that waits should show progress.
#define GCL_PROGRESS_INTERVAL_NS 200000000u

/// Shows how far a command is, on the terminal's last line; nothing if stderr is no terminal or the
/// command hasn't taken a second yet.
void gcl_progress_show(const struct gcl_command *command);
/// Takes the line away if there is one.
void gcl_progress_clear(void);

#endif
