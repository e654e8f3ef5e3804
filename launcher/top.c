// gcluster-top: what a running job does, as node 0 tells it. Two answers make a picture: what has
// grown between them, by the time that has passed.
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/time.h>

#include <glib.h>
#include <jansson.h>

#include "base/agent_wire.h"
#include "base/bytes_text.h"
#include "base/peer.h"
#include "base/top_socket.h"
#include "show.h"

enum { BAD_USAGE = 2, SECOND_US = 1000000, MOST_KERNELS = 10, MOST_LINKS = 8, NAME_WIDTH = 36 };

#define CLEAR "\033[H\033[J"

struct options {
    gboolean is_agent, is_once, shows_version;
    char **words;
};

// Jobs.

/// A text that a terminal shows as it is: what it would take for an order becomes "?". NULL: "?".
static char *printable(const char *text) {
    g_autofree char *valid = g_utf8_make_valid(text ? text : "?", -1);
    GString *shown = g_string_new(NULL);
    for (const char *at = valid; *at; at = g_utf8_next_char(at)) {
        gunichar letter = g_utf8_get_char(at);
        g_string_append_unichar(shown, g_unichar_isprint(letter) ? letter : '?');
    }
    return g_string_free(shown, FALSE);
}

static char *name_of(pid_t process) {
    g_autofree char *path = g_strdup_printf("/proc/%d/comm", (int)process);
    g_autofree char *text = NULL;
    if (!g_file_get_contents(path, &text, NULL, NULL))
        return g_strdup("?");
    return printable(g_strchomp(text));
}

/// A connection to a job; -1: none, or it isn't that process of this user's that listens.
static int open_socket(pid_t process) {
    const struct timeval patience = {.tv_sec = 5};
    struct sockaddr_un address;
    socklen_t size = gcl_top_socket_address(&address, getuid(), process);
    int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (fd < 0)
        return -1;
    // Whoever doesn't let in at once has a queue of those that wait.
    if (connect(fd, (struct sockaddr *)&address, size) == 0 && gcl_peer_is_process(fd, process) &&
        fcntl(fd, F_SETFL, 0) == 0 &&
        setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience) == 0)
        return fd;
    close(fd);
    return -1;
}

/// Whether the process is of a job of this user's, and not somebody else who took its name.
static gboolean is_job(pid_t process) {
    int fd = process > 0 ? open_socket(process) : -1;
    if (fd >= 0)
        close(fd);
    return fd >= 0;
}

/// The processes that are node 0 of this user's jobs.
static GArray *find_jobs(void) {
    g_autofree char *text = NULL;
    g_autofree char *prefix = g_strdup_printf("@" GCL_TOP_SOCKET_NAME "%u/", (unsigned)getuid());
    GArray *jobs = g_array_new(FALSE, FALSE, sizeof(pid_t));
    if (!g_file_get_contents("/proc/net/unix", &text, NULL, NULL))
        return jobs;
    for (const char *at = text; (at = strstr(at, prefix)); at += strlen(prefix)) {
        pid_t process = (pid_t)g_ascii_strtoll(at + strlen(prefix), NULL, 10);
        gboolean is_known = FALSE; // connections are listed, too
        for (guint i = 0; i < jobs->len; i++)
            is_known |= g_array_index(jobs, pid_t, i) == process;
        if (!is_known && is_job(process))
            g_array_append_val(jobs, process);
    }
    return jobs;
}

/// 0, after a message, if there is none or more than one.
static pid_t choose_job(void) {
    g_autoptr(GArray) jobs = find_jobs();
    if (jobs->len == 1)
        return g_array_index(jobs, pid_t, 0);
    if (jobs->len == 0)
        fprintf(stderr, "gcluster-top: no job of several nodes has its node 0 on this host\n");
    else
        fprintf(stderr, "gcluster-top: which job? Name the process of its node 0:\n");
    for (guint i = 0; i < jobs->len; i++) {
        pid_t process = g_array_index(jobs, pid_t, i);
        g_autofree char *name = name_of(process);
        fprintf(stderr, "  %d %s\n", (int)process, name);
    }
    return 0;
}

// Answers.

/// What the job says now; NULL: it says nothing.
static json_t *ask(pid_t process) {
    int fd = open_socket(process);
    if (fd < 0)
        return NULL;
    json_t *answer = json_loadfd(fd, 0, NULL);
    close(fd);
    return answer;
}

static double number(const json_t *object, const char *key) {
    return json_number_value(json_object_get(object, key));
}

// What has grown.

/// A line of a table: what it is about, and what has grown by how much a second.
struct line {
    const char *name;
    double launches, share, moved;
};

static double seconds_between(const json_t *before, const json_t *now) {
    double seconds = (number(now, "elapsed_ns") - number(before, "elapsed_ns")) * 1e-9;
    return seconds > 0 ? seconds : 1;
}

static double rate(const json_t *before, const json_t *now, const char *key, double seconds) {
    return (number(now, key) - (before ? number(before, key) : 0)) / seconds;
}

