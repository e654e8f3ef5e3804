#include "client.h"

#include <errno.h>
#include <fcntl.h>
#include <glib-unix.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/pidfd.h>
#include <sys/uio.h>
#include <unistd.h>

#include "base/bytes_text.h"
#include "books.h"
#include "party.h"
#include "status.h"

enum { HELLO_SECONDS = 5, MOST_MESSAGES = 20000 /* in a second */ };

void gcl_client_log(const struct gcl_client *client, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    g_autofree char *text = g_strdup_vprintf(format, arguments);
    va_end(arguments);
    g_printerr("gclusterd: process %d of user %u%s%s: %s\n", (int)client->peer.pid,
               (unsigned)client->peer.uid, *client->name ? ", " : "", client->name, text);
}

uint64_t gcl_client_busy(const struct gcl_client *client) {
    return client->lease ? atomic_load(&client->lease->busy_ns) : 0;
}

// The end.

static void leave(struct gcl_client *client) {
    struct gcl_agent *agent = client->agent;
    gboolean is_given = gcl_account_give(&client->account, client->account.taken);
    g_assert(is_given);
    if (client->party)
        gcl_party_leave(client);
    client->user->clients--;
    agent->admitted--;
    if (client->lease)
        munmap(client->lease, GCL_AGENT_PAGE);
}

void gcl_client_destroy(struct gcl_client *client, const char *why) {
    struct gcl_agent *agent = client->agent;
    const int files[] = {client->socket, client->process, client->bell, client->page};
    if (why) {
        const struct gcl_agent_message end = gcl_agent_message(GCL_AGENT_REFUSED, why);
        gcl_agent_send(client->socket, &end, NULL, 0);
        gcl_client_log(client, "%s", why);
        agent->refused++;
    }
    for (size_t i = 0; i < G_N_ELEMENTS(files); i++) {
        if (i < G_N_ELEMENTS(client->sources) && client->sources[i])
            g_source_remove(client->sources[i]);
        if (files[i] >= 0)
            close(files[i]);
    }
    if (client->patience)
        g_source_remove(client->patience);
    if (client->pause)
        g_source_remove(client->pause);
    if (client->user)
        client->user->connections--;
    g_queue_remove(&agent->clients, client);
    g_queue_remove(&agent->line, client);
    if (client->state == GCL_CLIENT_IN)
        leave(client);
    if (client->books)
        gcl_books_close(agent, client->books);
    g_free(client);
    gcl_agent_admit(agent);
    gcl_agent_schedule(agent);
}

// Its end of the device.

static gboolean rang(gint fd, GIOCondition condition, gpointer data) {
    struct gcl_client *client = data;
    uint64_t times;
    const struct iovec part = {.iov_base = &times, .iov_len = sizeof times};
    (void)condition;
    // Clients have the same open file: they may read it first, and make others wait.
    ssize_t size = preadv2(fd, &part, 1, -1, RWF_NOWAIT);
    (void)size;
    gcl_agent_schedule(client->agent);
    return G_SOURCE_CONTINUE;
}

