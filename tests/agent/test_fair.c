// Who has the device when: by weight among those that always want it, first those that seldom do,
// and memory within every limit above it.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "fair.h"
#include "ledger.h"

enum { SHARERS = 3, TURNS = 6000 };

/// Serves whoever is next for one turn, after which it wants the device again.
static struct gcl_sharer *serve(struct gcl_fair *fair) {
    struct gcl_sharer *next = gcl_fair_next(fair);
    gcl_fair_serve(fair, next);
    gcl_fair_charge(next, GCL_FAIR_TURN_NS);
    gcl_fair_want(fair, next);
    return next;
}

static void shares_by_weight(void **state) {
    struct gcl_fair fair = {.now = 0};
    struct gcl_sharer sharers[SHARERS];
    unsigned served[SHARERS] = {0};
    (void)state;
    for (unsigned i = 0; i < SHARERS; i++) {
        gcl_fair_join(&fair, &sharers[i], i + 1);
        gcl_fair_want(&fair, &sharers[i]);
    }
    for (int i = 0; i < TURNS; i++)
        served[serve(&fair) - sharers]++;
    for (unsigned i = 0; i < SHARERS; i++)
        assert_in_range(served[i], TURNS * (i + 1) / 6 - 2, TURNS * (i + 1) / 6 + 2);
    g_queue_clear(&fair.sharers);
}

static void is_quick_with_who_seldom_wants(void **state) {
    struct gcl_fair fair = {.now = 0};
    struct gcl_sharer busy[2], rare;
    (void)state;
    for (int i = 0; i < 2; i++) {
        gcl_fair_join(&fair, &busy[i], 1);
        gcl_fair_want(&fair, &busy[i]);
    }
    gcl_fair_join(&fair, &rare, 1);
    for (int i = 0; i < TURNS; i++) {
        if (i % 10 == 9) {
            gcl_fair_want(&fair, &rare);
            assert_ptr_equal(gcl_fair_next(&fair), &rare);
            gcl_fair_serve(&fair, &rare);
            gcl_fair_charge(&rare, GCL_FAIR_TURN_NS / 2);
        }
        serve(&fair);
    }
    g_queue_clear(&fair.sharers);
}

static void saves_nothing_up(void **state) {
    struct gcl_fair fair = {.now = 0};
    struct gcl_sharer busy, late;
    unsigned served = 0;
    (void)state;
    gcl_fair_join(&fair, &late, 1);
    gcl_fair_join(&fair, &busy, 1);
    gcl_fair_want(&fair, &busy);
    for (int i = 0; i < TURNS; i++)
        assert_ptr_equal(serve(&fair), &busy);
    gcl_fair_want(&fair, &late);
    for (int i = 0; i < 100; i++)
        served += serve(&fair) == &late;
    assert_in_range(served, 50, 52);
    g_queue_clear(&fair.sharers);
}

static void forgets_who_leaves(void **state) {
    struct gcl_fair fair = {.now = 0};
    struct gcl_sharer sharers[SHARERS];
    (void)state;
    for (int i = 0; i < SHARERS; i++) {
        gcl_fair_join(&fair, &sharers[i], 1);
        gcl_fair_want(&fair, &sharers[i]);
    }
    gcl_fair_leave(&fair, &sharers[1]);
    gcl_fair_leave(&fair, &sharers[0]);
    assert_ptr_equal(gcl_fair_next(&fair), &sharers[2]);
    gcl_fair_leave(&fair, &sharers[2]);
    assert_null(gcl_fair_next(&fair));
}

static void keeps_to_limits(void **state) {
    struct gcl_account device = {.limit = 100}, user = {.limit = 80, .parent = &device},
                       one = {.limit = UINT64_MAX, .parent = &user},
                       other = {.limit = 50, .parent = &device};
    (void)state;
    assert_true(gcl_account_take(&one, 70));
    assert_int_equal(gcl_account_free(&one), 10);
    assert_int_equal(gcl_account_free(&other), 30);
    assert_ptr_equal(gcl_account_lacking(&one, 11), &user);
    assert_false(gcl_account_take(&one, 11));
    assert_ptr_equal(gcl_account_lacking(&other, 40), &device);
    assert_ptr_equal(gcl_account_lacking(&other, 51), &other);
    assert_false(gcl_account_take(&other, UINT64_MAX)); // which no sum may go round with
    assert_true(gcl_account_take(&other, 30));
    assert_int_equal(device.taken, 100);
    device.limit = 10; // below what is taken: nobody loses it
    assert_int_equal(gcl_account_free(&one), 0);
    assert_true(gcl_account_take(&one, 0));
    assert_false(gcl_account_take(&one, 1));
    assert_false(gcl_account_give(&one, 71));
    assert_int_equal(device.taken, 100);
    assert_true(gcl_account_give(&one, 70));
    assert_int_equal(user.taken, 0);
    assert_int_equal(device.taken, 30);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(shares_by_weight), cmocka_unit_test(is_quick_with_who_seldom_wants),
        cmocka_unit_test(saves_nothing_up), cmocka_unit_test(forgets_who_leaves),
        cmocka_unit_test(keeps_to_limits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
