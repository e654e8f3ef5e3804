// An agent with clients of this process, whose leases the test uses as programs would. What has to
// be seen before the agent takes the device from who is slow is tried again where another process
// had the processor meanwhile.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cmocka.h>

#include "party.h"

enum {
    CLIENTS = 3,
    LONG_MS = 600,
    BEGIN_US = 500, ///< less than who has got the device has to begin,
    BACK_US = 5000  ///< and than who is asked for it has to give it back
};

struct meeting {
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

/// The agent does what it does next, and no more, so that a test misses nothing of it.
static void step(void) {
    if (!g_main_context_iteration(NULL, FALSE))
        g_usleep(100);
}

/// Returns when the word wasn't there yet for the last time.
static int64_t await_word(const struct gcl_client *client, uint32_t word) {
    int64_t now = g_get_monotonic_time(), end = now + 10 * G_USEC_PER_SEC;
    for (; atomic_load(&client->lease->word) != word && now < end; step())
        now = g_get_monotonic_time();
    assert_int_equal(atomic_load(&client->lease->word), word);
    return now;
}

/// Lets clients in, which are of the jobs of these numbers.
static void begin_jobs(struct meeting *meeting, const uint64_t jobs[CLIENTS]) {
    struct gcl_agent_message hello = gcl_agent_message(GCL_AGENT_HELLO, "test");
    gcl_agent_init(&meeting->agent, make_settings());
    for (int i = 0; i < CLIENTS; i++) {
        int sockets[2];
        assert_int_equal(socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_NONBLOCK, 0, sockets), 0);
        gcl_client_create(&meeting->agent, sockets[1]);
        meeting->clients[i] = g_queue_peek_tail(&meeting->agent.clients);
        meeting->sockets[i] = sockets[0];
        hello.job = jobs[i];
        assert_true(gcl_agent_send(sockets[0], &hello, NULL, 0));
        iterate();
        assert_int_equal(meeting->clients[i]->state, GCL_CLIENT_IN);
    }
}

static void begin(struct meeting *meeting) {
    begin_jobs(meeting, (const uint64_t[CLIENTS]){0});
}

static void end(struct meeting *meeting) {
    gcl_agent_finish(&meeting->agent);
    for (int i = 0; i < CLIENTS; i++)
        close(meeting->sockets[i]);
}

static void set_word(struct gcl_client *client, enum gcl_lease_state state, uint32_t threads) {
    atomic_store(&client->lease->word, (uint32_t)state + threads * GCL_LEASE_STATES);
}

static uint32_t word_of(const struct gcl_client *client) {
    return atomic_load(&client->lease->word);
}

/// False: that took too long.
static bool try_lending_to_one(void) {
    struct meeting meeting;
    begin(&meeting);
    for (int i = 0; i < CLIENTS; i++) {
        meeting.clients[i]->party->sharer.time = CLIENTS - i;
        set_word(meeting.clients[i], GCL_LEASE_WANTED, 0);
    }
    int64_t begin_us = g_get_monotonic_time();
    gcl_agent_schedule(&meeting.agent);
    gcl_agent_schedule(&meeting.agent);
    bool is_soon = g_get_monotonic_time() - begin_us < BEGIN_US;
    if (is_soon) {
        assert_int_equal(word_of(meeting.clients[2]), GCL_LEASE_HELD);
        assert_int_equal(word_of(meeting.clients[1]), GCL_LEASE_WANTED);
        assert_int_equal(word_of(meeting.clients[0]), GCL_LEASE_WANTED);
    }
    end(&meeting);
    return is_soon;
}

/// Whoever has used least has the device, and keeps it for a moment without beginning.
static void lends_to_one(void **state) {
    (void)state;
    while (!try_lending_to_one())
        ;
}

/// A turn begins anew with each holder, however the last one ended.
static void asks_each_holder_back(void **state) {
    struct meeting meeting;
    (void)state;
    begin(&meeting);
    set_word(meeting.clients[0], GCL_LEASE_WANTED, 0);
    gcl_agent_schedule(&meeting.agent);
    set_word(meeting.clients[0], GCL_LEASE_HELD, 1);
    set_word(meeting.clients[1], GCL_LEASE_WANTED, 0);
    gcl_agent_schedule(&meeting.agent);
    await_word(meeting.clients[0], GCL_LEASE_RECALLED + GCL_LEASE_STATES);
    gcl_client_destroy(meeting.clients[0], NULL);
    assert_int_equal(word_of(meeting.clients[1]), GCL_LEASE_HELD);
    set_word(meeting.clients[1], GCL_LEASE_HELD, 1);
    set_word(meeting.clients[2], GCL_LEASE_WANTED, 0);
    gcl_agent_schedule(&meeting.agent);
    assert_ptr_equal(meeting.agent.holder, meeting.clients[1]->party);
    await_word(meeting.clients[1], GCL_LEASE_RECALLED + GCL_LEASE_STATES);
    await_word(meeting.clients[2], GCL_LEASE_HELD); // though it isn't given back
    assert_true(meeting.clients[1]->is_overdue);
    end(&meeting);
}