/// Makes a client's lease, in a page that neither side can make smaller, and its bell. False: the
/// system has none.
static gboolean make_lease(struct gcl_client *client) {
    int fd = memfd_create("gcluster-lease", MFD_CLOEXEC | MFD_ALLOW_SEALING);
    client->page = fd;
    client->bell = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    if (fd < 0 || client->bell < 0 || ftruncate(fd, GCL_AGENT_PAGE) != 0 ||
        fcntl(fd, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL) != 0)
        return FALSE;
    void *page = mmap(NULL, GCL_AGENT_PAGE, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    client->lease = page == MAP_FAILED ? NULL : page;
    client->sources[2] = g_unix_fd_add(client->bell, G_IO_IN, rang, client);
    return client->lease != NULL;
}

/// The client has it.
static void close_page(struct gcl_client *client) {
    close(client->page);
    client->page = -1;
}

static gboolean welcome(struct gcl_client *client) {
    struct gcl_agent_message answer = gcl_agent_message(GCL_AGENT_WELCOME, NULL);
    answer.bytes = client->account.taken;
    answer.total = gcl_account_limit(&client->account);
    const int files[GCL_AGENT_FILES] = {client->page, client->bell};
    return gcl_agent_send(client->socket, &answer, files, GCL_AGENT_FILES);
}

// Admission.

/// Whether there may be one program more of its user's.
static gboolean has_place(const struct gcl_client *client) {
    const struct gcl_agent *agent = client->agent;
    return agent->admitted < agent->settings->clients &&
           client->user->clients < gcl_settings_of(agent->settings, client->peer.uid)->clients;
}

void gcl_client_admit(struct gcl_client *client) {
    struct gcl_agent *agent = client->agent;
    gboolean is_taken = gcl_account_take(&client->account, client->wanted);
    g_assert(is_taken);
    client->state = GCL_CLIENT_IN;
    client->user->clients++;
    agent->admitted++;
    if (client->patience)
        g_source_remove(client->patience);
    client->patience = 0;
    if (!make_lease(client) || !welcome(client)) {
        gcl_client_destroy(client, "it can't be let in, since it doesn't read, or the system has "
                                   "no page for it");
        return;
    }
    close_page(client);
    gcl_party_join(client, client->job, gcl_settings_of(agent->settings, client->peer.uid)->weight);
}

gboolean gcl_client_fits(const struct gcl_client *client) {
    return has_place(client) && !gcl_account_lacking(&client->account, client->wanted);
}

/// Whose limit an account is, for people.
static const char *whose(const struct gcl_client *client, const struct gcl_account *account) {
    return account == &client->account      ? "a program may have"
           : account == &client->books->all ? "the device has"
                                            : "its user may have";
}

static char *why_not(const struct gcl_client *client) {
    const struct gcl_account *lacking = gcl_account_lacking(&client->account, client->wanted);
    if (lacking)
        return g_strdup_printf("it needs %s, and of the %s that %s, %s are free",
                               gcl_bytes_text((double)client->wanted).text,
                               gcl_bytes_text((double)lacking->limit).text, whose(client, lacking),
                               gcl_bytes_text((double)gcl_account_free(lacking)).text);
    return g_strdup(has_place(client) ? "others wait for the device"
                                      : "as many programs have the device as may");
}

static gboolean lose_patience(gpointer data) {
    struct gcl_client *client = data;
    client->patience = 0;
    gcl_client_destroy(client, client->state == GCL_CLIENT_NEW
                                   ? "it hasn't said what it is"
                                   : "it has waited as long as it wanted to");
    return G_SOURCE_REMOVE;
}

gboolean gcl_client_waits_in_vain(const struct gcl_client *client) {
    const struct gcl_account *lacking = gcl_account_lacking(&client->account, client->wanted);
    return lacking && lacking->limit < client->wanted;
}

void gcl_client_refuse(struct gcl_client *client) {
    g_autofree char *why = why_not(client);
    gcl_client_destroy(client, why);
}

/// Leaves a client in the line, or refuses it.
static void keep_waiting(struct gcl_client *client, unsigned seconds) {
    if (seconds == 0 || gcl_client_waits_in_vain(client)) {
        gcl_client_refuse(client);
        return;
    }
    g_autofree char *why = why_not(client);
    struct gcl_agent_message answer = gcl_agent_message(GCL_AGENT_WAIT, why);
    answer.number = g_queue_get_length(&client->agent->line);
    gcl_client_log(client, "waits: %s", why);
    client->patience = g_timeout_add_seconds(seconds, lose_patience, client);
    if (!gcl_agent_send(client->socket, &answer, NULL, 0))
        gcl_client_destroy(client, "it doesn't read");
}

static struct gcl_user *user_of(struct gcl_agent *agent, uid_t number) {
    struct gcl_user *user = g_hash_table_lookup(agent->users, GUINT_TO_POINTER(number));
    if (!user) {
        user = g_new0(struct gcl_user, 1);
        g_hash_table_insert(agent->users, GUINT_TO_POINTER(number), user);
    }
    return user;
}

static void greet(struct gcl_client *client, const struct gcl_agent_message *hello) {
    struct gcl_agent *agent = client->agent;
    g_source_remove(client->patience);
    client->patience = 0;
    memcpy(client->name, hello->text, sizeof client->name);
    client->books = gcl_books_open(agent, hello->gpu, hello->total);
    if (!client->books) {
        gcl_client_destroy(client, "there can't be so many GPUs");
        return;
    }
    client->account = (struct gcl_account){
        .limit = gcl_books_of_client(client->books, agent->settings, client->peer.uid),
        .parent = gcl_books_of_user(client->books, agent->settings, client->peer.uid)};
    client->wanted = hello->bytes;
    client->job = hello->job;
    client->state = GCL_CLIENT_WAITING;
    g_queue_push_tail(&agent->line, client);
    gcl_agent_admit(agent);
    if (g_queue_find(&agent->line, client))
        keep_waiting(client, hello->number);
}

// Questions.

static gboolean tell_memory(struct gcl_client *client, uint64_t taken) {
    struct gcl_agent_message answer = gcl_agent_message(GCL_AGENT_MEMORY, NULL);
    answer.bytes = taken;
    answer.total = gcl_account_free(&client->account);
    return gcl_agent_send(client->socket, &answer, NULL, 0);
}

/// Why the connection ends. NULL: it goes on; or has ended.
static const char *answer(struct gcl_client *client, const struct gcl_agent_message *question) {
    gboolean is_in = client->state == GCL_CLIENT_IN;
    if (question->kind == GCL_AGENT_HELLO && client->state == GCL_CLIENT_NEW) {
        greet(client, question);
        return NULL;
    }
    if (question->kind == GCL_AGENT_ASK && client->state == GCL_CLIENT_NEW) {
        gcl_status_send(client->agent, client->socket);
        gcl_client_destroy(client, NULL);
        return NULL;
    }
    if (question->kind == GCL_AGENT_TAKE && is_in) {
        gboolean is_taken = gcl_account_take(&client->account, question->bytes);
        return tell_memory(client, is_taken ? question->bytes : 0) ? NULL : "it doesn't read";
    }
    if (question->kind == GCL_AGENT_GIVE && is_in) {
        if (!gcl_account_give(&client->account, question->bytes))
            return "it gives back memory that it hasn't got";
        gcl_agent_admit(client->agent);
        return tell_memory(client, 0) ? NULL : "it doesn't read";
    }
    return "it asks what nobody may ask who is where it is";
}

static gboolean heard(gint fd, GIOCondition condition, gpointer data);

static void listen_to(struct gcl_client *client) {
    client->sources[0] =
        g_unix_fd_add(client->socket, G_IO_IN | G_IO_HUP | G_IO_ERR, heard, client);
}

static gboolean hear_again(gpointer data) {
    struct gcl_client *client = data;
    client->pause = 0;
    listen_to(client);
    return G_SOURCE_REMOVE;
}

/// Doesn't listen for a while, so that others are heard.
static void pause_client(struct gcl_client *client) {
    enum { PAUSE_MS = 500 };
    if (client->pause)
        return;
    g_source_remove(client->sources[0]);
    client->sources[0] = 0;
    client->pause = g_timeout_add(PAUSE_MS, hear_again, client);
}

/// Whether it asks more often than there is time for.
static gboolean is_flood(struct gcl_client *client) {
    int64_t now_us = g_get_monotonic_time();
    if (now_us - client->counted_us > G_USEC_PER_SEC) {
        client->counted_us = now_us;
        client->messages = 0;
    }
    return ++client->messages > MOST_MESSAGES;
}

static gboolean heard(gint fd, GIOCondition condition, gpointer data) {
    struct gcl_client *client = data;
    struct gcl_agent_message question;
    int files[GCL_AGENT_FILES];
    const char *why = NULL;
    (void)condition;
    if (!gcl_agent_receive(fd, true, &question, files)) {
        gcl_client_destroy(client, errno == EPROTO ? "it says what gclusterd doesn't know" : NULL);
        return G_SOURCE_CONTINUE; // removed already
    }
    for (size_t i = 0; i < GCL_AGENT_FILES; i++) {
        if (files[i] < 0)
            continue;
        why = "it sends files, which nobody asked for";
        close(files[i]);
    }
    if (!why && is_flood(client))
        pause_client(client);
    if (!why)
        why = answer(client, &question);
    if (why)
        gcl_client_destroy(client, why);
    return G_SOURCE_CONTINUE;
}

/// The process has ended; children of it may still have its socket.
static gboolean ended(gint fd, GIOCondition condition, gpointer data) {
    (void)fd, (void)condition;
    gcl_client_destroy(data, NULL);
    return G_SOURCE_CONTINUE;
}

void gcl_client_create(struct gcl_agent *agent, int socket) {
    struct gcl_client *client = g_new0(struct gcl_client, 1);
    socklen_t size = sizeof client->peer;
    client->agent = agent;
    client->socket = socket;
    client->process = client->bell = client->page = -1;
    client->since_us = g_get_monotonic_time();
    g_queue_push_tail(&agent->clients, client);
    if (getsockopt(socket, SOL_SOCKET, SO_PEERCRED, &client->peer, &size) != 0) {
        gcl_client_destroy(client, "the system doesn't say who it is");
        return;
    }
    client->user = user_of(agent, client->peer.uid);
    if (++client->user->connections >
        2 * gcl_settings_of(agent->settings, client->peer.uid)->clients) {
        gcl_client_destroy(client, "its user has as many connections as may be");
        return;
    }
    if (client->peer.pid > 0) // else it is of another namespace, which can't be seen from here
        client->process = pidfd_open(client->peer.pid, 0);
    if (client->process >= 0)
        client->sources[1] = g_unix_fd_add(client->process, G_IO_IN, ended, client);
    listen_to(client);
    client->patience = g_timeout_add_seconds(HELLO_SECONDS, lose_patience, client);
}
