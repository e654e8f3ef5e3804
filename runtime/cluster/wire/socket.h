// Sockets between hosts.
#ifndef GCL_CLUSTER_SOCKET_H
#define GCL_CLUSTER_SOCKET_H

#include <stdbool.h>
#include <stdint.h>

/// Makes small messages leave at once, and TCP notice that nobody is at the other end of an idle
/// connection: after a second, and one for each of `probes`.
void gcl_socket_set_options(int fd, int probes);

/// Whether the other end hasn't acknowledged anything for `limit_ms` although bytes wait for that.
/// The other end isn't silent while its process is stopped or busy: its system answers that there
/// is no room.
bool gcl_socket_is_unanswered(int fd, unsigned limit_ms);

/// Opens a port of the system's choice at an IPv4 address in host order. Negative if that fails.
int gcl_socket_listen(uint32_t address, uint16_t *port);

#endif
