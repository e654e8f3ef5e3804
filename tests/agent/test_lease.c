// Two clients share a device by leases, and never compute at the same time, whatever their threads
// do; the agent gets the device back.
#include <poll.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/lease.h"

enum { CLIENTS = 2, THREADS = 3, TIMES = 300 };

static struct gcl_lease leases[CLIENTS];
static struct gcl_lease_end ends[CLIENTS];
static _Atomic int computing[CLIENTS], left, turns;

static void *compute(void *argument) {
    uintptr_t client = (uintptr_t)argument;
    for (int i = 0; i < TIMES; i++) {
        assert_true(gcl_lease_enter(&ends[client]));
        atomic_fetch_add(&computing[client], 1);
        assert_int_equal(atomic_load(&computing[!client]), 0);
        atomic_fetch_sub(&computing[client], 1);
        gcl_lease_leave(&ends[client], 1);
    }
    atomic_fetch_sub(&left, 1);
    return NULL;
}

static void hear(int bell) {
    struct pollfd poller = {.fd = bell, .events = POLLIN};
    uint64_t times;
    if (poll(&poller, 1, 1) > 0)
        assert_int_equal(read(bell, &times, sizeof times), sizeof times);
}

/// Lends the device to one after the other, and asks it back at once.
static void share(void) {
    for (int next = 0; atomic_load(&left) > 0; next = !next) {
        hear(ends[next].bell);
        if (!gcl_lease_is_wanted(&leases[next]))
            continue;
        gcl_lease_grant(&leases[next]);
        atomic_fetch_add(&turns, 1);
        for (bool is_back = gcl_lease_recall(&leases[next]); !is_back;
             is_back = gcl_lease_is_back(&leases[next]))
            hear(ends[next].bell);
    }
}

static void excludes_others(void **state) {
    pthread_t threads[CLIENTS][THREADS];
    (void)state;
    atomic_store(&left, CLIENTS * THREADS);
    for (uintptr_t i = 0; i < CLIENTS; i++) {
        ends[i] = (struct gcl_lease_end){.lease = &leases[i], .bell = eventfd(0, 0)};
        for (int k = 0; k < THREADS; k++)
            pthread_create(&threads[i][k], NULL, compute, (void *)i);
    }
    share();
    for (int i = 0; i < CLIENTS; i++) {
        for (int k = 0; k < THREADS; k++)
            pthread_join(threads[i][k], NULL);
        assert_int_equal(atomic_load(&leases[i].busy_ns), THREADS * TIMES);
        close(ends[i].bell);
    }
    assert_true(atomic_load(&turns) >= CLIENTS);
}

static void stays_without_others(void **state) {
    struct gcl_lease lease = {.word = GCL_LEASE_NONE};
    const struct gcl_lease_end end = {.lease = &lease, .bell = eventfd(0, EFD_NONBLOCK)};
    uint64_t times;
    (void)state;
    atomic_store(&lease.word, GCL_LEASE_WANTED);
    gcl_lease_grant(&lease);
    for (int i = 0; i < 3; i++) {
        assert_true(gcl_lease_enter(&end));
        assert_false(gcl_lease_is_back(&lease));
        gcl_lease_leave(&end, 5);
    }
    assert_int_equal(read(end.bell, &times, sizeof times), -1); // nobody had to be told
    assert_true(gcl_lease_contest(&lease));                     // nobody computes
    assert_true(gcl_lease_is_back(&lease));
    assert_int_equal(atomic_load(&lease.busy_ns), 15);
    atomic_store(&lease.word, GCL_LEASE_HELD);
    assert_true(gcl_lease_enter(&end));
    assert_false(gcl_lease_contest(&lease)); // somebody computes
    assert_true(gcl_lease_enter(&end));
    assert_false(gcl_lease_is_recalled(&end));
    gcl_lease_leave(&end, 0);
    assert_false(gcl_lease_is_back(&lease));
    gcl_lease_leave(&end, 0);
    assert_true(gcl_lease_is_back(&lease));
    assert_int_equal(read(end.bell, &times, sizeof times), sizeof times);
    close(end.bell);
}

static void *enter_gone(void *argument) {
    return (void *)(uintptr_t)gcl_lease_enter(argument);
}

static void ends_for_all(void **state) {
    struct gcl_lease lease = {.word = GCL_LEASE_NONE};
    struct gcl_lease_end end = {.lease = &lease, .bell = eventfd(0, 0)};
    pthread_t thread;
    void *has_entered;
    (void)state;
    pthread_create(&thread, NULL, enter_gone, &end);
    while (!gcl_lease_is_wanted(&lease))
        ;
    gcl_lease_close(&end);
    pthread_join(thread, &has_entered);
    assert_null(has_entered);
    gcl_lease_grant(&lease); // too late
    assert_false(gcl_lease_enter(&end));
    close(end.bell);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(excludes_others),
        cmocka_unit_test(stays_without_others),
        cmocka_unit_test(ends_for_all),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
