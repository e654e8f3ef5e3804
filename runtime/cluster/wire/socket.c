// TCP_USER_TIMEOUT isn't for connections that carry much: it also ends those whose receiver has no
// room for a while.
#include "socket.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/log.h"

void gcl_socket_set_options(int fd, int probes) {
    const struct {
        int level, name, value;
    } options[] = {
        {IPPROTO_TCP, TCP_NODELAY, 1},      {SOL_SOCKET, SO_KEEPALIVE, 1},
        {IPPROTO_TCP, TCP_KEEPIDLE, 1},     {IPPROTO_TCP, TCP_KEEPINTVL, 1},
        {IPPROTO_TCP, TCP_KEEPCNT, probes},
    };
    for (size_t i = 0; i < sizeof options / sizeof options[0]; i++) {
        if (setsockopt(fd, options[i].level, options[i].name, &options[i].value, sizeof(int)) != 0)
            gcl_log(GCL_LOG_DEBUG, "a socket option can't be set: %s", strerror(errno));
    }
}

bool gcl_socket_is_unanswered(int fd, unsigned limit_ms) {
    struct tcp_info info = {.tcpi_retransmits = 0};
    socklen_t size = sizeof info;
    if (getsockopt(fd, IPPROTO_TCP, TCP_INFO, &info, &size) != 0)
        return false;
    return info.tcpi_retransmits > 0 && info.tcpi_last_ack_recv > limit_ms;
}

int gcl_socket_listen(uint32_t ip, uint16_t *port) {
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(ip)};
    socklen_t size = sizeof address;
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (fd >= 0 && bind(fd, (struct sockaddr *)&address, size) == 0 && listen(fd, 128) == 0 &&
        getsockname(fd, (struct sockaddr *)&address, &size) == 0) {
        *port = ntohs(address.sin_port);
        return fd;
    }
    if (fd >= 0)
        close(fd);
    return -1;
}
