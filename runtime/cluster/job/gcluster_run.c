// gcluster-run's way: a socket that this process inherits. The launcher has written its welcome
// before the process begins, and sends nothing else but what all nodes have shared.
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/log.h"
#include "cluster/job/rendezvous.h"
#include "cluster/job/way.h"

#define SECOND_NS UINT64_C(1000000000)

enum { MOMENT_MS = 20, WELCOME_SECONDS = 10 };

static enum gcl_status fail(const char *what, const char *why) {
    gcl_log(GCL_LOG_ERROR, "%s: %s", what, why);
    return GCL_SYSTEM;
}

// The launcher runs as this user; a descriptor that anybody else made is none of its.
static const char *check_socket(int fd) {
    struct ucred peer;
    socklen_t size = sizeof peer;
    if (getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &peer, &size) != 0)
        return "GCL_JOB names no socket of gcluster-run: is it closed by a program that starts "
               "this one?";
    return peer.uid == getuid() || peer.uid == geteuid() ? NULL
                                                         : "GCL_JOB names another user's socket";
}

// A wait for the launcher: until when, and whether it is in vain.
struct wait {
    int fd;
    uint64_t end_ns;
    const struct gcl_job_patience *patience;
};

static enum gcl_status await(const struct wait *wait, short events) {
    struct pollfd poller = {.fd = wait->fd, .events = events};
    for (;;) {
        int ready = poll(&poller, 1, MOMENT_MS);
        if (ready > 0)
            return GCL_OK;
        if (ready < 0 && errno != EINTR)
            return fail("can't wait for the launcher", strerror(errno));
        if (wait->patience->is_in_vain && wait->patience->is_in_vain(wait->patience->context))
            return GCL_NODE_LOST;
        if (gcl_clock_ns() >= wait->end_ns)
            return gcl_way_fail_late(wait->patience);
    }
}

static struct wait begin_wait(const struct gcl_job *job, const struct gcl_job_patience *patience) {
    assert(job->launcher >= 0);
    return (struct wait){.fd = job->launcher,
                         .end_ns = gcl_clock_ns() + patience->seconds * SECOND_NS,
                         .patience = patience};
}

static enum gcl_status send_all(const struct wait *wait, const uint8_t *bytes, size_t size) {
    while (size > 0) {
        ssize_t sent = send(wait->fd, bytes, size, MSG_NOSIGNAL | MSG_DONTWAIT);
        if (sent < 0 && errno != EAGAIN && errno != EINTR)
            return fail("the launcher is gone", strerror(errno));
        if (sent > 0) {
            bytes += sent;
            size -= (size_t)sent;
            continue;
        }
        enum gcl_status status = await(wait, POLLOUT);
        if (status != GCL_OK)
            return status;
    }
    return GCL_OK;
}

static enum gcl_status receive_all(const struct wait *wait, uint8_t *bytes, size_t size) {
    while (size > 0) {
        enum gcl_status status = await(wait, POLLIN);
        if (status != GCL_OK)
            return status;
        ssize_t got = recv(wait->fd, bytes, size, MSG_DONTWAIT);
        if (got == 0)
            return fail("the launcher is gone", "it has closed its socket");
        if (got < 0 && errno != EAGAIN && errno != EINTR)
            return fail("the launcher is gone", strerror(errno));
        if (got > 0) {
            bytes += got;
            size -= (size_t)got;
        }
    }
    return GCL_OK;
}

static enum gcl_status send_frame(const struct gcl_job *job, const struct wait *wait,
                                  enum gcl_rendezvous_kind kind, const void *body, size_t size) {
    uint8_t head[GCL_RENDEZVOUS_HEAD_SIZE];
    gcl_rendezvous_write_head(
        &(struct gcl_rendezvous_head){.kind = kind, .node = job->node, .size = size}, head);
    enum gcl_status status = send_all(wait, head, sizeof head);
    return status == GCL_OK ? send_all(wait, body, size) : status;
}