/// Bytes a second that a node sends (`key` is "from") or gets ("to").
static double traffic(const json_t *before, const json_t *now, const char *key, size_t node,
                      double seconds) {
    double bytes = 0;
    size_t i;
    json_t *link;
    json_array_foreach(json_object_get(now, "links"), i, link) {
        if ((size_t)number(link, key) == node)
            bytes += number(link, "bytes");
    }
    json_array_foreach(json_object_get(before, "links"), i, link) {
        if ((size_t)number(link, key) == node)
            bytes -= number(link, "bytes");
    }
    return bytes / seconds;
}

static void print_nodes(const json_t *before, const json_t *now, double seconds) {
    size_t i;
    json_t *node;
    printf("\n%-5s %-20s %8s %8s  %-22s %12s %12s\n", "node", "host", "process", "threads",
           "holds of its memory", "gets /s", "sends /s");
    json_array_foreach(json_object_get(now, "nodes"), i, node) {
        g_autofree char *of_memory =
            g_strdup_printf("%s of %s", gcl_bytes_text(number(node, "held")).text,
                            gcl_bytes_text(number(node, "memory")).text);
        g_autofree char *host = printable(json_string_value(json_object_get(node, "host")));
        printf("%-5zu %-20.20s %8.0f %8.0f  %-22s %12s %12s\n", i, host, number(node, "process"),
               number(node, "threads"), of_memory,
               gcl_bytes_text(traffic(before, now, "to", i, seconds)).text,
               gcl_bytes_text(traffic(before, now, "from", i, seconds)).text);
    }
}

/// Where nodes' memory lies, if that isn't on their devices alone.
static void print_tiers(const json_t *before, const json_t *now, double seconds) {
    gboolean has_begun = FALSE;
    size_t i;
    json_t *node;
    json_array_foreach(json_object_get(now, "nodes"), i, node) {
        const json_t *tiers = json_object_get(node, "tiers");
        const json_t *old =
            json_object_get(json_array_get(json_object_get(before, "nodes"), i), "tiers");
        if (number(tiers, "on_device") == 0)
            continue;
        if (!has_begun)
            printf("\n%-5s %12s %12s %12s %12s %12s\n", "node", "on device", "in host", "in files",
                   "comes /s", "goes /s");
        has_begun = TRUE;
        printf("%-5zu %12s %12s %12s %12s %12s\n", i,
               gcl_bytes_text(number(tiers, "on_device")).text,
               gcl_bytes_text(number(tiers, "in_host")).text,
               gcl_bytes_text(number(tiers, "in_files")).text,
               gcl_bytes_text(rate(old, tiers, "came", seconds)).text,
               gcl_bytes_text(rate(old, tiers, "went", seconds)).text);
    }
}

static const json_t *find_link(const json_t *answer, double from, double to) {
    size_t i;
    json_t *link;
    json_array_foreach(json_object_get(answer, "links"), i, link) {
        if (number(link, "from") == from && number(link, "to") == to)
            return link;
    }
    return NULL;
}

static gint compare_moved(gconstpointer a, gconstpointer b) {
    const struct line *first = a, *second = b;
    return (first->moved < second->moved) - (first->moved > second->moved);
}

static gint compare_shares(gconstpointer a, gconstpointer b) {
    const struct line *first = a, *second = b;
    return (first->share < second->share) - (first->share > second->share);
}

static void print_links(const json_t *before, const json_t *now, double seconds) {
    g_autoptr(GArray) lines = g_array_new(FALSE, FALSE, sizeof(struct line));
    g_autoptr(GStringChunk) names = g_string_chunk_new(256);
    size_t i;
    json_t *link;
    json_array_foreach(json_object_get(now, "links"), i, link) {
        double from = number(link, "from"), to = number(link, "to");
        g_autofree char *name = g_strdup_printf("%.0f -> %.0f", from, to);
        struct line line = {.name = g_string_chunk_insert(names, name),
                            .moved = rate(find_link(before, from, to), link, "bytes", seconds)};
        g_array_append_val(lines, line);
    }
    g_array_sort(lines, compare_moved);
    printf("\n%-12s %12s\n", "busiest links", "bytes /s");
    for (i = 0; i < lines->len && i < MOST_LINKS; i++) {
        const struct line *line = &g_array_index(lines, struct line, i);
        printf("%-12s %13s\n", line->name, gcl_bytes_text(line->moved).text);
    }
}

