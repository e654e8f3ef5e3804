// How something is started on another machine.
#ifndef GCL_LAUNCHER_HOSTS_H
#define GCL_LAUNCHER_HOSTS_H

#include <glib.h>

struct gcl_hosts {
    char **names;   ///< then NULL
    char **starter; ///< words that come before the name of a host
    gboolean
        is_srun; ///< the host's name is an option of the starter's, which takes no shell's text
};

/// Reads "a,b,c", and what starts programs there: `rsh` as a shell has it, NULL for srun within an
/// allocation of Slurm's and ssh otherwise. NULL is a good result; otherwise a text for people.
char *gcl_hosts_read(const char *list, const char *rsh, struct gcl_hosts *hosts);
void gcl_hosts_clear(struct gcl_hosts *hosts);

/// The words, then NULL, that start this program's part on host `index`.
GPtrArray *gcl_hosts_command(const struct gcl_hosts *hosts, guint index);

#endif
