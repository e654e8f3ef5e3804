// gclusterd: shares a node's device among the programs of its users.
#include <errno.h>
#include <stdio.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <glib-unix.h>

#include "agent.h"
#include "base/agent_wire.h"
#include "base/bytes_text.h"
#include "base/memory.h"
#include "books.h"
#include "client.h"
#include "listen.h"
#include "show.h"

enum { BAD_USAGE = 2 };

struct options {
    char *socket, *config;
    gboolean shows_status, shows_version;
};

struct daemon {
    struct gcl_agent agent;
    struct options options;
    GMainLoop *loop;
    int listener;
};

static struct gcl_settings *read_settings(const struct options *options, GError **error) {
    struct gcl_settings *settings = gcl_settings_read(
        options->config ? options->config : GCL_AGENT_CONF, options->config != NULL, error);
    if (settings && settings->memory == UINT64_MAX)
        settings->memory = gcl_memory_limit() / 10 * 8; // as programs alone take it
    return settings;
}

static void listen_to_all(struct daemon *daemon);

static gboolean listen_again(gpointer data) {
    listen_to_all(data);
    return G_SOURCE_REMOVE;
}

static gboolean came(gint fd, GIOCondition condition, gpointer data) {
    enum { PAUSE_MS = 100 };
    struct daemon *daemon = data;
    int socket = accept4(fd, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);
    (void)condition;
    if (socket >= 0)
        gcl_client_create(&daemon->agent, socket);
    if (socket >= 0 || (errno != EMFILE && errno != ENFILE))
        return G_SOURCE_CONTINUE;
    g_timeout_add(PAUSE_MS, listen_again, daemon); // until somebody leaves
    return G_SOURCE_REMOVE;
}

static void listen_to_all(struct daemon *daemon) {
    g_unix_fd_add(daemon->listener, G_IO_IN, came, daemon);
}

/// Each program takes three files.
static void raise_file_limit(void) {
    struct rlimit limit;
    if (getrlimit(RLIMIT_NOFILE, &limit) == 0) {
        limit.rlim_cur = limit.rlim_max;
        setrlimit(RLIMIT_NOFILE, &limit);
    }
}

/// Takes away the socket that it has made, and no other one's that took its place.
static void take_away(const char *path, const struct stat *made) {
    struct stat there;
    if (lstat(path, &there) == 0 && there.st_ino == made->st_ino && there.st_dev == made->st_dev)
        unlink(path);
}

static gboolean end(gpointer data) {
    struct daemon *daemon = data;
    g_main_loop_quit(daemon->loop);
    return G_SOURCE_CONTINUE;
}

static gboolean reload(gpointer data) {
    struct daemon *daemon = data;
    g_autoptr(GError) error = NULL;
    struct gcl_settings *settings = read_settings(&daemon->options, &error);
    if (settings)
        gcl_agent_configure(&daemon->agent, settings);
    g_printerr("gclusterd: %s\n", settings ? "other settings are in force" : error->message);
    return G_SOURCE_CONTINUE;
}

static int serve(struct daemon *daemon, const char *path, gboolean is_passed) {
    struct stat made;
    gboolean is_mine = !is_passed && lstat(path, &made) == 0;
    daemon->loop = g_main_loop_new(NULL, FALSE);
    raise_file_limit();
    listen_to_all(daemon);
    g_unix_signal_add(SIGTERM, end, daemon);
    g_unix_signal_add(SIGINT, end, daemon);
    g_unix_signal_add(SIGHUP, reload, daemon);
    g_printerr("gclusterd: %s to share, at %s\n",
               gcl_bytes_text((double)gcl_agent_books(&daemon->agent)->all.limit).text,
               is_passed ? "the socket that it was given" : path);
    g_main_loop_run(daemon->loop);
    gcl_agent_finish(&daemon->agent);
    close(daemon->listener);
    if (is_mine)
        take_away(path, &made);
    g_main_loop_unref(daemon->loop);
    return 0;
}

static int run(struct options *options) {
    struct daemon daemon = {.options = *options};
    char own[GCL_AGENT_PATH];
    g_autoptr(GError) error = NULL;
    gboolean is_passed;
    const char *path = options->socket;
    if (!path && !gcl_agent_own_path(own)) {
        g_printerr("gclusterd: --socket is needed, since XDG_RUNTIME_DIR isn't set\n");
        return BAD_USAGE;
    }
    path = path ? path : own;
    struct gcl_settings *settings = read_settings(options, &error);
    daemon.listener = settings ? gcl_listen_open(path, &is_passed, &error) : -1;
    if (daemon.listener < 0) {
        g_printerr("gclusterd: %s\n", error->message);
        gcl_settings_free(settings);
        return 1;
    }
    gcl_agent_init(&daemon.agent, settings);
    return serve(&daemon, path, is_passed);
}

static int show_status(const struct options *options) {
    char found[GCL_AGENT_PATH];
    g_autoptr(GError) error = NULL;
    if (!options->socket && !gcl_agent_find(found)) {
        g_printerr("gclusterd: none runs\n");
        return 1;
    }
    json_t *said = gcl_show_ask(options->socket ? options->socket : found, &error);
    if (!said) {
        g_printerr("gclusterd: %s\n", error->message);
        return 1;
    }
    g_autofree char *table = gcl_show_table(said, NULL);
    fputs(table, stdout);
    json_decref(said);
    return fflush(stdout) == 0 ? 0 : 1;
}

int main(int argc, char **argv) {
    struct options options = {.socket = NULL};
    const GOptionEntry entries[] = {
        {"socket", 's', 0, G_OPTION_ARG_FILENAME, &options.socket, "Where it listens", "PATH"},
        {"config", 'c', 0, G_OPTION_ARG_FILENAME, &options.config,
         "Settings, instead of " GCL_AGENT_CONF, "FILE"},
        {"status", 0, 0, G_OPTION_ARG_NONE, &options.shows_status,
         "Show who shares the device, and end", NULL},
        {"version", 0, 0, G_OPTION_ARG_NONE, &options.shows_version, "Show the version, and end",
         NULL},
        {.long_name = NULL}};
    g_autoptr(GOptionContext) context = g_option_context_new(NULL);
    g_autoptr(GError) error = NULL;
    g_option_context_set_summary(context, "Shares this machine's device among programs.");
    g_option_context_add_main_entries(context, entries, NULL);
    if (!g_option_context_parse(context, &argc, &argv, &error) || argc > 1) {
        g_printerr("gclusterd: %s\n", error ? error->message : "it takes no arguments");
        return BAD_USAGE;
    }
    if (options.shows_version) {
        printf("gclusterd %s\n", GCL_VERSION);
        return 0;
    }
    int status = options.shows_status ? show_status(&options) : run(&options);
    g_free(options.socket);
    g_free(options.config);
    return status;
}
