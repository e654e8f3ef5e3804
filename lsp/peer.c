#include "peer.h"

#include <glib.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

struct gcl_peer {
    GPid pid; // 0: it has ended
    struct gcl_channel *channel;
    struct gcl_peer_handlers handlers;
    json_int_t next_id;
    guint watch;
    int status;
    bool is_silent; // nothing more comes from it
};

static char *describe_end(int status) {
    if (WIFSIGNALED(status))
        return g_strdup_printf("crashed: %s", strsignal(WTERMSIG(status)));
    return g_strdup_printf("ended with status %d", WEXITSTATUS(status));
}

// What it has said last comes before its end.
static void end_if_over(struct gcl_peer *peer) {
    if (peer->pid != 0 || !peer->is_silent)
        return;
    g_autofree char *how = describe_end(peer->status);
    peer->handlers.ended(how, peer->handlers.context);
}

static void receive(const struct gcl_rpc_message *message, void *context) {
    struct gcl_peer *peer = context;
    if (message && message->kind == GCL_RPC_RESPONSE) {
        peer->handlers.answered(message->result, message->error, peer->handlers.context);
        return;
    }
    if (message)
        return;
    peer->is_silent = true;
    end_if_over(peer);
}

static void has_ended(GPid pid, int status, void *data) {
    struct gcl_peer *peer = data;
    g_spawn_close_pid(pid);
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

// The fields of a /proc/…/stat file behind the name, which may hold anything: state first.
static char **read_stat(const char *folder) {
    g_autofree char *path = g_build_filename(folder, "stat", NULL), *text = NULL;
    const char *end = g_file_get_contents(path, &text, NULL, NULL) ? strrchr(text, ')') : NULL;
    return end && end[1] ? g_strsplit(end + 2, " ", -1) : NULL;
}

static bool is_running(const char *folder) {
    g_auto(GStrv) fields = read_stat(folder);
    return fields && fields[0] && strchr("RD", fields[0][0]);
}

// A thread, or a process that it waits for.
static bool is_task_running(const char *folder) {
    g_autofree char *path = g_build_filename(folder, "children", NULL), *text = NULL;
    if (is_running(folder))
        return true;
    g_auto(GStrv) children =
        g_strsplit(g_file_get_contents(path, &text, NULL, NULL) ? text : "", " ", -1);
    for (char **child = children; *child; child++) {
        g_autofree char *process = g_build_filename("/proc", *child, NULL);
        if (**child && is_running(process))
            return true;
    }
    return false;
}

struct gcl_peer_activity gcl_peer_observe(const struct gcl_peer *peer) {
    enum { USER = 11, SYSTEM = 12 };
    struct gcl_peer_activity activity = {0};
    g_autofree char *folder = g_strdup_printf("/proc/%d", (int)peer->pid);
    g_autofree char *tasks = g_build_filename(folder, "task", NULL);
    g_auto(GStrv) fields = read_stat(folder);
    GDir *directory = g_dir_open(tasks, 0, NULL);
    const char *name;
    while (directory && (name = g_dir_read_name(directory))) {
        g_autofree char *task = g_build_filename(tasks, name, NULL);
        activity.is_running |= is_task_running(task);
    }
    if (directory)
        g_dir_close(directory);
    if (fields && g_strv_length(fields) > SYSTEM)
        activity.cpu_ms =
            (g_ascii_strtoll(fields[USER], NULL, 10) + g_ascii_strtoll(fields[SYSTEM], NULL, 10)) *
            1000 / sysconf(_SC_CLK_TCK);
    return activity;
}

void *gcl_peer_context(const struct gcl_peer *peer) {
    return peer->handlers.context;
}

void gcl_peer_tell(struct gcl_peer *peer, const char *method, json_t *params) {
    gcl_channel_send(peer->channel, gcl_rpc_notification(method, params));
}

void gcl_peer_ask(struct gcl_peer *peer, const char *method, json_t *params) {
    gcl_channel_send(peer->channel, gcl_rpc_request(++peer->next_id, method, params));
}
