// Guarded pages: stops are answered, and what is filled may lie in several mappings.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>

#include <cmocka.h>

#include "exec/memory/guard.h"
#include "plan/directory/pages.h"

enum { PAGES = 32, SIZE = PAGES * GCL_PAGE_SIZE };

static unsigned char source[SIZE] __attribute__((aligned(GCL_PAGE_SIZE)));
static struct gcl_memory_guard *guard;

/// Where pages come from for those who stop.
static enum gcl_guard_answer touched(void *context, uintptr_t page, bool is_written, pid_t thread) {
    uintptr_t begin = *(const uintptr_t *)context;
    (void)is_written, (void)thread;
    return gcl_guard_fill(guard, page, source + (page - begin), GCL_PAGE_SIZE, true) == GCL_OK
               ? GCL_GUARD_ANSWERED
               : GCL_GUARD_FAILED;
}

/// A range whose halves are mappings of their own, which the system doesn't put together.
static unsigned char *map(void) {
    unsigned char *begin =
        mmap(NULL, SIZE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    assert_ptr_not_equal(begin, MAP_FAILED);
    assert_int_equal(madvise(begin, SIZE / 2, MADV_DONTDUMP), 0);
    return begin;
}

static void fills_several_mappings(void **state) {
    uintptr_t begin = 0;
    (void)state;
    if (!gcl_guard_is_permitted())
        skip();
    guard = gcl_guard_create(&(struct gcl_guard_options){
        .touched = touched, .context = &begin, .is_user_only = true, .thread_count = 2});
    assert_non_null(guard);
    for (size_t i = 0; i < SIZE; i++)
        source[i] = (unsigned char)(i / GCL_PAGE_SIZE + i);

    unsigned char *filled = map();
    assert_int_equal(gcl_guard_watch_bare(guard, (uintptr_t)filled, SIZE), GCL_OK);
    assert_int_equal(gcl_guard_fill(guard, (uintptr_t)filled, source, SIZE, true), GCL_OK);
    assert_memory_equal(filled, source, SIZE);

    unsigned char *cleared = map();
    assert_int_equal(gcl_guard_watch_bare(guard, (uintptr_t)cleared, SIZE), GCL_OK);
    assert_int_equal(gcl_guard_clear(guard, (uintptr_t)cleared, SIZE), GCL_OK);
    for (size_t i = 0; i < SIZE; i++)
        assert_int_equal(cleared[i], 0);

    unsigned char *stopped = map();
    begin = (uintptr_t)stopped;
    assert_int_equal(gcl_guard_watch_bare(guard, begin, SIZE), GCL_OK);
    assert_memory_equal(stopped, source, SIZE);
}

/// Where nothing is watched nothing is filled.
static void says_what_it_cannot_fill(void **state) {
    (void)state;
    if (!guard)
        skip();
    unsigned char *bare = map();
    assert_int_equal(gcl_guard_fill(guard, (uintptr_t)bare, source, SIZE, true), GCL_SYSTEM);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fills_several_mappings),
        cmocka_unit_test(says_what_it_cannot_fill),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
