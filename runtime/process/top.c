// Whoever connects gets what is known at that moment, as one line of JSON, and the end of the file.
// Nothing is counted before the first one comes.
#include "process/top.h"

#include <assert.h>
#include <errno.h>
#include <inttypes.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>

#include "base/json.h"
#include "base/log.h"
#include "base/name.h"
#include "base/peer.h"
#include "base/top_socket.h"
#include "exec/spread/spread.h"
#include "exec/watch/stats.h"
#include "gcluster/kernel.h"
#include "process/nodes.h"
#include "process/runtime.h"

// What answers gcluster-top in this process.
static struct {
    pthread_t thread;
    int listener;
} top = {.listener = -1};

// Answers.

static void write_tiers(struct gcl_tiers tiers, FILE *out) {
    fprintf(out,
            ", \"tiers\": {\"on_device\": %" PRIu64 ", \"in_host\": %" PRIu64
            ", \"in_files\": %" PRIu64 ", \"came\": %" PRIu64 ", \"went\": %" PRIu64 "}",
            tiers.on_device, tiers.in_host, tiers.in_files, tiers.came, tiers.went);
}

static void write_nodes(const struct gcl_runtime *r, FILE *out) {
    uint64_t *held = calloc(r->place.count, sizeof *held);
    if (held)
        gcl_spread_show_held(r->spread, held);
    fputs("\"nodes\": [", out);
    for (gcl_node node = 0; held && node < r->place.count; node++) {
        struct gcl_cluster_member member = r->peers.member(r->peers.context, node);
        fputs(node ? ", {\"host\": " : "{\"host\": ", out);
        gcl_json_write_string(out, member.host);
        fprintf(out,
                ", \"process\": %" PRIu32 ", \"threads\": %u, \"held\": %" PRIu64
                ", \"memory\": %" PRIu64,
                member.process, member.threads, held[node], member.memory);
        write_tiers(r->peers.tiers(r->peers.context, node), out);
        fputc('}', out);
    }
    fputc(']', out);
    free(held);
}

static void write_links(const struct gcl_stats_summary *s, FILE *out) {
    const char *separator = "";
    fputs(", \"links\": [", out);
    for (gcl_node from = 0; s->links && from < s->node_count; from++) {
        for (gcl_node to = 0; to < s->node_count; to++) {
            uint64_t bytes = s->links[(size_t)from * s->node_count + to];
            if (bytes == 0)
                continue;
            fprintf(out, "%s{\"from\": %u, \"to\": %u, \"bytes\": %" PRIu64 "}", separator, from,
                    to, bytes);
            separator = ", ";
        }
    }
    fputc(']', out);
}

static void write_kernels(const struct gcl_stats_summary *s, void *context) {
    FILE *out = context;
    char name[256];
    fprintf(out, ", \"elapsed_ns\": %" PRIu64 ", \"kernels\": [", s->elapsed_ns);
    for (size_t i = 0; i < s->kernel_count; i++) {
        const struct gcl_stats_kernel *kernel = &s->kernels[i];
        fputs(i ? ", {\"name\": " : "{\"name\": ", out);
        gcl_json_write_string(out, gcl_name_demangle(kernel->kernel->name, name, sizeof name));
        fprintf(out,
                ", \"launches\": %" PRIu64 ", \"time_ns\": %" PRIu64 ", \"moved\": %" PRIu64 "}",
                kernel->launches, kernel->time_ns[0], kernel->moved);
    }
    fputc(']', out);
    write_links(s, out);
}

static void send_all(int fd, const char *text, size_t size) {
    while (size > 0) {
        ssize_t sent = send(fd, text, size, MSG_NOSIGNAL);
        if (sent <= 0)
            return; // it has gone, or doesn't read
        text += sent;
        size -= (size_t)sent;
    }
}

/// Whether the other end may look: it is this user's, or root's.
static bool is_allowed(int fd) {
    struct ucred peer;
    socklen_t size = sizeof peer;
    return gcl_peer_is_mine(fd) ||
           (getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &peer, &size) == 0 && peer.uid == 0);
}

static void answer(struct gcl_runtime *r, int fd) {
    const struct timeval second = {.tv_sec = 1};
    char *text = NULL;
    size_t size;
    FILE *out = is_allowed(fd) ? open_memstream(&text, &size) : NULL;
    if (!out)
        return;
    gcl_spread_tell_done(r->spread); // what was done before doesn't count
    gcl_stats_start(r->stats);
    fputc('{', out);
    write_nodes(r, out);
    gcl_spread_tell_done(r->spread);
    gcl_stats_show(r->stats, write_kernels, out);
    fputs("}\n", out);
    setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &second, sizeof second);
    if (fclose(out) == 0)
        send_all(fd, text, size);
    free(text);
}

static void *run(void *context) {
    struct gcl_runtime *r = context;
    pthread_setname_np(pthread_self(), "gcl-top");
    for (;;) {
        int fd = accept4(top.listener, NULL, NULL, SOCK_CLOEXEC);
        if (fd < 0 && (errno == EINTR || errno == ECONNABORTED))
            continue;
        if (fd < 0)
            return NULL; // it is shut down
        answer(r, fd);
        close(fd);
    }
}

// Start and end.

static void close_listener(void) {
    if (top.listener >= 0)
        close(top.listener);
    top.listener = -1;
}

static bool start_thread(struct gcl_runtime *r) {
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    bool ok = pthread_create(&top.thread, NULL, run, r) == 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return ok;
}

void gcl_top_start(struct gcl_runtime *r) {
    struct sockaddr_un address;
    socklen_t size = gcl_top_socket_address(&address, getuid(), getpid());
    assert(top.listener < 0 && r->spread && r->place.node == 0);
    if (!r->stats || !r->peers.member)
        return;
    top.listener = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (top.listener < 0 || bind(top.listener, (struct sockaddr *)&address, size) != 0 ||
        listen(top.listener, 8) != 0 || !start_thread(r)) {
        gcl_log(GCL_LOG_INFO, "gcluster-top can't be answered: %s", strerror(errno));
        close_listener();
        return;
    }
    pthread_atfork(NULL, NULL, close_listener); // a child has no thread that answers
}

void gcl_top_stop(void) {
    if (top.listener < 0)
        return;
    shutdown(top.listener, SHUT_RDWR);
    pthread_join(top.thread, NULL);
    close_listener();
}
