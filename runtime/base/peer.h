// Who is at the other end of a Unix socket. Names of abstract sockets are for every user to take.
#ifndef GCL_BASE_PEER_H
#define GCL_BASE_PEER_H

#include <stdbool.h>
#include <sys/socket.h>
#include <unistd.h>

/// Whether the other end of a connection is a process of this user, as the kernel noted when it was
/// connected or began to listen.
static inline bool gcl_peer_is_mine(int fd) {
    struct ucred peer;
    socklen_t size = sizeof peer;
    return getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &peer, &size) == 0 && peer.uid == geteuid();
}

/// Whether the other end is that process, and of this user.
static inline bool gcl_peer_is_process(int fd, pid_t process) {
    struct ucred peer;
    socklen_t size = sizeof peer;
    return gcl_peer_is_mine(fd) && getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &peer, &size) == 0 &&
           peer.pid == process;
}

#endif
