// The address space: free ranges against a model, allocations that don't overlap, what is refused.
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "exec/memory/extent.h"
#include "exec/memory/space.h"

enum { MODEL = 512, ROUNDS = 20000, SLOTS = 300 };

// Law: what is free is exactly what was added and not taken.
static void extents_follow_model(void **state) {
    struct gcl_extents extents = {.count = 0};
    bool is_free[MODEL + 1] = {false};
    uintptr_t taken[MODEL];
    size_t sizes[MODEL], count = 0;
    (void)state;

    assert_true(gcl_extents_add(&extents, 1, MODEL + 1));
    memset(is_free + 1, 1, MODEL);
    srand(1);
    for (int round = 0; round < ROUNDS; round++) {
        size_t size = 1 + (size_t)rand() % 20, alignment = (size_t)1 << rand() % 4;
        uintptr_t begin = rand() % 2 ? gcl_extents_take(&extents, size, alignment) : 0;
        if (begin) {
            assert_int_equal(begin % alignment, 0);
            for (size_t i = 0; i < size; i++) {
                assert_true(is_free[begin + i]);
                is_free[begin + i] = false;
            }
            taken[count] = begin;
            sizes[count++] = size;
        } else if (count > 0) {
            size_t i = (size_t)rand() % count;
            assert_true(gcl_extents_add(&extents, taken[i], taken[i] + sizes[i]));
            memset(is_free + taken[i], 1, sizes[i]);
            taken[i] = taken[--count];
            sizes[i] = sizes[count];
        }
    }
    while (count > 0) {
        count--;
        assert_true(gcl_extents_add(&extents, taken[count], taken[count] + sizes[count]));
    }
    assert_int_equal(extents.count, 1);
    gcl_extents_finish(&extents);
}

static void *allocate(struct gcl_space *space, size_t size, enum gcl_space_kind kind) {
    struct gcl_allocation request = {.size = size, .kind = kind};
    void *pointer = NULL;
    if (gcl_space_allocate(space, &request, &pointer) != GCL_OK)
        return NULL;
    return pointer;
}

static size_t random_size(void) {
    size_t size = (size_t)rand() % 1000 + 1;
    switch (rand() % 4) {
    case 0:
        return size * 100; // small and large
    case 1:
        return size * 5000;
    default:
        return size;
    }
}

static bool holds(const unsigned char *bytes, size_t size, unsigned char value) {
    return bytes[0] == value && bytes[size / 2] == value && bytes[size - 1] == value;
}

// Law: allocations are aligned, zeroed, and keep what is written to them.
static void allocations_are_apart(void **state) {
    struct gcl_space *space = gcl_space_create((size_t)4 << 30, &gcl_pages_host);
    unsigned char *pointers[SLOTS] = {NULL};
    size_t sizes[SLOTS];
    (void)state;

    assert_non_null(space);
    srand(2);
    for (int round = 0; round < ROUNDS; round++) {
        size_t i = (size_t)rand() % SLOTS;
        unsigned char mark = (unsigned char)(i % 255 + 1);
        if (pointers[i]) {
            assert_true(holds(pointers[i], sizes[i], mark));
            assert_int_equal(gcl_space_free(space, pointers[i], GCL_SPACE_DEVICE), GCL_OK);
            pointers[i] = NULL;
            continue;
        }
        sizes[i] = random_size();
        pointers[i] = allocate(space, sizes[i], GCL_SPACE_DEVICE);
        assert_non_null(pointers[i]);
        assert_int_equal((uintptr_t)pointers[i] % GCL_SPACE_ALIGNMENT, 0);
        assert_true(holds(pointers[i], sizes[i], 0));
        memset(pointers[i], mark, sizes[i] < 4096 ? sizes[i] : 4096);
        pointers[i][sizes[i] / 2] = pointers[i][sizes[i] - 1] = mark;
    }
    size_t used = 0;
    for (size_t i = 0; i < SLOTS; i++)
        used += pointers[i] ? sizes[i] : 0;
    assert_int_equal(gcl_space_used(space, 0), used);
    gcl_space_clear(space);
    assert_int_equal(gcl_space_used(space, 0), 0);
    gcl_space_destroy(space);
}

// Small allocations that the host uses as well aren't among those of the device: what a kernel
// writes past the end of one of these doesn't reach them.
static void host_memory_lies_apart(void **state) {
    struct gcl_space *space = gcl_space_create((size_t)1 << 30, &gcl_pages_host);
    (void)state;
    assert_non_null(space);
    gcl_space_give_margins(space);
    for (int i = 0; i < 3; i++) {
        unsigned char *device = allocate(space, 720, GCL_SPACE_DEVICE);
        unsigned char *managed = allocate(space, 60, GCL_SPACE_MANAGED);
        assert_non_null(device);
        assert_non_null(managed);
        assert_true(managed > device + 100000 || device > managed + 100000);
        assert_int_equal(gcl_space_free(space, i == 1 ? device : managed,
                                        i == 1 ? GCL_SPACE_DEVICE : GCL_SPACE_MANAGED),
                         GCL_OK);
    }
    gcl_space_clear(space);
    gcl_space_destroy(space);
}

