#include "agent_wire.h"

#include <assert.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/un.h>
#include <unistd.h>

enum { MAGIC = 0x6763616c, VERSION = 2 };

static_assert(sizeof(struct gcl_agent_message) == 152, "messages are the same in all builds");

struct gcl_agent_message gcl_agent_message(enum gcl_agent_kind kind, const char *text) {
    struct gcl_agent_message message = {.magic = MAGIC, .version = VERSION, .kind = (uint16_t)kind};
    snprintf(message.text, sizeof message.text, "%s", text ? text : "");
    return message;
}

static bool is_kind(unsigned kind, bool is_question) {
    return is_question ? kind >= GCL_AGENT_HELLO && kind <= GCL_AGENT_LAST_QUESTION
                       : kind >= GCL_AGENT_WELCOME && kind <= GCL_AGENT_LAST_ANSWER;
}

static bool read_message(const void *bytes, size_t size, bool is_question,
                         struct gcl_agent_message *message) {
    if (size != sizeof *message)
        return false;
    memcpy(message, bytes, sizeof *message);
    message->text[GCL_AGENT_TEXT - 1] = 0;
    for (char *at = message->text; *at; at++) {
        if (*at < ' ' || *at > '~')
            *at = '?';
    }
    return message->magic == MAGIC && message->version == VERSION &&
           is_kind(message->kind, is_question);
}

union control {
    struct cmsghdr header;
    char bytes[CMSG_SPACE(GCL_AGENT_FILES * sizeof(int))];
};

bool gcl_agent_send(int socket, const struct gcl_agent_message *message, const int *files,
                    size_t count) {
    struct iovec part = {.iov_base = (void *)message, .iov_len = sizeof *message};
    struct msghdr header = {.msg_iov = &part, .msg_iovlen = 1};
    union control control = {.bytes = {0}};
    if (count > 0) {
        header.msg_control = &control;
        header.msg_controllen = CMSG_SPACE(count * sizeof *files);
        control.header = (struct cmsghdr){.cmsg_level = SOL_SOCKET,
                                          .cmsg_type = SCM_RIGHTS,
                                          .cmsg_len = CMSG_LEN(count * sizeof *files)};
        memcpy(CMSG_DATA(&control.header), files, count * sizeof *files);
    }
    ssize_t sent;
    do
        sent = sendmsg(socket, &header, MSG_NOSIGNAL);
    while (sent < 0 && errno == EINTR);
    return sent == sizeof *message;
}

/// Closes files that were sent beyond those that there is room for, too: the system does.
static void take_files(struct msghdr *header, int files[GCL_AGENT_FILES]) {
    size_t count = 0;
    for (struct cmsghdr *at = CMSG_FIRSTHDR(header); at; at = CMSG_NXTHDR(header, at)) {
        if (at->cmsg_level != SOL_SOCKET || at->cmsg_type != SCM_RIGHTS)
            continue;
        for (size_t i = 0; i < (at->cmsg_len - CMSG_LEN(0)) / sizeof *files; i++) {
            int file;
            memcpy(&file, CMSG_DATA(at) + i * sizeof file, sizeof file);
            if (count < GCL_AGENT_FILES)
                files[count++] = file;
            else
                close(file);
        }
    }
}

bool gcl_agent_receive(int socket, bool is_question, struct gcl_agent_message *message,
                       int files[GCL_AGENT_FILES]) {
    unsigned char bytes[sizeof *message + 1];
    struct iovec part = {.iov_base = bytes, .iov_len = sizeof bytes};
    union control control;
    struct msghdr header = {.msg_iov = &part,
                            .msg_iovlen = 1,
                            .msg_control = &control,
                            .msg_controllen = sizeof control};
    ssize_t received;
    do
        received = recvmsg(socket, &header, MSG_CMSG_CLOEXEC);
    while (received < 0 && errno == EINTR);
    for (size_t i = 0; i < GCL_AGENT_FILES; i++)
        files[i] = -1;
    if (received <= 0) {
        errno = received ? errno : ECONNRESET;
        return false;
    }
    take_files(&header, files);
    if (read_message(bytes, (size_t)received, is_question, message))
        return true;
    for (size_t i = 0; i < GCL_AGENT_FILES; i++) {
        if (files[i] >= 0)
            close(files[i]);
    }
    errno = EPROTO;
    return false;
}

// Where agents are.

enum { CONNECT_SECONDS = 5 }; ///< that an agent may have a full queue

#define SYSTEM_PATH "/run/gcluster/agent.sock"

bool gcl_agent_own_path(char path[GCL_AGENT_PATH]) {
    const char *folder = getenv("XDG_RUNTIME_DIR");
    if (geteuid() == 0) {
        strcpy(path, SYSTEM_PATH);
        return true;
    }
    return folder && *folder == '/' &&
           snprintf(path, GCL_AGENT_PATH, "%s/gcluster/agent.sock", folder) < GCL_AGENT_PATH;
}

bool gcl_agent_find(char path[GCL_AGENT_PATH]) {
    strcpy(path, SYSTEM_PATH);
    if (access(path, R_OK | W_OK) == 0)
        return true;
    return gcl_agent_own_path(path) && access(path, R_OK | W_OK) == 0;
}

/// Root and this user, who can do with its programs what they like. In a container, users that it
/// doesn't know have one number together (user_namespaces(7)), and root outside is among them.
static bool is_trusted(int fd) {
    enum { OVERFLOW_USER = 65534 };
    struct ucred peer;
    socklen_t size = sizeof peer;
    return getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &peer, &size) == 0 &&
           (peer.uid == 0 || peer.uid == geteuid() || (peer.uid == OVERFLOW_USER && peer.pid == 0));
}

int gcl_agent_connect(const char *path) {
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    int error = ENAMETOOLONG, fd = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);
    const struct timeval patience = {.tv_sec = CONNECT_SECONDS};
    if (fd < 0)
        return -1;
    setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof patience);
    if ((size_t)snprintf(address.sun_path, sizeof address.sun_path, "%s", path) <
        sizeof address.sun_path) {
        error = connect(fd, (struct sockaddr *)&address, sizeof address) == 0 ? 0 : errno;
        if (!error && is_trusted(fd))
            return fd;
        error = error ? error : EPERM;
    }
    close(fd);
    errno = error;
    return -1;
}
