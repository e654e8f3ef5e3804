// Where gcluster-top finds a job: node 0 listens on an abstract Unix socket, which leaves nothing
// behind, and whose name tells whose job it is. Both sides check who the other one is.
#ifndef GCL_BASE_TOP_SOCKET_H
#define GCL_BASE_TOP_SOCKET_H

#include <stddef.h>
#include <stdio.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

/// Before the user's number, a slash, and the process' number.
#define GCL_TOP_SOCKET_NAME "gcluster-top/"

/// The address of a job's socket; returns its size.
static inline socklen_t gcl_top_socket_address(struct sockaddr_un *address, uid_t user,
                                               pid_t process) {
    *address = (struct sockaddr_un){.sun_family = AF_UNIX};
    int length = snprintf(address->sun_path + 1, sizeof address->sun_path - 1,
                          GCL_TOP_SOCKET_NAME "%u/%d", (unsigned)user, (int)process);
    return (socklen_t)(offsetof(struct sockaddr_un, sun_path) + 1 + (size_t)length);
}

#endif
