// A debugger that follows all nodes of a job on this machine.
#ifndef GCL_LAUNCHER_DEBUGGER_H
#define GCL_LAUNCHER_DEBUGGER_H

#include <signal.h>
#include <sys/types.h>

#include "job_state.h"

/// Starts gdb on all nodes of `job`, which wait for it; it has the terminal, and begins with the
/// signal mask `mask`. 0, after a message on standard error, if that can't be done.
pid_t gcl_debugger_start(const struct gcl_launched_job *job, const sigset_t *mask);

#endif
