// Which allocations count as escaped: by copies from the host, and by launches.
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "exec/memory/escape.h"

enum { COUNT = 4, SIZE = 100000 };

static struct gcl_space *space;
static unsigned char *places[COUNT];

static void start(enum gcl_space_kind kind) {
    space = gcl_space_create((size_t)1 << 30, &gcl_pages_host);
    gcl_space_note_escapes(space);
    for (int i = 0; i < COUNT; i++) {
        struct gcl_allocation request = {.size = SIZE, .kind = i == 0 ? kind : GCL_SPACE_DEVICE};
        void *pointer = NULL;
        assert_int_equal(gcl_space_allocate(space, &request, &pointer), GCL_OK);
        places[i] = pointer;
    }
}

static void finish(void) {
    gcl_space_destroy(space);
}

static unsigned escaped(void) {
    unsigned set = 0;
    for (unsigned i = 0; i < COUNT; i++) {
        struct gcl_allocation found;
        assert_true(gcl_space_find(space, places[i] + SIZE - 1, &found));
        set |= (unsigned)found.has_escaped << i;
    }
    return set;
}

// Bytes that are no addresses, in which one is put.
static unsigned char source[SIZE];

static void put(size_t at, const void *address) {
    for (size_t i = 0; i < SIZE; i++)
        source[i] = (unsigned char)(i * 37 % 251);
    memcpy(source + at, &address, sizeof address);
}

// Wherever a word lies in what is copied, at whichever alignment of the source.
static void test_copies(void **context) {
    (void)context;
    for (size_t at = 0; at + 8 <= SIZE; at += at < 100 ? 1 : 997) {
        start(GCL_SPACE_DEVICE);
        put(at, places[2] + SIZE - 1);
        gcl_escape_copy(space, places[1], source + at % 8, SIZE - 8);
        assert_memory_equal(places[1], source + at % 8, SIZE - 8);
        bool is_inside = at >= at % 8 && at + 8 <= at % 8 + SIZE - 8;
        assert_int_equal(escaped(), is_inside ? 4 : 0);
        finish();
    }
}

static void test_alignment(void **context) {
    (void)context;
    start(GCL_SPACE_DEVICE);
    put(60, places[2]); // no kernel can load it from there
    gcl_escape_copy(space, places[1], source, 1000);
    assert_int_equal(escaped(), 0);
    gcl_escape_copy(space, places[1] + 4, source, 1000); // but from there
    assert_int_equal(escaped(), 4);
    finish();
}

// In two copies, each of which has half of it.
static void test_parts(void **context) {
    (void)context;
    start(GCL_SPACE_DEVICE);
    put(64, places[3]);
    gcl_escape_copy(space, places[1], source, 67);
    assert_int_equal(escaped(), 0);
    gcl_escape_copy(space, places[1] + 67, source + 67, 5);
    assert_int_equal(escaped(), 8);
    finish();
}

static void test_list(void **context) {
    struct gcl_allocation list[COUNT];
    (void)context;
    start(GCL_SPACE_DEVICE);
    gcl_space_escape(space, places[1] + 5);
    gcl_space_escape(space, places[3]);
    gcl_space_escape(space, source); // none of ours
    assert_int_equal(gcl_space_escaped(space, list, COUNT), 2);
    assert_int_equal(list[0].begin + list[1].begin, (uintptr_t)places[1] + (uintptr_t)places[3]);
    assert_int_equal(gcl_space_escaped(space, list, 1), 2);
    assert_int_equal(gcl_space_free(space, places[1], GCL_SPACE_DEVICE), GCL_OK);
    assert_int_equal(gcl_space_escaped(space, list, COUNT), 1);
    assert_int_equal(list[0].begin, (uintptr_t)places[3]);
    gcl_space_escape_all(space);
    assert_int_equal(gcl_space_escaped(space, list, COUNT), COUNT - 1);
    finish();
}

