// The other hosts of a job, each with a part of the launcher that ssh, srun or the like has
// started.
#ifndef GCL_LAUNCHER_AWAY_H
#define GCL_LAUNCHER_AWAY_H

#include <sys/types.h>

#include "hosts.h"
#include "link.h"

struct gcl_host {
    const char *name;
    const char *starter; ///< the program that has been run for it
    gcl_node begin, end; ///< its nodes
    pid_t pid;           ///< of the starter
    struct gcl_link *link;
    bool has_ended; ///< the starter
    bool is_silent; ///< has said nothing yet
};

/// Starts the part on host `index`, which is told what to start, and its nodes' welcomes. False,
/// after a message on standard error.
bool gcl_away_start(struct gcl_host *host, const struct gcl_hosts *hosts, guint index, char **words,
                    const struct gcl_rendezvous_welcome *welcomes, const sigset_t *mask);

#endif
