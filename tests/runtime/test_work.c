// Law: whatever the threads do, each unit is claimed exactly once.
#include <pthread.h>
#include <stdlib.h>

#include "check.h"
#include "exec/engine/work.h"

enum { UNITS = 20000, SLOTS = 3, THREADS = 6, ROUNDS = 20 };

static struct gcl_work work;
static _Atomic int claims[UNITS];
static pthread_barrier_t barrier;

static void *claim(void *argument) {
    uint32_t slot = (uint32_t)(uintptr_t)argument, begin, end;
    pthread_barrier_wait(&barrier);
    for (uint32_t most = 1; gcl_work_claim(&work, slot, most, &begin, &end); most = most % 7 + 1) {
        assert_true(end - begin <= most);
        for (uint32_t i = begin; i < end; i++)
            atomic_fetch_add(&claims[i], 1);
    }
    return NULL;
}

static void claim_all(uint32_t slot_count, uint32_t unit_count) {
    static struct gcl_work_slot slots[SLOTS];
    pthread_t threads[THREADS];

    gcl_work_start(&work, slot_count > 1 ? slots : NULL, slot_count, unit_count);
    pthread_barrier_init(&barrier, NULL, THREADS);
    for (uintptr_t i = 0; i < THREADS; i++) // those from slot_count on are guests
        pthread_create(&threads[i], NULL, claim, (void *)i);
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    pthread_barrier_destroy(&barrier);
    assert_int_equal(gcl_work_left(&work), 0);
    for (uint32_t i = 0; i < UNITS; i++)
        assert_int_equal(atomic_exchange(&claims[i], 0), i < unit_count);
}

static void each_unit_once(void **state) {
    (void)state;
    for (int round = 0; round < ROUNDS; round++) {
        claim_all(SLOTS, UNITS);
        claim_all(SLOTS, 2);
        claim_all(1, UNITS);
        claim_all(1, 1);
    }
}

static void large_counts(void **state) {
    static struct gcl_work_slot slots[SLOTS];
    uint32_t begin, end;
    uint64_t sum = 0;
    (void)state;
    gcl_work_start(&work, slots, SLOTS, UINT32_C(1) << 31);
    while (gcl_work_claim(&work, 1, UINT32_MAX, &begin, &end))
        sum += end - begin;
    assert_int_equal(sum, UINT64_C(1) << 31);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_unit_once),
        cmocka_unit_test(large_counts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
