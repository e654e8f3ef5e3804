// A job: its nodes' processes, on this machine or on others, from their start to the last one's
// end.
#ifndef GCL_LAUNCHER_JOB_H
#define GCL_LAUNCHER_JOB_H

#include <stdbool.h>

#include "hosts.h"

/// Runs `words` (a program and its arguments, then NULL) as a job of `count` nodes, on the machines
/// of `hosts` or on this one if that is NULL, and waits until all of it has ended. Returns the exit
/// status for the caller: node 0's, 128 and the signal if it was killed; 1 if node 0 ended well but
/// another node was lost.
/// With `is_debugged`, a debugger follows all nodes, which then have to be on this machine; its end
/// is the job's, and its exit status, too.
int gcl_job_run(unsigned count, const struct gcl_hosts *hosts, bool is_debugged, char **words);

#endif