static void print_kernels(const json_t *before, const json_t *now, double seconds) {
    g_autoptr(GArray) lines = g_array_new(FALSE, FALSE, sizeof(struct line));
    size_t i;
    json_t *kernel;
    json_array_foreach(json_object_get(now, "kernels"), i, kernel) {
        const json_t *old = json_array_get(json_object_get(before, "kernels"), i);
        struct line line = {.name = json_string_value(json_object_get(kernel, "name")),
                            .launches = rate(old, kernel, "launches", seconds),
                            .share = rate(old, kernel, "time_ns", seconds) * 1e-9,
                            .moved = rate(old, kernel, "moved", seconds)};
        g_array_append_val(lines, line);
    }
    g_array_sort(lines, compare_shares);
    printf("\n%-*s %12s %16s %12s\n", NAME_WIDTH, "hottest kernels", "launches /s",
           "time on node 0", "moves /s");
    for (i = 0; i < lines->len && i < MOST_KERNELS; i++) {
        const struct line *line = &g_array_index(lines, struct line, i);
        g_autofree char *name = printable(line->name);
        printf("%-*.*s %12.1f %14.1f %% %12s\n", NAME_WIDTH, NAME_WIDTH, name, line->launches,
               100 * line->share, gcl_bytes_text(line->moved).text);
    }
}

static void print_picture(pid_t process, const json_t *before, const json_t *now) {
    g_autofree char *name = name_of(process);
    double seconds = seconds_between(before, now);
    printf("%s (process %d), %zu nodes, watched for %.0f s\n", name, (int)process,
           json_array_size(json_object_get(now, "nodes")), number(now, "elapsed_ns") * 1e-9);
    print_nodes(before, now, seconds);
    print_tiers(before, now, seconds);
    print_links(before, now, seconds);
    print_kernels(before, now, seconds);
    fflush(stdout);
}

/// Shows a picture a second until the job ends, or one. False, after a message: there was none.
static gboolean watch(pid_t process, gboolean is_once) {
    json_t *before = ask(process), *now = NULL;
    gboolean has_shown = FALSE;
    while (before && !(is_once && has_shown)) {
        g_usleep(SECOND_US);
        now = ask(process);
        if (!now)
            break;
        if (!is_once)
            fputs(CLEAR, stdout);
        print_picture(process, before, now);
        has_shown = TRUE;
        json_decref(before);
        before = now;
    }
    json_decref(before);
    if (!has_shown)
        fprintf(stderr, "gcluster-top: process %d doesn't answer%s\n", (int)process,
                before ? " any more" : ": is it node 0 of a job of yours?");
    return has_shown;
}

// gclusterd.

/// Shows what programs use of their device, each second. False: there is no agent to ask.
static gboolean watch_agent(gboolean is_once) {
    char path[GCL_AGENT_PATH];
    g_autoptr(GError) error = NULL;
    gboolean is_there = gcl_agent_find(path), goes_on = is_there;
    json_t *before = is_there ? gcl_show_ask(path, &error) : NULL;
    while (goes_on && before) {
        g_usleep(SECOND_US);
        json_t *now = gcl_show_ask(path, &error);
        g_autofree char *table = now ? gcl_show_table(now, before) : NULL;
        if (table)
            printf("%s%s", is_once ? "" : CLEAR, table);
        fflush(stdout);
        json_decref(before);
        before = now;
        goes_on = !is_once;
    }
    if (!is_there || error)
        fprintf(stderr, "gcluster-top: %s\n", error ? error->message : "there is no gclusterd");
    json_decref(before);
    return is_there && !error;
}

// NULL is a good result; otherwise a text for people.
static char *parse(int argc, char **argv, struct options *options) {
    const GOptionEntry entries[] = {
        {"agent", 0, 0, G_OPTION_ARG_NONE, &options->is_agent,
         "Show programs that share this machine's device by gclusterd", NULL},
        {"once", 0, 0, G_OPTION_ARG_NONE, &options->is_once, "Show one second, and end", NULL},
        {"version", 0, 0, G_OPTION_ARG_NONE, &options->shows_version, "Print the version", NULL},
        {G_OPTION_REMAINING, 0, 0, G_OPTION_ARG_STRING_ARRAY, &options->words, NULL, "[PROCESS]"},
        {.long_name = NULL}};
    g_autoptr(GOptionContext) context = g_option_context_new(NULL);
    g_autoptr(GError) error = NULL;

    g_option_context_set_summary(context, "Shows what a running job of several nodes does.");
    g_option_context_add_main_entries(context, entries, NULL);
    if (!g_option_context_parse(context, &argc, &argv, &error))
        return g_strdup(error->message);
    if (options->words && (options->words[1] || g_ascii_strtoll(options->words[0], NULL, 10) <= 0))
        return g_strdup("expected the number of one process");
    if (options->words && options->is_agent)
        return g_strdup("--agent is of the machine, not of a process");
    return NULL;
}

int main(int argc, char **argv) {
    struct options options = {.is_once = FALSE};
    g_autofree char *mistake = parse(argc, argv, &options);

    if (mistake) {
        fprintf(stderr, "gcluster-top: %s\nTry gcluster-top --help\n", mistake);
        return BAD_USAGE;
    }
    if (options.shows_version) {
        puts("gcluster-top " GCL_VERSION);
        return 0;
    }
    if (options.is_agent)
        return watch_agent(options.is_once) ? 0 : 1;
    pid_t process =
        options.words ? (pid_t)g_ascii_strtoll(options.words[0], NULL, 10) : choose_job();
    return process > 0 && watch(process, options.is_once) ? 0 : 1;
}
