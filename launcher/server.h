// The PMIx server of a job on this machine.
#ifndef GCL_LAUNCHER_SERVER_H
#define GCL_LAUNCHER_SERVER_H

#include <stdbool.h>

struct gcl_server;

/// Starts serving a job of `count` processes. NULL, after a message on standard error.
struct gcl_server *gcl_server_start(unsigned count);
/// The environment for process `rank`: this process' own and what PMIx adds. NULL on failure; lives
/// as long as the server.
char **gcl_server_environment(struct gcl_server *server, unsigned rank);
/// Whether that process has ever connected, and whether it has left in order.
bool gcl_server_has_joined(struct gcl_server *server, unsigned rank);
bool gcl_server_has_left(struct gcl_server *server, unsigned rank);
/// Removes everything. Takes NULL.
void gcl_server_stop(struct gcl_server *server);

#endif
