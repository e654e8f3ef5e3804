// The process and its channel end one after the other in any order; `ended` is called when both are
// over, so that what was said last is heard.
#include "lsp/base/peer.h"

#include <assert.h>
#include <glib.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>

enum { STUCK_MS = 10000 };

struct gcl_peer {
    GPid pid; // 0: it has ended
    struct gcl_channel *channel;
    struct gcl_peer_handlers handlers;
    json_int_t next_id;
    guint watch;
    int status;
    bool is_silent; // nothing more comes from it
    bool relays;    // the answer to the last question is passed on as it comes
    gint64 work_ms; // processor time of it and its children, as of the last look
    gint64 work_us; // when a look has found `work_ms` changed, or a question was asked
};

static char *describe_end(int status) {
    if (WIFSIGNALED(status))
        return g_strdup_printf("crashed: %s", strsignal(WTERMSIG(status)));
    return g_strdup_printf("ended with status %d", WEXITSTATUS(status));
}

// What the process has said last is heard before its end.
static void end_if_over(struct gcl_peer *peer) {
    if (peer->pid != 0 || !peer->is_silent)
        return;
    g_autofree char *how = describe_end(peer->status);
    assert(!peer->watch);
    peer->handlers.ended(how, peer->handlers.context);
}

static void receive(GBytes *text, void *context) {
    struct gcl_peer *peer = context;
    struct gcl_rpc_message message;
    if (!text) {
        peer->is_silent = true;
        end_if_over(peer);
    } else if (peer->relays) {
        assert(peer->handlers.relayed);
        peer->handlers.relayed(text, peer->handlers.context);
    } else {
        gcl_rpc_parse(text, &message);
        if (message.kind == GCL_RPC_RESPONSE)
            peer->handlers.answered(message.result, message.error, peer->handlers.context);
        gcl_rpc_message_finish(&message);
    }
}

static void has_ended(GPid pid, int status, void *data) {
    struct gcl_peer *peer = data;
    g_spawn_close_pid(pid);
    assert(peer->pid == pid);
    peer->pid = 0;
    peer->watch = 0;
    peer->status = status;
    end_if_over(peer);
}

struct gcl_peer *gcl_peer_start(const char *role, const struct gcl_peer_handlers *handlers) {
    // What runs, even if another version lies in its place by now.
    char *words[] = {(char *)"/proc/self/exe", (char *)"gcluster-lsp", (char *)role, NULL};
    int in, out;
    GPid pid;
    assert(handlers->answered && handlers->ended);
    if (!g_spawn_async_with_pipes(NULL, words, NULL,
                                  G_SPAWN_DO_NOT_REAP_CHILD | G_SPAWN_FILE_AND_ARGV_ZERO, NULL,
                                  NULL, &pid, &in, &out, NULL, NULL))
        return NULL;
    struct gcl_peer *peer = g_new0(struct gcl_peer, 1);
    peer->pid = pid;
    peer->handlers = *handlers;
    peer->channel = gcl_channel_create(out, in, receive, peer);
    peer->watch = g_child_watch_add(pid, has_ended, peer);
    return peer;
}

// The process is reaped by whoever comes by; nobody waits for it.
static void reap(GPid pid, int status, void *data) {
    (void)status, (void)data;
    g_spawn_close_pid(pid);
}

void gcl_peer_destroy(struct gcl_peer *peer) {
    if (!peer)
        return;
    if (peer->watch)
        g_source_remove(peer->watch);
    if (peer->pid) {
        kill(peer->pid, SIGKILL);
        g_child_watch_add(peer->pid, reap, NULL);
    }
    gcl_channel_destroy(peer->channel);
    g_free(peer);
}

// Whether a process or a thread runs: its state stands behind its name, which may hold anything.
static bool is_running(const char *folder) {
    g_autofree char *path = g_build_filename(folder, "stat", NULL), *text = NULL;
    const char *end = g_file_get_contents(path, &text, NULL, NULL) ? strrchr(text, ')') : NULL;
    return end && end[1] && end[2] && strchr("RD", end[2]);
}

// The numbers of the processes that a thread has started, to be freed; there may be empty texts.
static GStrv children_of(const char *task) {
    g_autofree char *path = g_build_filename(task, "children", NULL), *text = NULL;
    return g_strsplit(g_file_get_contents(path, &text, NULL, NULL) ? text : "", " ", -1);
}

// Whether a thread runs, or a process that it has started.
static bool is_task_running(const char *folder) {
    if (is_running(folder))
        return true;
    g_auto(GStrv) children = children_of(folder);
    for (char **child = children; *child; child++) {
        g_autofree char *process = g_build_filename("/proc", *child, NULL);
        if (**child && is_running(process))
            return true;
    }
    return false;
}

bool gcl_peer_is_running(const struct gcl_peer *peer) {
    bool runs = false;
    g_autofree char *tasks = g_strdup_printf("/proc/%d/task", (int)peer->pid);
    GDir *directory = g_dir_open(tasks, 0, NULL);
    const char *name;
    while (directory && !runs && (name = g_dir_read_name(directory))) {
        g_autofree char *task = g_build_filename(tasks, name, NULL);
        runs = is_task_running(task);
    }
    if (directory)
        g_dir_close(directory);
    return runs;
}

static gint64 cpu_ms_of(GPid pid) {
    clockid_t clock;
    struct timespec used;
    if (!pid || clock_getcpuclockid(pid, &clock) != 0 || clock_gettime(clock, &used) != 0)
        return 0; // it has ended
    return used.tv_sec * 1000 + used.tv_nsec / 1000000;
}

gint64 gcl_peer_cpu_ms(const struct gcl_peer *peer) {
    return cpu_ms_of(peer->pid);
}

// Processor time of a process and of what its main thread, the one that starts others, has started.
static gint64 work_ms_of(const struct gcl_peer *peer) {
    g_autofree char *task = g_strdup_printf("/proc/%d/task/%d", (int)peer->pid, (int)peer->pid);
    g_auto(GStrv) children = children_of(task);
    gint64 sum = gcl_peer_cpu_ms(peer);
    for (char **child = children; *child; child++)
        sum += cpu_ms_of((GPid)g_ascii_strtoll(*child, NULL, 10));
    return sum;
}

bool gcl_peer_is_stuck(struct gcl_peer *peer) {
    gint64 work_ms = work_ms_of(peer), now_us = g_get_monotonic_time();
    if (work_ms != peer->work_ms) {
        peer->work_ms = work_ms;
        peer->work_us = now_us;
    }
    return now_us - peer->work_us >= STUCK_MS * G_TIME_SPAN_MILLISECOND;
}

void *gcl_peer_context(const struct gcl_peer *peer) {
    return peer->handlers.context;
}

void gcl_peer_tell(struct gcl_peer *peer, const char *method, json_t *params) {
    gcl_channel_send(peer->channel, gcl_rpc_notification(method, params));
}

void gcl_peer_ask(struct gcl_peer *peer, const char *method, json_t *params) {
    json_t *id = json_integer(++peer->next_id);
    gcl_peer_relay(peer, id, method, params);
    peer->relays = false;
    json_decref(id);
}

void gcl_peer_relay(struct gcl_peer *peer, json_t *id, const char *method, json_t *params) {
    gcl_channel_send(peer->channel, gcl_rpc_request(id, method, params));
    peer->relays = true;
    peer->work_us = g_get_monotonic_time();
}