// Arrays that a kernel walks along together don't begin at the same place of a page of 2 MiB, and
// what lies before them comes back with them.
static void large_ones_begin_apart(void **state) {
    enum { COUNT = 4 };
    const size_t size = (size_t)4 << 20, huge = (size_t)2 << 20;
    struct gcl_space *space = gcl_space_create((size_t)1 << 30, &gcl_pages_host);
    char *pointers[COUNT];
    uintptr_t begin, end, again;
    (void)state;

    for (int round = 0; round < 20; round++) {
        for (int i = 0; i < COUNT; i++) {
            pointers[i] = allocate(space, size, GCL_SPACE_DEVICE);
            pointers[i][0] = pointers[i][size - 1] = 1;
            for (int k = 0; k < i; k++)
                assert_true((uintptr_t)pointers[i] % huge != (uintptr_t)pointers[k] % huge);
        }
        gcl_space_extent(space, &begin, &again);
        if (round == 0)
            end = again;
        assert_true(again < end + size);
        for (int i = 0; i < COUNT; i++)
            assert_int_equal(gcl_space_free(space, pointers[i], GCL_SPACE_DEVICE), GCL_OK);
    }
    gcl_space_destroy(space);
}

static void refuses(void **state) {
    struct gcl_space *space = gcl_space_create(1 << 20, &gcl_pages_host);
    struct gcl_allocation found;
    unsigned kind;
    char local[16];
    (void)state;

    char *p = allocate(space, 1000, GCL_SPACE_DEVICE);
    assert_non_null(p);
    assert_int_equal(gcl_space_free(space, p + 256, GCL_SPACE_DEVICE), GCL_INVALID);
    assert_int_equal(gcl_space_free(space, p, GCL_SPACE_PINNED), GCL_INVALID);
    assert_int_equal(gcl_space_free(space, local, GCL_SPACE_DEVICE), GCL_INVALID);
    assert_true(gcl_space_check(space, p, 1000, &kind));
    assert_int_equal(kind, GCL_SPACE_DEVICE);
    assert_true(gcl_space_check(space, p + 999, 1, &kind));
    assert_false(gcl_space_check(space, p, 1001, &kind));
    assert_false(gcl_space_check(space, p + 1000, 1, &kind));
    assert_false(gcl_space_check(space, p, SIZE_MAX, &kind));
    assert_true(gcl_space_check(space, local, sizeof local, &kind));
    assert_int_equal(kind, 0);
    assert_true(gcl_space_find(space, p + 500, &found));
    assert_int_equal(found.begin, (uintptr_t)p);
    assert_int_equal(gcl_space_free(space, p, GCL_SPACE_DEVICE), GCL_OK);
    assert_int_equal(gcl_space_free(space, p, GCL_SPACE_DEVICE), GCL_INVALID);
    assert_false(gcl_space_check(space, p, 1, &kind));
    gcl_space_destroy(space);
}

static void keeps_to_capacity(void **state) {
    struct gcl_space *space = gcl_space_create(1 << 20, &gcl_pages_host);
    (void)state;

    assert_null(allocate(space, (1 << 20) + 1, GCL_SPACE_DEVICE));
    assert_null(allocate(space, SIZE_MAX / 2, GCL_SPACE_PINNED));
    void *p = allocate(space, 1 << 20, GCL_SPACE_DEVICE);
    assert_non_null(p);
    assert_null(allocate(space, 1, GCL_SPACE_DEVICE));
    assert_non_null(allocate(space, 1 << 21, GCL_SPACE_PINNED));
    assert_int_equal(gcl_space_free(space, p, GCL_SPACE_DEVICE), GCL_OK);
    assert_non_null(allocate(space, 1 << 20, GCL_SPACE_DEVICE));
    gcl_space_destroy(space);
}

static enum gcl_status register_bytes(struct gcl_space *space, void *begin, size_t size) {
    return gcl_space_register(space, &(struct gcl_allocation){.begin = (uintptr_t)begin,
                                                              .size = size,
                                                              .kind = GCL_SPACE_REGISTERED});
}