// Nothing is noted before somebody asks for it, and all that there is then counts as escaped.
static void test_late(void **context) {
    struct gcl_allocation request = {.size = SIZE, .kind = GCL_SPACE_DEVICE}, found;
    struct gcl_kernel kernel = {.argument_size = 8};
    void *first, *second;
    (void)context;
    space = gcl_space_create((size_t)1 << 30, &gcl_pages_host);
    assert_int_equal(gcl_space_allocate(space, &request, &first), GCL_OK);
    put(0, first);
    gcl_escape_copy(space, first, source, SIZE);
    assert_memory_equal(first, source, SIZE);
    gcl_escape_launch(space, &kernel, (const unsigned char *)&first);
    assert_int_equal(gcl_space_escaped(space, NULL, 0), 0);
    gcl_space_note_escapes(space);
    assert_int_equal(gcl_space_escaped(space, NULL, 0), 1);
    assert_int_equal(gcl_space_allocate(space, &request, &second), GCL_OK);
    gcl_space_note_escapes(space);
    assert_true(gcl_space_find(space, second, &found));
    assert_false(found.has_escaped);
    put(0, second);
    gcl_escape_copy(space, first, source, SIZE);
    assert_int_equal(gcl_space_escaped(space, NULL, 0), 2);
    finish();
}

// Launches.

static struct gcl_access accesses[] = {{.kind = GCL_ACCESS_WRITE}};
static struct gcl_base bases[] = {{.kind = GCL_BASE_ARGUMENT}};
static struct gcl_program program = {
    .accesses = accesses, .bases = bases, .access_count = 1, .base_count = 1};

// Of a kernel that gets the first two allocations.
static unsigned launch(enum gcl_space_kind kind, enum gcl_stored stored, enum gcl_base_kind base) {
    struct gcl_kernel kernel = {.program = &program, .argument_size = 24};
    accesses[0].reduction = (uint8_t)stored;
    bases[0].kind = (uint8_t)base;
    start(kind);
    const struct {
        int number;
        unsigned char *first, *second;
    } arguments = {5, places[0] + 8, places[1]};
    gcl_escape_launch(space, &kernel, (const unsigned char *)&arguments);
    unsigned set = escaped();
    finish();
    return set;
}

static void test_launches(void **context) {
    (void)context;
    assert_int_equal(launch(GCL_SPACE_DEVICE, GCL_STORED_NUMBER, GCL_BASE_ARGUMENT), 0);
    assert_int_equal(launch(GCL_SPACE_DEVICE, GCL_STORED_ANYTHING, GCL_BASE_ARGUMENT), 3);
    assert_int_equal(launch(GCL_SPACE_DEVICE, GCL_STORED_NUMBER, GCL_BASE_LOADED), 0);
    assert_int_equal(launch(GCL_SPACE_DEVICE, GCL_STORED_NUMBER, GCL_BASE_ANY), 3);
    assert_int_equal(launch(GCL_SPACE_MANAGED, GCL_STORED_NUMBER, GCL_BASE_ARGUMENT), 0);
    assert_int_equal(launch(GCL_SPACE_MANAGED, GCL_STORED_NUMBER, GCL_BASE_LOADED), 15);
    assert_int_equal(launch(GCL_SPACE_PINNED, GCL_STORED_ANYTHING, GCL_BASE_ARGUMENT), 15);
}

// Of a kernel of which nothing is known.
static void test_unknown(void **context) {
    struct gcl_kernel kernel = {.argument_size = 8};
    (void)context;
    start(GCL_SPACE_DEVICE);
    gcl_escape_launch(space, &kernel, (const unsigned char *)&places[1]);
    assert_int_equal(escaped(), 2);
    finish();
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_copies), cmocka_unit_test(test_alignment),
        cmocka_unit_test(test_parts),  cmocka_unit_test(test_list),
        cmocka_unit_test(test_late),   cmocka_unit_test(test_launches),
        cmocka_unit_test(test_unknown)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
