// A job on several machines: a command for mpirun or srun.
#ifndef GCL_LAUNCHER_HOSTS_H
#define GCL_LAUNCHER_HOSTS_H

#include <stdbool.h>

#include <glib.h>

/// The command that runs `words` as `count` nodes (0: one a host) on `hosts`, a list with commas:
/// srun within an allocation of Slurm's, otherwise mpirun. Of char *, ends with NULL. NULL, after a
/// message on standard error, if there is neither or if `hosts` names none.
GPtrArray *gcl_hosts_command(const char *hosts, unsigned count, char **words);

#endif