// Each device has a capacity, and a variable of its own at the same distance from the one before.
static void devices(void **state) {
    enum { DEVICES = 3, LARGE = 300 << 10 };
    struct gcl_space *space = gcl_space_create(1 << 20, &gcl_pages_host);
    struct gcl_allocation request = {.size = 600 << 10, .kind = GCL_SPACE_DEVICE}, found;
    void *pointers[DEVICES], *more;
    (void)state;
    assert_true(gcl_space_divide(space, DEVICES));
    assert_int_equal(gcl_space_device_count(space), DEVICES);
    for (unsigned i = 0; i < DEVICES; i++)
        gcl_space_set_capacity(space, i, (size_t)(1 + i) << 20);
    for (unsigned i = 0; i < DEVICES; i++) {
        request.device = i;
        assert_int_equal(gcl_space_allocate(space, &request, &pointers[i]), GCL_OK);
        assert_true(gcl_space_find(space, pointers[i], &found) && found.device == i);
        assert_int_equal(gcl_space_used(space, i), request.size);
    }
    request.device = 0;
    assert_int_equal(gcl_space_allocate(space, &request, &more), GCL_NO_MEMORY);
    request.device = 1;
    assert_int_equal(gcl_space_allocate(space, &request, &more), GCL_OK);

    size_t stride = gcl_space_stride(space);
    const size_t sizes[] = {4, 1, 5000, LARGE, 256};
    for (int round = 0; round < 2; round++) {
        unsigned char *variables[5];
        for (int i = 0; i < 5; i++) {
            void *variable;
            assert_int_equal(gcl_space_allocate_variable(space, sizes[i], &variable), GCL_OK);
            variables[i] = variable;
            for (unsigned device = 0; device < DEVICES; device++) {
                unsigned char *own = variables[i] + device * stride;
                assert_true(gcl_space_find(space, own + sizes[i] - 1, &found));
                assert_true(found.begin == (uintptr_t)own && found.device == device &&
                            found.kind == GCL_SPACE_VARIABLE);
                assert_int_equal(own[0] | own[sizes[i] - 1], 0);
                memset(own, 0xee, sizes[i]);
            }
        }
        for (int i = 0; i < 5; i++)
            assert_int_equal(gcl_space_free_variable(space, variables[i]), GCL_OK);
        assert_int_equal(gcl_space_free_variable(space, variables[0]), GCL_INVALID);
    }
    assert_int_equal(gcl_space_used(space, 2), 600 << 10);
    gcl_space_clear_device(space, 1);
    assert_int_equal(gcl_space_used(space, 1), 0);
    assert_false(gcl_space_find(space, more, &found));
    assert_true(gcl_space_find(space, pointers[0], &found));
    gcl_space_destroy(space);
}

static void registered_memory(void **state) {
    struct gcl_space *space = gcl_space_create(1 << 20, &gcl_pages_host);
    static char host[100];
    unsigned kind;
    (void)state;

    assert_int_equal(register_bytes(space, host, 100), GCL_OK);
    assert_int_equal(register_bytes(space, host + 99, 1), GCL_NOT_PERMITTED);
    assert_int_equal(register_bytes(space, host, 0), GCL_INVALID);
    assert_true(gcl_space_check(space, host + 10, 10, &kind));
    assert_int_equal(kind, GCL_SPACE_REGISTERED);
    assert_int_equal(gcl_space_unregister(space, host + 1), GCL_INVALID);
    assert_int_equal(gcl_space_unregister(space, host), GCL_OK);
    assert_int_equal(gcl_space_unregister(space, host), GCL_INVALID);
    gcl_space_destroy(space);
}

static void retired_memory(void **state) {
    struct gcl_space *space = gcl_space_create(1 << 20, &gcl_pages_host);
    unsigned kind;
    (void)state;

    char *p = allocate(space, 100, GCL_SPACE_DEVICE);
    assert_int_equal(gcl_space_retire(space, p, GCL_SPACE_DEVICE), GCL_OK);
    assert_int_equal(gcl_space_retire(space, p, GCL_SPACE_DEVICE), GCL_INVALID);
    assert_false(gcl_space_check(space, p, 1, &kind));
    assert_int_equal(gcl_space_free(space, p, GCL_SPACE_DEVICE), GCL_INVALID);
    assert_int_equal(gcl_space_free(space, p, GCL_SPACE_RETIRED), GCL_OK);
    gcl_space_destroy(space);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(extents_follow_model),
        cmocka_unit_test(allocations_are_apart),
        cmocka_unit_test(large_ones_begin_apart),
        cmocka_unit_test(host_memory_lies_apart),
        cmocka_unit_test(refuses),
        cmocka_unit_test(keeps_to_capacity),
        cmocka_unit_test(devices),
        cmocka_unit_test(registered_memory),
        cmocka_unit_test(retired_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
