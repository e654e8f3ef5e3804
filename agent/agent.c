#include "agent.h"

#include "books.h"
#include "party.h"

enum {
    TURN_US = GCL_FAIR_TURN_NS / 1000,
    WAKE_US = 1000, // who has got the device has so long to begin
    GRACE_US = 10000,
    NS = 1000
};

void gcl_agent_init(struct gcl_agent *agent, struct gcl_settings *settings) {
    *agent = (struct gcl_agent){
        .users = g_hash_table_new_full(g_direct_hash, g_direct_equal, NULL, g_free)};
    g_queue_init(&agent->clients);
    g_queue_init(&agent->line);
    agent->settings = settings;
    gcl_books_open(agent, (const unsigned char[GCL_AGENT_UUID]){0}, 0);
}

struct gcl_books *gcl_agent_books(const struct gcl_agent *agent) {
    return agent->books.head->data;
}

void gcl_agent_finish(struct gcl_agent *agent) {
    while (!g_queue_is_empty(&agent->clients))
        gcl_client_destroy(g_queue_peek_head(&agent->clients), NULL);
    if (agent->timer)
        g_source_remove(agent->timer);
    gcl_books_close(agent, gcl_agent_books(agent));
    g_hash_table_destroy(agent->users);
    gcl_settings_free(agent->settings);
}

// Limits.

static void limit_client(gpointer data, gpointer context) {
    struct gcl_client *client = data;
    const struct gcl_share *share = gcl_settings_of(context, client->peer.uid);
    if (client->books)
        client->account.limit = gcl_books_of_client(client->books, context, client->peer.uid);
    if (client->party)
        client->party->sharer.weight = share->weight;
}

/// The first of those that wait for more than they could ever have.
static struct gcl_client *first_in_vain(const struct gcl_agent *agent) {
    for (const GList *at = agent->line.head; at; at = at->next) {
        if (gcl_client_waits_in_vain(at->data))
            return at->data;
    }
    return NULL;
}

void gcl_agent_configure(struct gcl_agent *agent, struct gcl_settings *settings) {
    gcl_settings_free(agent->settings);
    agent->settings = settings;
    for (GList *at = agent->books.head; at; at = at->next)
        gcl_books_configure(at->data, settings);
    g_queue_foreach(&agent->clients, limit_client, settings);
    for (struct gcl_client *client; (client = first_in_vain(agent));)
        gcl_client_refuse(client);
    gcl_agent_admit(agent);
}

/// The first of those that wait who fits. Of a device's memory nobody gets any that somebody waits
/// for who came before.
static struct gcl_client *first_to_admit(const struct gcl_agent *agent) {
    for (GList *at = agent->books.head; at; at = at->next)
        ((struct gcl_books *)at->data)->is_awaited = FALSE;
    for (const GList *at = agent->line.head; at; at = at->next) {
        struct gcl_client *client = at->data;
        struct gcl_books *books = client->books;
        if (gcl_client_fits(client) && (!books->is_awaited || client->wanted == 0))
            return client;
        books->is_awaited |= gcl_account_lacking(&client->account, client->wanted) == &books->all;
    }
    return NULL;
}

void gcl_agent_admit(struct gcl_agent *agent) {
    struct gcl_client *client;
    while ((client = first_to_admit(agent))) {
        g_queue_remove(&agent->line, client);
        gcl_client_admit(client);
    }
}

// Turns.

static gboolean time_is_up(gpointer data) {
    struct gcl_agent *agent = data;
    agent->timer = 0;
    gcl_agent_schedule(agent);
    return G_SOURCE_REMOVE;
}

/// Looks again after so many microseconds.
static void look_again(struct gcl_agent *agent, int64_t us) {
    if (agent->timer)
        g_source_remove(agent->timer);
    agent->timer = g_timeout_add((guint)(us / 1000 + 1), time_is_up, agent);
}

/// The holder's turn is over. All of it counts, unless it didn't compute when the device was taken
/// back: then what it says.
static void end_turn(struct gcl_agent *agent, int64_t now_us, gboolean was_idle) {
    struct gcl_party *party = agent->holder;
    uint64_t all_ns = (uint64_t)MIN(now_us - agent->granted_us, TURN_US + GRACE_US) * NS;
    // and no less than anybody had the device
    uint64_t said_ns = MAX(gcl_party_count(party), (uint64_t)WAKE_US * NS);
    gcl_fair_charge(&party->sharer, was_idle ? MIN(said_ns, all_ns) : all_ns);
    agent->holder = NULL;
}

/// Somebody else wants the device, too.
static void ask_back(struct gcl_agent *agent, int64_t now_us) {
    struct gcl_party *party = agent->holder;
    int64_t end_us = agent->granted_us + TURN_US;
    if (agent->is_recalled && now_us - end_us >= GRACE_US) {
        gcl_party_give_up(party, GRACE_US);
        end_turn(agent, now_us, FALSE);
    } else if (agent->is_recalled) {
        look_again(agent, end_us + GRACE_US - now_us);
    } else if (now_us - agent->granted_us < WAKE_US) {
        look_again(agent, WAKE_US);
    } else if (gcl_party_contest(party, now_us - WAKE_US)) {
        end_turn(agent, now_us, TRUE);
    } else if (now_us < end_us) {
        look_again(agent, end_us - now_us);
    } else {
        gboolean is_back = gcl_party_recall(party);
        agent->granted_us = now_us - TURN_US; // alone it had all the time it wanted
        agent->is_recalled = TRUE;
        if (is_back)
            end_turn(agent, now_us, FALSE);
        else
            look_again(agent, GRACE_US);
    }
}

static void lend(struct gcl_agent *agent, struct gcl_party *party, int64_t now_us) {
    gcl_fair_serve(&agent->fair, &party->sharer);
    agent->holder = party;
    agent->granted_us = now_us;
    agent->is_recalled = FALSE;
    gcl_party_count(party); // what was computed before has been charged
    gcl_party_grant(party, now_us);
}

static void note_wish(struct gcl_agent *agent, struct gcl_client *client) {
    struct gcl_party *party = client->party;
    if (!party || party == agent->holder)
        return;
    if (client->is_overdue && gcl_lease_is_back(client->lease))
        client->is_overdue = FALSE;
    if (!party->sharer.wants && gcl_lease_is_wanted(client->lease))
        gcl_fair_want(&agent->fair, &party->sharer);
}

static void note_wishes(struct gcl_agent *agent) {
    for (GList *at = agent->clients.head; at; at = at->next)
        note_wish(agent, at->data);
}

void gcl_agent_schedule(struct gcl_agent *agent) {
    int64_t now_us = g_get_monotonic_time();
    if (agent->holder && gcl_party_is_back(agent->holder))
        end_turn(agent, now_us, FALSE);
    note_wishes(agent);
    if (agent->holder && !agent->is_recalled)
        gcl_party_grant(agent->holder, now_us); // to those who come later
    if (agent->holder && gcl_fair_next(&agent->fair))
        ask_back(agent, now_us);
    if (agent->holder)
        return;
    note_wishes(agent); // of who had it
    struct gcl_sharer *next = gcl_fair_next(&agent->fair);
    if (!next)
        return;
    lend(agent, gcl_party_of(next), now_us);
    if (gcl_fair_next(&agent->fair))
        look_again(agent, WAKE_US);
}
