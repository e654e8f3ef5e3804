// The socket of gclusterd: systemd's, or one of its own.
#ifndef GCL_AGENT_LISTEN_H
#define GCL_AGENT_LISTEN_H

#include <glib.h>

/// A socket that listens at `path`, or that systemd has passed, in which case `path` doesn't
/// matter. Root's is for all users, another user's for that one. -1, with `error`: somebody listens
/// there already, or the system has none.
int gcl_listen_open(const char *path, gboolean *is_passed, GError **error);

#endif
