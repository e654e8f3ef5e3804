// Races within a block, and bits of what is written.
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "exec/memory/written.h"
#include "exec/sanitize/hazards.h"
#include "gcluster/sanitize.h"

enum { THREADS = 64, READ = GCL_RACE_READ, WRITE = GCL_RACE_WRITE, ATOMIC = GCL_RACE_ATOMIC };

static struct gcl_hazards hazards;

static int begin(void **state) {
    (void)state;
    return gcl_hazards_begin(&hazards, THREADS) ? 0 : -1;
}

static int end(void **state) {
    (void)state;
    gcl_hazards_finish(&hazards);
    return 0;
}

// The thread of the earlier access, -1: it is no race.
static int access_bytes(unsigned thread, unsigned kinds, uint64_t address, uint64_t size) {
    struct gcl_hazard found;
    struct gcl_hazard_access access = {
        .site = 1, .thread = (uint16_t)thread, .kinds = (uint8_t)kinds};
    if (!gcl_hazards_access(&hazards, &access, address, size, &found))
        return -1;
    return found.other.thread;
}

static void writes_race_until_a_barrier(void **state) {
    (void)state;
    assert_int_equal(access_bytes(1, WRITE, 64, 4), -1);
    assert_int_equal(access_bytes(1, READ, 64, 4), -1);
    assert_int_equal(access_bytes(40, READ, 64, 4), 1);
    assert_int_equal(access_bytes(40, READ, 68, 4), -1);
    gcl_hazards_barrier(&hazards);
    assert_int_equal(access_bytes(40, WRITE, 64, 4), -1);
    assert_int_equal(access_bytes(2, ATOMIC, 64, 4), 40);
    assert_int_equal(access_bytes(3, ATOMIC, 64, 4), -1);
}

static void readers_of_two_warps_are_known(void **state) {
    (void)state;
    for (unsigned thread = 30; thread < THREADS; thread++)
        assert_int_equal(access_bytes(thread, READ, 64, 4), -1);
    gcl_hazards_warp(&hazards, 32, UINT32_MAX);
    assert_int_equal(access_bytes(40, WRITE, 64, 4), 31);
}

static void warp_operations_order_their_lanes(void **state) {
    (void)state;
    access_bytes(1, WRITE, 64, 4);
    gcl_hazards_warp(&hazards, 0, 0x6); // lanes 1 and 2
    assert_int_equal(access_bytes(2, READ, 64, 4), -1);
    assert_int_equal(access_bytes(3, READ, 64, 4), 1);
    gcl_hazards_warp(&hazards, 0, 0xc); // 2 knows of 1, and 3 of 2
    assert_int_equal(access_bytes(3, READ, 64, 4), -1);
    access_bytes(1, WRITE, 64, 4); // once more
    assert_int_equal(access_bytes(2, READ, 64, 4), 1);
}

static void bytes_of_a_granule_are_apart(void **state) {
    (void)state;
    access_bytes(1, WRITE, 64, 4);
    assert_int_equal(access_bytes(1, WRITE, 65, 1), -1);
    assert_int_equal(access_bytes(2, WRITE, 66, 1), 1);
    gcl_hazards_barrier(&hazards);
    for (unsigned b = 0; b < 16; b++)
        assert_int_equal(access_bytes(b, WRITE, 64 + b, 1), -1);
    assert_int_equal(access_bytes(20, READ, 70, 8), 6);
}

static void fences_and_flags_order(void **state) {
    (void)state;
    access_bytes(1, WRITE, 64, 4);
    gcl_hazards_fence(&hazards, 1);
    access_bytes(1, ATOMIC, 128, 4);
    assert_int_equal(access_bytes(41, READ, 64, 4), 1); // has seen no flag
    access_bytes(40, ATOMIC, 128, 4);
    assert_int_equal(access_bytes(40, READ, 64, 4), -1);
    access_bytes(1, WRITE, 72, 4); // behind the fence
    assert_int_equal(access_bytes(40, READ, 72, 4), 1);
}

static void volatile_accesses_race_within_a_warp(void **state) {
    (void)state;
    access_bytes(1, WRITE | GCL_RACE_VOLATILE, 64, 4);
    assert_int_equal(access_bytes(2, READ | GCL_RACE_VOLATILE, 64, 4), 1);
    assert_int_equal(access_bytes(40, READ | GCL_RACE_VOLATILE, 64, 4), -1);
}

static void retried_swaps_begin_with_a_read(void **state) {
    (void)state;
    access_bytes(1, READ, 64, 4);
    assert_int_equal(access_bytes(2, ATOMIC | GCL_HAZARD_RESULT, 64, 4), -1);
    assert_int_equal(access_bytes(3, READ, 64, 4), -1);
    assert_int_equal(access_bytes(4, ATOMIC, 64, 4), 3);
    assert_int_equal(access_bytes(5, WRITE, 64, 4), 4);
}

static void many_cells_are_found_again(void **state) {
    (void)state;
    for (uint64_t i = 0; i < 20000; i++)
        assert_int_equal(access_bytes(1, WRITE, 64 * i, 4), -1);
    for (uint64_t i = 0; i < 20000; i++)
        assert_int_equal(access_bytes(40, READ, 64 * i, 4), 1);
}

enum { BYTES = 300 };

// Bits are as bytes would be, one a bit.
static void written_bits_are_like_bytes(void **state) {
    (void)state;
    uint64_t bits[BYTES / 64 + 1] = {0};
    char bytes[BYTES] = {0};
    srand(1);
    for (int round = 0; round < 2000; round++) {
        size_t begin = (size_t)rand() % BYTES, last = begin + (size_t)rand() % (BYTES - begin) + 1;
        if (round % 50 == 0) {
            memset(bits, 0, sizeof bits);
            memset(bytes, 0, sizeof bytes);
        }
        const char *missing = memchr(bytes + begin, 0, last - begin);
        size_t first = missing ? (size_t)(missing - bytes) : last;
        assert_int_equal(gcl_written_missing(bits, begin, last), first);
        assert_int_equal(gcl_written_all(bits, begin, last), first == last);
        assert_int_equal(gcl_written_any(bits, begin, last),
                         memchr(bytes + begin, 1, last - begin) != NULL);
        if (last - begin < 40) {
            gcl_written_set(bits, begin, last);
            memset(bytes + begin, 1, last - begin);
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(writes_race_until_a_barrier, begin, end),
        cmocka_unit_test_setup_teardown(readers_of_two_warps_are_known, begin, end),
        cmocka_unit_test_setup_teardown(warp_operations_order_their_lanes, begin, end),
        cmocka_unit_test_setup_teardown(bytes_of_a_granule_are_apart, begin, end),
        cmocka_unit_test_setup_teardown(fences_and_flags_order, begin, end),
        cmocka_unit_test_setup_teardown(volatile_accesses_race_within_a_warp, begin, end),
        cmocka_unit_test_setup_teardown(retried_swaps_begin_with_a_read, begin, end),
        cmocka_unit_test_setup_teardown(many_cells_are_found_again, begin, end),
        cmocka_unit_test(written_bits_are_like_bytes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
