// A node's process on this machine.
#ifndef GCL_LAUNCHER_MEMBER_H
#define GCL_LAUNCHER_MEMBER_H

#include <signal.h>
#include <stdbool.h>
#include <sys/types.h>

#include "link.h"

enum { GCL_MEMBER_NOT_EXECUTABLE = 126, GCL_MEMBER_NOT_FOUND = 127 };

struct gcl_member_options {
    const struct gcl_rendezvous_welcome *welcome;
    char **words;         ///< the program and its arguments, then NULL
    int input, output;    ///< -1: this process' own
    const sigset_t *mask; ///< of signals that it begins with
    bool is_debugged;     ///< it waits for a debugger before its main()
};

/// Starts a node's process; it dies with this one. Its exit status says if the program can't be
/// run. 0, after a message on standard error, if that can't be done.
pid_t gcl_member_start(const struct gcl_member_options *options, struct gcl_link **link);

#endif
