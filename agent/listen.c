#include "listen.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "base/agent_wire.h"

enum { FIRST_PASSED = 3, QUEUE = 128 };

#define LISTEN_ERROR g_quark_from_static_string("gcluster-agent-listen")

/// As sd_listen_fds(3) has it: for this process, one socket.
static gboolean has_passed(void) {
    const char *process = g_getenv("LISTEN_PID"), *count = g_getenv("LISTEN_FDS");
    struct stat status;
    return process && count && g_ascii_strtoll(process, NULL, 10) == getpid() &&
           g_str_equal(count, "1") && fstat(FIRST_PASSED, &status) == 0 && S_ISSOCK(status.st_mode);
}

/// Takes away a socket that an agent has left behind. False: one listens there.
static gboolean take_away(const char *path) {
    int fd = gcl_agent_connect(path);
    if (fd >= 0) {
        close(fd);
        return FALSE;
    }
    struct stat status;
    gboolean is_left =
        errno == ECONNREFUSED && lstat(path, &status) == 0 && S_ISSOCK(status.st_mode);
    return !is_left || unlink(path) == 0;
}

static int listen_at(const char *path) {
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    gboolean is_for_all = geteuid() == 0;
    int fd = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    g_strlcpy(address.sun_path, path, sizeof address.sun_path);
    mode_t mask = umask(is_for_all ? 0 : 0077);
    gboolean is_bound = fd >= 0 && bind(fd, (struct sockaddr *)&address, sizeof address) == 0;
    umask(mask);
    if (is_bound && listen(fd, QUEUE) == 0)
        return fd;
    int error = errno;
    if (fd >= 0)
        close(fd);
    errno = error;
    return -1;
}

int gcl_listen_open(const char *path, gboolean *is_passed, GError **error) {
    g_autofree char *folder = g_path_get_dirname(path);
    *is_passed = has_passed();
    if (*is_passed) {
        fcntl(FIRST_PASSED, F_SETFL, O_NONBLOCK);
        fcntl(FIRST_PASSED, F_SETFD, FD_CLOEXEC);
        return FIRST_PASSED;
    }
    if (strlen(path) >= GCL_AGENT_PATH) {
        g_set_error(error, LISTEN_ERROR, 0, "%s: the name is longer than a socket may have", path);
        return -1;
    }
    mode_t mask = umask(0022);
    g_mkdir_with_parents(folder, 0755);
    umask(mask);
    if (!take_away(path)) {
        g_set_error(error, LISTEN_ERROR, 0, "%s: another gclusterd listens there", path);
        return -1;
    }
    int fd = listen_at(path);
    if (fd < 0)
        g_set_error(error, LISTEN_ERROR, 0, "%s: %s", path, g_strerror(errno));
    return fd;
}
