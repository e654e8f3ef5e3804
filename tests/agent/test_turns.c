// An agent with clients of this process, whose leases the test uses as programs would.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cmocka.h>

#include "client.h"

enum { CLIENTS = 3, LONG_MS = 600 };

struct party {
    struct gcl_agent agent;
    struct gcl_client *clients[CLIENTS];
    int sockets[CLIENTS];
};

static struct gcl_settings *make_settings(void) {
    struct gcl_settings *settings = g_new0(struct gcl_settings, 1);
    *settings = (struct gcl_settings){
        .memory = 1000,
        .clients = CLIENTS,
        .share = {.memory = 1000, .client_memory = 1000, .clients = CLIENTS, .weight = 1},
        .users = g_hash_table_new_full(g_direct_hash, g_direct_equal, NULL, g_free)};
    return settings;
}

static void iterate(void) {
    while (g_main_context_iteration(NULL, FALSE))
        ;
}

static void pass(int ms) {
    for (int64_t end = g_get_monotonic_time() + ms * 1000; g_get_monotonic_time() < end;) {
        iterate();
        g_usleep(100);
    }
}

static void await_word(const struct gcl_client *client, uint32_t word) {
    for (int64_t end = g_get_monotonic_time() + 10 * G_USEC_PER_SEC;
         atomic_load(&client->lease->word) != word && g_get_monotonic_time() < end;)
        pass(1);
    assert_int_equal(atomic_load(&client->lease->word), word);
}

static void begin(struct party *party) {
    const struct gcl_agent_message hello = gcl_agent_message(GCL_AGENT_HELLO, "test");
    gcl_agent_init(&party->agent, make_settings());
    for (int i = 0; i < CLIENTS; i++) {
        int sockets[2];
        assert_int_equal(socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_NONBLOCK, 0, sockets), 0);
        gcl_client_create(&party->agent, sockets[1]);
        party->clients[i] = g_queue_peek_tail(&party->agent.clients);
        party->sockets[i] = sockets[0];
        assert_true(gcl_agent_send(sockets[0], &hello, NULL, 0));
        iterate();
        assert_int_equal(party->clients[i]->state, GCL_CLIENT_IN);
    }
}

static void end(struct party *party) {
    gcl_agent_finish(&party->agent);
    for (int i = 0; i < CLIENTS; i++)
        close(party->sockets[i]);
}

static void set_word(struct gcl_client *client, enum gcl_lease_state state, uint32_t threads) {
    atomic_store(&client->lease->word, (uint32_t)state + threads * GCL_LEASE_STATES);
}

static uint32_t word_of(const struct gcl_client *client) {
    return atomic_load(&client->lease->word);
}

/// Whoever has used least has the device, and keeps it for a moment without beginning.
static void lends_to_one(void **state) {
    struct party party;
    (void)state;
    begin(&party);
    for (int i = 0; i < CLIENTS; i++) {
        party.clients[i]->sharer.time = CLIENTS - i;
        set_word(party.clients[i], GCL_LEASE_WANTED, 0);
    }
    gcl_agent_schedule(&party.agent);
    gcl_agent_schedule(&party.agent);
    assert_int_equal(word_of(party.clients[2]), GCL_LEASE_HELD);
    assert_int_equal(word_of(party.clients[1]), GCL_LEASE_WANTED);
    assert_int_equal(word_of(party.clients[0]), GCL_LEASE_WANTED);
    end(&party);
}

/// A turn begins anew with each holder, however the last one ended.
static void asks_each_holder_back(void **state) {
    struct party party;
    (void)state;
    begin(&party);
    set_word(party.clients[0], GCL_LEASE_WANTED, 0);
    gcl_agent_schedule(&party.agent);
    set_word(party.clients[0], GCL_LEASE_HELD, 1);
    set_word(party.clients[1], GCL_LEASE_WANTED, 0);
    gcl_agent_schedule(&party.agent);
    await_word(party.clients[0], GCL_LEASE_RECALLED + GCL_LEASE_STATES);
    gcl_client_destroy(party.clients[0], NULL);
    assert_int_equal(word_of(party.clients[1]), GCL_LEASE_HELD);
    set_word(party.clients[1], GCL_LEASE_HELD, 1);
    set_word(party.clients[2], GCL_LEASE_WANTED, 0);
    gcl_agent_schedule(&party.agent);
    assert_ptr_equal(party.agent.holder, party.clients[1]);
    await_word(party.clients[1], GCL_LEASE_RECALLED + GCL_LEASE_STATES);
    await_word(party.clients[2], GCL_LEASE_HELD); // though it isn't given back
    assert_true(party.clients[1]->is_overdue);
    end(&party);
}

/// A client that gives the device back at once, and says that it hasn't computed, pays for it.
static void believes_nobody(void **state) {
    struct party party;
    (void)state;
    begin(&party);
    set_word(party.clients[0], GCL_LEASE_WANTED, 0);
    gcl_agent_schedule(&party.agent);
    double before = party.clients[0]->sharer.time;
    pass(3);
    set_word(party.clients[0], GCL_LEASE_NONE, 0);
    gcl_agent_schedule(&party.agent);
    assert_true(party.clients[0]->sharer.time - before >= 2e6);
    end(&party);
}

/// Each wants the device always, and gives it back when it is asked to.
static void shares_by_weight(void **state) {
    struct party party;
    unsigned turns[CLIENTS] = {0};
    (void)state;
    begin(&party);
    for (int i = 0; i < CLIENTS; i++) {
        party.clients[i]->sharer.weight = 1u << (2 * i);
        set_word(party.clients[i], GCL_LEASE_WANTED, 0);
    }
    for (int64_t end_us = g_get_monotonic_time() + LONG_MS * 1000;
         g_get_monotonic_time() < end_us;) {
        for (int i = 0; i < CLIENTS; i++) {
            uint32_t word = word_of(party.clients[i]);
            if (word == GCL_LEASE_HELD) {
                set_word(party.clients[i], GCL_LEASE_HELD, 1);
                turns[i]++;
            } else if (word == GCL_LEASE_RECALLED + GCL_LEASE_STATES) {
                set_word(party.clients[i], GCL_LEASE_WANTED, 0);
            }
        }
        gcl_agent_schedule(&party.agent);
        pass(1);
    }
    assert_true(turns[0] > 0 && turns[1] > 2 * turns[0] && turns[2] > 2 * turns[1]);
    end(&party);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lends_to_one),
        cmocka_unit_test(asks_each_holder_back),
        cmocka_unit_test(believes_nobody),
        cmocka_unit_test(shares_by_weight),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
