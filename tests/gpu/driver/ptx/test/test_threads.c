// Threads that diverge, meet, wait for each other and call, in PTX that clang 19 made of
// fixtures/threads.cu (clang-19 -x cuda --cuda-device-only -S --cuda-gpu-arch=sm_80 -nocudainc
// -nocudalib -O2 -g1), under several seeds.
#include <stdlib.h>
#include <string.h>

#include "machine.h"

enum { SEEDS = 5 };

static struct machine machine;

static int begin(void **state) {
    (void)state;
    machine_begin_file(&machine, "threads.ptx");
    return 0;
}

static int end(void **state) {
    (void)state;
    machine_end(&machine);
    return 0;
}

static uint64_t *results(uint64_t *address, size_t count) {
    *address = machine_allocate(&machine, count * 8);
    return machine_at(&machine, *address);
}

static uint64_t collatz(uint64_t n) {
    uint64_t steps = 0;
    while (n != 1) {
        n = n & 1 ? 3 * n + 1 : n >> 1;
        steps++;
        if (steps > 100 && (n & 7) == 4)
            steps += 3;
    }
    return steps;
}

static void test_divergence(void **state) {
    (void)state;
    uint64_t out, *is = results(&out, 1000);
    machine_run(&machine, "collatz", 10, 100, &out, 1);
    for (uint64_t i = 0; i < 1000; i++)
        assert_int_equal(is[i], collatz(i + 1));
}

/// A lock that lanes of a warp take from each other.
static void test_spinning(void **state) {
    (void)state;
    for (int i = 0; i < SEEDS; i++) {
        uint64_t lock, counter, *is;
        results(&lock, 1);
        is = results(&counter, 1);
        machine_run(&machine, "spin", 3, 70, (uint64_t[]){lock, counter}, 2);
        assert_int_equal(*is, 3 * 70 * 3);
    }
}

static void test_reduction(void **state) {
    (void)state;
    uint64_t in, out, *from = results(&in, 1024), *is = results(&out, 4);
    for (uint64_t i = 0; i < 1024; i++)
        from[i] = i * i;
    machine_run(&machine, "reduce", 4, 256, (uint64_t[]){in, out}, 2);
    for (uint64_t b = 0; b < 4; b++) {
        uint32_t sum = 0;
        for (uint64_t i = 0; i < 256; i++)
            sum += (uint32_t)from[256 * b + i];
        assert_int_equal(is[b], sum);
    }
}

static void test_shuffles(void **state) {
    (void)state;
    uint64_t out, *is = results(&out, 64);
    machine_run(&machine, "halves", 1, 64, &out, 1);
    for (uint64_t i = 0; i < 64; i++) {
        uint64_t lane = i % 32, own = lane < 16 ? 3 * 7 + 1000 : 20 * 7 + 2000;
        assert_int_equal(is[i], own + ((lane & 24) + 5) * 7 * 65536);
    }
    for (int i = 0; i < SEEDS; i++) {
        machine_run(&machine, "across", 1, 64, &out, 1);
        for (uint64_t t = 0; t < 64; t++) {
            uint64_t from = (t + 1) % 32, value = from + (from % 3 == 0 ? 100 : 500);
            assert_int_equal(is[t], t % 32 % 3 == 0 ? 2 * value : value);
        }
    }
}

static void test_calls(void **state) {
    (void)state;
    uint64_t out, *is = results(&out, 64), fibonacci[16] = {0, 1};
    machine_run(&machine, "recurse", 1, 64, &out, 1);
    for (int i = 2; i < 16; i++)
        fibonacci[i] = fibonacci[i - 1] + fibonacci[i - 2];
    for (size_t i = 0; i < 64; i++)
        assert_int_equal(is[i], fibonacci[i % 16]);
    machine_run(&machine, "pointers", 2, 32, &out, 1);
    for (size_t i = 0; i < 64; i++) {
        uint64_t thread = i % 32, b[] = {1, 2, 3};
        b[thread % 3] = thread;
        uint64_t x = i + thread + b[0] + b[1] + b[2];
        assert_int_equal(is[i], thread % 3 == 0 ? 2 * x : thread % 3 == 1 ? x * x : x - 1);
    }
}

static void test_printing(void **state) {
    (void)state;
    char *text;
    size_t size;
    machine.output = open_memstream(&text, &size);
    machine_run(&machine, "print", 1, 3, (uint64_t[]){0}, 1);
    fclose(machine.output);
    machine.output = NULL;
    assert_string_equal(text, "-1 10000000000 0.50 even [    0] 100%\n"
                              "0 10000000000 1.50 odd [    1] 100%\n"
                              "1 10000000000 2.50 even [    2] 100%\n");
    free(text);
}

