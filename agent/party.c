#include "party.h"

struct gcl_party *gcl_party_of(struct gcl_sharer *sharer) {
    return (struct gcl_party *)((char *)sharer - offsetof(struct gcl_party, sharer));
}

/// The party that a user's job has already. NULL: none.
static struct gcl_party *find(const struct gcl_agent *agent, uid_t user, uint64_t job) {
    for (const GList *at = agent->clients.head; job && at; at = at->next) {
        const struct gcl_client *other = at->data;
        if (other->party && other->peer.uid == user && other->party->job == job)
            return other->party;
    }
    return NULL;
}

void gcl_party_join(struct gcl_client *client, uint64_t job, unsigned weight) {
    struct gcl_party *party = find(client->agent, client->peer.uid, job);
    if (!party) {
        party = g_new0(struct gcl_party, 1);
        party->job = job;
        gcl_fair_join(&client->agent->fair, &party->sharer, weight);
    }
    client->party = party;
    g_queue_push_tail(&party->members, client);
}

void gcl_party_leave(struct gcl_client *client) {
    struct gcl_party *party = client->party;
    client->party = NULL;
    g_queue_remove(&party->members, client);
    if (!g_queue_is_empty(&party->members))
        return;
    if (client->agent->holder == party)
        client->agent->holder = NULL;
    gcl_fair_leave(&client->agent->fair, &party->sharer);
    g_free(party);
}

void gcl_party_grant(struct gcl_party *party, int64_t now_us) {
    for (GList *at = party->members.head; at; at = at->next) {
        struct gcl_client *member = at->data;
        if (!gcl_lease_is_wanted(member->lease))
            continue;
        member->has_turn = TRUE;
        member->is_overdue = FALSE;
        member->granted_us = now_us;
        gcl_lease_grant(member->lease);
    }
}

/// Asks those who have had it since before `until_us`.
static gboolean ask(struct gcl_party *party, bool (*is_back)(struct gcl_lease *lease),
                    int64_t until_us) {
    gboolean are_back = TRUE;
    for (GList *at = party->members.head; at; at = at->next) {
        struct gcl_client *member = at->data;
        if (member->has_turn && member->granted_us < until_us && is_back(member->lease))
            member->has_turn = FALSE;
        are_back &= !member->has_turn;
    }
    return are_back;
}

gboolean gcl_party_contest(struct gcl_party *party, int64_t until_us) {
    return ask(party, gcl_lease_contest, until_us);
}

gboolean gcl_party_recall(struct gcl_party *party) {
    return ask(party, gcl_lease_recall, INT64_MAX);
}

gboolean gcl_party_is_back(struct gcl_party *party) {
    return ask(party, gcl_lease_is_back, INT64_MAX);
}

void gcl_party_give_up(struct gcl_party *party, int64_t late_us) {
    for (GList *at = party->members.head; at; at = at->next) {
        struct gcl_client *member = at->data;
        if (!member->has_turn)
            continue;
        if (!member->was_overdue)
            gcl_client_log(member, "has kept the device for %d ms after its turn; others go on",
                           (int)(late_us / 1000));
        member->has_turn = FALSE;
        member->is_overdue = member->was_overdue = TRUE;
    }
}

uint64_t gcl_party_count(struct gcl_party *party) {
    uint64_t sum_ns = 0;
    for (GList *at = party->members.head; at; at = at->next) {
        struct gcl_client *member = at->data;
        uint64_t busy_ns = gcl_client_busy(member);
        if (busy_ns > member->busy_ns)
            sum_ns += busy_ns - member->busy_ns;
        member->busy_ns = busy_ns;
    }
    return sum_ns;
}