// The body, to be freed, of the next frame, which has to be of that kind.
static enum gcl_status receive_frame(const struct wait *wait, enum gcl_rendezvous_kind kind,
                                     uint8_t **body, size_t *size) {
    uint8_t bytes[GCL_RENDEZVOUS_HEAD_SIZE];
    struct gcl_rendezvous_head head;
    enum gcl_status status = receive_all(wait, bytes, sizeof bytes);
    if (status != GCL_OK)
        return status;
    const char *wrong = gcl_rendezvous_read_head(bytes, &head);
    if (!wrong && head.kind != kind)
        wrong = "it is of another kind than is expected";
    if (wrong)
        return fail("what the launcher says can't be read", wrong);
    uint8_t *received = malloc(head.size + 1);
    if (!received)
        return GCL_NO_MEMORY;
    status = receive_all(wait, received, head.size);
    if (status != GCL_OK) {
        free(received);
        return status;
    }
    *body = received;
    *size = head.size;
    return GCL_OK;
}

static enum gcl_status take_welcome(struct gcl_job *job, const struct wait *wait) {
    struct gcl_rendezvous_welcome welcome;
    uint8_t *body;
    size_t size;
    enum gcl_status status = receive_frame(wait, GCL_RENDEZVOUS_WELCOME, &body, &size);
    if (status != GCL_OK)
        return status;
    const char *wrong = gcl_rendezvous_read_welcome(body, size, &welcome);
    free(body);
    if (wrong)
        return fail("the launcher's welcome can't be read", wrong);
    job->node = welcome.node;
    job->count = welcome.count;
    job->local_rank = welcome.local_rank;
    job->local_count = welcome.local_count;
    memcpy(job->secret, welcome.secret, sizeof job->secret);
    snprintf(job->host, sizeof job->host, "%s", welcome.host);
    return GCL_OK;
}

static enum gcl_status join(struct gcl_job *job, bool is_strict) {
    const struct gcl_job_patience patience = {.seconds = WELCOME_SECONDS};
    (void)is_strict; // there is nothing to be doubted
    const char *text = getenv(GCL_RENDEZVOUS_DESCRIPTOR);
    char *end;
    long fd = strtol(text, &end, 10);
    const char *wrong = end != text && !*end && fd > STDERR_FILENO && fd < 1 << 20
                            ? check_socket((int)fd)
                            : "GCL_JOB is no number of a descriptor";
    if (wrong)
        return fail("can't join the job", wrong);
    job->launcher = (int)fd;
    fcntl(job->launcher, F_SETFD, FD_CLOEXEC);
    struct wait wait = begin_wait(job, &patience);
    enum gcl_status status = take_welcome(job, &wait);
    return status == GCL_OK ? send_frame(job, &wait, GCL_RENDEZVOUS_HERE, NULL, 0) : status;
}

static enum gcl_status learn_secret(struct gcl_job *job, const struct gcl_job_patience *patience) {
    (void)job, (void)patience; // it came with the welcome
    return GCL_OK;
}

static enum gcl_status share(struct gcl_job *job, const void *bytes, size_t size,
                             const struct gcl_job_patience *patience,
                             struct gcl_job_shares *shares) {
    struct wait wait = begin_wait(job, patience);
    uint8_t *body = NULL;
    size_t body_size;

    assert(size <= GCL_RENDEZVOUS_SHARE_SIZE);
    shares->of = calloc(job->count, sizeof shares->of[0]);
    enum gcl_status status = shares->of ? GCL_OK : GCL_NO_MEMORY;
    if (status == GCL_OK)
        status = send_frame(job, &wait, GCL_RENDEZVOUS_SHARE, bytes, size);
    if (status == GCL_OK)
        status = receive_frame(&wait, GCL_RENDEZVOUS_SHARED, &body, &body_size);
    shares->body = body;
    if (status != GCL_OK)
        return status;
    const char *wrong = gcl_rendezvous_read_shared(body, body_size, job->count, shares->of);
    return wrong ? fail("what nodes share can't be read", wrong) : GCL_OK;
}

// A launcher that is gone needs no word: the process ends anyway.
static void leave(struct gcl_job *job) {
    uint8_t head[GCL_RENDEZVOUS_HEAD_SIZE];
    if (job->launcher < 0)
        return;
    gcl_rendezvous_write_head(
        &(struct gcl_rendezvous_head){.kind = GCL_RENDEZVOUS_LEAVE, .node = job->node}, head);
    if (send(job->launcher, head, sizeof head, MSG_NOSIGNAL | MSG_DONTWAIT) < 0)
        gcl_log(GCL_LOG_DEBUG, "the launcher doesn't hear that this node leaves: %s",
                strerror(errno));
    close(job->launcher);
    job->launcher = -1;
}

const struct gcl_job_way gcl_job_gcluster_run = {
    .join = join, .learn_secret = learn_secret, .share = share, .leave = leave};
