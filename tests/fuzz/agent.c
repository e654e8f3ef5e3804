// An agent with three clients that send it any messages: whatever they are, it counts no byte twice
// and loses none, and its line and its turns hold only clients that are there.
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/agent_wire.h"
#include "books.h"
#include "client.h"

enum { CLIENTS = 3, DEVICE = 1000, USER = 900, CLIENT = 600 };

/// A step of the input: which client sends, and how its message differs from a good one.
struct step {
    uint8_t client, kind;
    uint8_t spoilt; ///< 0: nothing; otherwise this byte of the message is another one
    uint8_t number;
    uint16_t bytes;
} __attribute__((packed));

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool holds) {
    if (!holds)
        abort();
}

static void print_nothing(const gchar *text) {
    (void)text;
}

static struct gcl_settings *make_settings(void) {
    struct gcl_settings *settings = g_new0(struct gcl_settings, 1);
    *settings = (struct gcl_settings){
        .memory = DEVICE,
        .gpu_memory = DEVICE,
        .clients = 2,
        .share = {.memory = USER,
                  .client_memory = CLIENT,
                  .gpu_memory = USER,
                  .client_gpu_memory = CLIENT,
                  .clients = 2,
                  .weight = 1},
        .users = g_hash_table_new_full(g_direct_hash, g_direct_equal, NULL, g_free)};
    return settings;
}

static void connect_client(struct gcl_agent *agent, int *end) {
    int sockets[2];
    require(socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_NONBLOCK | SOCK_CLOEXEC, 0, sockets) == 0);
    *end = sockets[0];
    gcl_client_create(agent, sockets[1]);
}

static void send_step(const struct step *step, int end) {
    static const uint8_t kinds[] = {GCL_AGENT_HELLO, GCL_AGENT_TAKE, GCL_AGENT_GIVE, GCL_AGENT_ASK};
    struct gcl_agent_message message = gcl_agent_message(kinds[step->kind % 4], "name");
    unsigned char bytes[sizeof message];
    message.bytes = step->bytes == UINT16_MAX ? UINT64_MAX : step->bytes;
    message.number = step->number;
    message.job = step->number % 3;
    message.gpu[0] = step->number / 4 % 3;
    message.total = step->number * 8u;
    memcpy(bytes, &message, sizeof bytes);
    if (step->spoilt)
        bytes[step->spoilt % sizeof bytes] ^= step->number;
    ssize_t sent = send(end, bytes, sizeof bytes - step->spoilt / 250u, MSG_NOSIGNAL);
    (void)sent; // who has been cut off sends in vain
}

/// Takes what the agent has sent.
static void drain(int end) {
    struct gcl_agent_message message;
    int files[GCL_AGENT_FILES];
    while (gcl_agent_receive(end, false, &message, files)) {
        for (int i = 0; i < GCL_AGENT_FILES; i++) {
            if (files[i] >= 0)
                close(files[i]);
        }
    }
}

/// What clients have of a device is what its books say.
static void check_books(const struct gcl_agent *agent, const struct gcl_books *books) {
    uint64_t taken = 0;
    unsigned clients = books == gcl_agent_books(agent);
    for (const GList *at = agent->clients.head; at; at = at->next) {
        const struct gcl_client *client = at->data;
        taken += client->books == books ? client->account.taken : 0;
        clients += client->books == books;
    }
    require(taken == books->all.taken && taken <= USER && clients == books->clients);
}

static void check(const struct gcl_agent *agent) {
    unsigned admitted = 0;
    for (const GList *at = agent->clients.head; at; at = at->next) {
        const struct gcl_client *client = at->data;
        require(client->account.taken <= CLIENT);
        require(client->state == GCL_CLIENT_IN || client->account.taken == 0);
        admitted += client->state == GCL_CLIENT_IN;
    }
    require(admitted == agent->admitted && admitted <= 2);
    for (const GList *at = agent->books.head; at; at = at->next)
        check_books(agent, at->data);
    for (const GList *at = agent->line.head; at; at = at->next)
        require(g_queue_find((GQueue *)&agent->clients, at->data) != NULL);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    struct gcl_agent agent;
    struct step step;
    int ends[CLIENTS];
    g_set_printerr_handler(print_nothing);
    gcl_agent_init(&agent, make_settings());
    for (int i = 0; i < CLIENTS; i++)
        connect_client(&agent, &ends[i]);
    for (size_t at = 0; at + sizeof step <= size; at += sizeof step) {
        memcpy(&step, data + at, sizeof step);
        int *end = &ends[step.client % CLIENTS];
        if (step.kind % 8 == 7) { // it ends, and another one comes
            close(*end);
            connect_client(&agent, end);
        } else {
            send_step(&step, *end);
        }
        while (g_main_context_iteration(NULL, FALSE))
            ;
        drain(*end);
        check(&agent);
    }
    gcl_agent_finish(&agent);
    for (int i = 0; i < CLIENTS; i++)
        close(ends[i]);
    return 0;
}