/// Blocks that wait for the one before them, and for the one behind.
static void test_polling(void **state) {
    (void)state;
    for (uint64_t down = 0; down < 2; down++) {
        uint64_t flags, *is = results(&flags, 60);
        machine_run(&machine, "chain", 60, 64, (uint64_t[]){flags, down}, 2);
        for (uint64_t b = 0; b < 60; b++)
            assert_int_equal(is[b], b + 1);
    }
}

static void test_grid_barrier(void **state) {
    (void)state;
    for (int i = 0; i < SEEDS; i++) {
        uint64_t arrived, out, *is;
        results(&arrived, 1);
        is = results(&out, 20 * 40);
        machine_run(&machine, "grid_sync", 20, 40, (uint64_t[]){arrived, out}, 2);
        for (int t = 0; t < 20 * 40; t++)
            assert_int_equal(is[t], 6);
    }
}

static void test_heap(void **state) {
    (void)state;
    uint64_t out, *is = results(&out, 128);
    machine_run(&machine, "heap", 2, 64, &out, 1);
    for (uint64_t t = 0; t < 128; t++)
        assert_int_equal(is[t], 1);
    machine.heap = ptx_heap_create(UINT64_C(0x700000000), 1 << 14);
    for (int i = 0; i < SEEDS; i++) {
        machine_run(&machine, "heap", 2, 64, &out, 1);
        for (uint64_t t = 0; t < 128; t++) {
            uint64_t sum = 0;
            for (uint64_t k = 0; k <= t % 64 % 5; k++)
                sum += t + k;
            assert_int_equal(is[t], sum);
        }
    }
    ptx_heap_destroy(machine.heap);
    machine.heap = NULL;
}

static void test_together(void **state) {
    (void)state;
    uint64_t out, *is = results(&out, 4 * 96);
    machine_run(&machine, "together", 1, 96, &out, 1);
    for (uint64_t t = 0; t < 96; t++) {
        uint64_t lane = t % 32, third = 0, same = 0;
        for (uint64_t l = 0; l < 32; l++) {
            third |= (uint64_t)(l % 3 == 0) << l;
            same |= (uint64_t)(l / 5 == lane / 5) << l;
        }
        assert_int_equal(is[4 * t], third);
        assert_int_equal(is[4 * t + 1], same);
        assert_int_equal(is[4 * t + 2], 496 + (lane & 4 ? UINT64_C(0xf0f0f0f0) << 32 : 0));
        assert_int_equal(is[4 * t + 3], 1 + 14 * 16);
    }
}

static void test_named_barriers(void **state) {
    (void)state;
    uint64_t out, *is = results(&out, 128);
    for (int i = 0; i < SEEDS; i++) {
        memset(is, 0, 128 * 8);
        machine_run(&machine, "pipe", 1, 64, &out, 1);
        for (uint64_t t = 0; t < 128; t++)
            assert_int_equal(is[t], t % 4 * 100 + t / 4);
    }
}

static void expect(const char *name, uint32_t block, uint64_t parameter, enum ptx_end end,
                   const char *text) {
    assert_int_equal(machine_launch(&machine, name, 1, block, &parameter, 1), end);
    if (!strstr(machine.text, text))
        fail_msg("'%s' is not in '%s'", text, machine.text);
}

static void test_ends(void **state) {
    (void)state;
    uint64_t in, *values = results(&in, 64);
    values[37] = 5;
    expect("trap_if", 64, in, PTX_TRAP, "trap in trap_if, block (0, 0, 0), thread (37, 0, 0)");
    assert_non_null(strstr(machine.text, "threads.cu:"));
    char *text;
    size_t size;
    machine.output = open_memstream(&text, &size);
    expect("check", 64, in, PTX_ASSERT, "assertion `out[TID]` failed at threads.cu:70");
    fclose(machine.output);
    machine.output = NULL;
    assert_non_null(strstr(text, "threads.cu:70: check: block: [0,0,0], thread: ["));
    free(text);
    expect("stuck", 64, in, PTX_DEADLOCK, "all threads wait");
    values[0] = 20000;
    expect("deep", 1, in, PTX_STACK_OVERFLOW, "stack overflow, calling fib");
    values[0] = 0;
    expect("endless", 1, in, PTX_TIMEOUT, "time is over");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_divergence, begin, end),
        cmocka_unit_test_setup_teardown(test_spinning, begin, end),
        cmocka_unit_test_setup_teardown(test_reduction, begin, end),
        cmocka_unit_test_setup_teardown(test_shuffles, begin, end),
        cmocka_unit_test_setup_teardown(test_calls, begin, end),
        cmocka_unit_test_setup_teardown(test_printing, begin, end),
        cmocka_unit_test_setup_teardown(test_polling, begin, end),
        cmocka_unit_test_setup_teardown(test_grid_barrier, begin, end),
        cmocka_unit_test_setup_teardown(test_heap, begin, end),
        cmocka_unit_test_setup_teardown(test_together, begin, end),
        cmocka_unit_test_setup_teardown(test_named_barriers, begin, end),
        cmocka_unit_test_setup_teardown(test_ends, begin, end)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