/// A client that gives the device back at once, and says that it hasn't computed, pays for it.
static void believes_nobody(void **state) {
    struct meeting meeting;
    (void)state;
    begin(&meeting);
    set_word(meeting.clients[0], GCL_LEASE_WANTED, 0);
    gcl_agent_schedule(&meeting.agent);
    double before = meeting.clients[0]->party->sharer.time;
    pass(3);
    set_word(meeting.clients[0], GCL_LEASE_NONE, 0);
    gcl_agent_schedule(&meeting.agent);
    assert_true(meeting.clients[0]->party->sharer.time - before >= 2e6);
    end(&meeting);
}

/// Uses the device where it is lent, and gives it back where that is asked for. Counts turns.
static void answer(const struct meeting *meeting, unsigned turns[CLIENTS]) {
    for (int i = 0; i < CLIENTS; i++) {
        uint32_t word = word_of(meeting->clients[i]);
        if (word == GCL_LEASE_HELD) {
            set_word(meeting->clients[i], GCL_LEASE_HELD, 1);
            turns[i]++;
        } else if (word == GCL_LEASE_RECALLED + GCL_LEASE_STATES) {
            set_word(meeting->clients[i], GCL_LEASE_WANTED, 0);
        }
    }
}

/// Each wants the device always, and gives it back when it is asked to.
static void shares_by_weight(void **state) {
    struct meeting meeting;
    unsigned turns[CLIENTS] = {0};
    (void)state;
    begin(&meeting);
    for (int i = 0; i < CLIENTS; i++) {
        meeting.clients[i]->party->sharer.weight = 1u << (2 * i);
        set_word(meeting.clients[i], GCL_LEASE_WANTED, 0);
    }
    for (int64_t end_us = g_get_monotonic_time() + LONG_MS * 1000;
         g_get_monotonic_time() < end_us;) {
        answer(&meeting, turns);
        gcl_agent_schedule(&meeting.agent);
        answer(&meeting, turns);
        step();
    }
    assert_true(turns[0] > 0 && turns[1] > 2 * turns[0] && turns[2] > 2 * turns[1]);
    end(&meeting);
}

/// False: that took too long.
static bool try_lending_to_jobs(void) {
    struct meeting meeting;
    begin_jobs(&meeting, (const uint64_t[CLIENTS]){7, 7, 0});
    struct gcl_client **clients = meeting.clients;
    assert_ptr_equal(clients[0]->party, clients[1]->party);
    clients[2]->party->sharer.time = 1;
    set_word(clients[0], GCL_LEASE_WANTED, 0);
    gcl_agent_schedule(&meeting.agent);
    set_word(clients[1], GCL_LEASE_WANTED, 0);
    gcl_agent_schedule(&meeting.agent);
    for (int i = 0; i < 2; i++) {
        assert_int_equal(word_of(clients[i]), GCL_LEASE_HELD);
        set_word(clients[i], GCL_LEASE_HELD, 1);
    }
    set_word(clients[2], GCL_LEASE_WANTED, 0);
    gcl_agent_schedule(&meeting.agent);
    int64_t recalled_us = await_word(clients[0], GCL_LEASE_RECALLED + GCL_LEASE_STATES);
    await_word(clients[1], GCL_LEASE_RECALLED + GCL_LEASE_STATES);
    set_word(clients[0], GCL_LEASE_WANTED, 0); // it waits for its next turn
    gcl_agent_schedule(&meeting.agent);
    bool is_soon = g_get_monotonic_time() - recalled_us < BACK_US;
    if (is_soon) {
        assert_int_equal(word_of(clients[0]), GCL_LEASE_WANTED);
        assert_int_equal(word_of(clients[2]), GCL_LEASE_WANTED);
        gcl_client_destroy(clients[1], NULL);
        assert_int_equal(word_of(clients[2]), GCL_LEASE_HELD);
        await_word(clients[0], GCL_LEASE_HELD);
    }
    end(&meeting);
    return is_soon;
}

/// Nodes of a job have the device together, and it is another's when all have given it back.
static void lends_to_jobs(void **state) {
    (void)state;
    while (!try_lending_to_jobs())
        ;
}

/// A node that has got the device with its job's only now keeps it, though it hasn't begun.
static void lends_to_latecomers(void **state) {
    enum { BEFORE_US = 1000, LATE_US = 2000 };
    struct meeting meeting;
    (void)state;
    begin_jobs(&meeting, (const uint64_t[CLIENTS]){7, 7, 7});
    struct gcl_party *party = meeting.clients[0]->party;
    for (int i = 0; i < CLIENTS; i++) {
        set_word(meeting.clients[i], GCL_LEASE_WANTED, 0);
        gcl_party_grant(party, i == 0 ? BEFORE_US : LATE_US);
    }
    set_word(meeting.clients[2], GCL_LEASE_HELD, 1);
    assert_false(gcl_party_contest(party, LATE_US));
    assert_int_equal(word_of(meeting.clients[0]), GCL_LEASE_NONE);
    assert_int_equal(word_of(meeting.clients[1]), GCL_LEASE_HELD);
    assert_false(gcl_party_contest(party, LATE_US + 1));
    assert_int_equal(word_of(meeting.clients[1]), GCL_LEASE_NONE);
    assert_int_equal(word_of(meeting.clients[2]), GCL_LEASE_CONTESTED + GCL_LEASE_STATES);
    end(&meeting);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lends_to_one),    cmocka_unit_test(asks_each_holder_back),
        cmocka_unit_test(believes_nobody), cmocka_unit_test(shares_by_weight),
        cmocka_unit_test(lends_to_jobs),   cmocka_unit_test(lends_to_latecomers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
