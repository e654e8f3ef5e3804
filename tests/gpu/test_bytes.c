// What moves between launches on a GPU, here the test driver's: regions of any shape are packed,
// unpacked and filled as on the CPU, and nothing else is touched, also where the GPU has no memory
// left.
#include "device.h"

enum { ROUNDS = 400 };

static void regions(void **state) {
    static unsigned char before[SIZE], after[SIZE], packed[SIZE], expected[SIZE];
    (void)state;
    for (int round = 0; round < ROUNDS; round++) {
        if (round == ROUNDS / 2)
            use_up(true);
        struct gcl_region region = {.count = 0};
        make_region(&region, round);
        size_t size = (size_t)gcl_region_size(&region);
        struct gcl_span bounds = gcl_region_bounds(&region);
        fill_randomly(before);
        device->bytes->copy(device, memory, before, SIZE);
        device->packer.pack(&device->packer, &region, memory, packed);
        gcl_region_pack(&region, before, expected);
        assert_memory_equal(packed, expected, size);

        fill_randomly(packed);
        device->packer.unpack(&device->packer, &region, packed, memory);
        device->bytes->copy(device, after, memory, SIZE);
        gcl_region_unpack(&region, packed, bounds, before + bounds.begin);
        assert_memory_equal(after, before, SIZE);

        device->bytes->fill(device, memory, &region, 0x5a);
        device->bytes->copy(device, after, memory, SIZE);
        memset(packed, 0x5a, size);
        gcl_region_unpack(&region, packed, bounds, before + bounds.begin);
        assert_memory_equal(after, before, SIZE);
        gcl_region_finish(&region);
    }
    use_up(false);
    assert_int_equal(device->status(), GCL_OK);
}

/// Pages keep what they hold while others of their chunk come and go, and are zero at first.
static void pages(void **state) {
    enum { PAGE = 4096, PAGES = 2048 };
    static unsigned char held[PAGES], bytes[PAGE];
    uintptr_t begin = (uintptr_t)memory + (8 << 20);
    const struct gcl_page_ops *ops = device->pages;
    (void)state;
    for (int round = 0; round < 1000; round++) {
        int page = (int)below(PAGES);
        uintptr_t at = begin + (uintptr_t)page * PAGE;
        if (held[page])
            device->bytes->copy(device, bytes, (void *)at, PAGE);
        else
            assert_true(ops->commit(at, PAGE));
        if (!held[page])
            device->bytes->copy(device, bytes, (void *)at, PAGE);
        for (int i = 0; i < PAGE; i++)
            assert_int_equal(bytes[i], held[page]);
        if (held[page] && round % 2) {
            assert_true(ops->decommit(at, PAGE));
            held[page] = 0;
            continue;
        }
        held[page] = (unsigned char)(1 + below(255));
        memset(bytes, held[page], PAGE);
        ops->write(at, bytes, PAGE);
    }
    assert_int_equal(device->status(), GCL_OK);
}

/// Lends a neighbour, which is this process, what a region lies in; returns the number of loans.
static size_t lend(unsigned neighbour, const struct gcl_region *region,
                   const unsigned char *place) {
    const struct gcl_lending *lending = device->packer.lending;
    struct gcl_loan loans[GCL_LOANS_MOST];
    size_t count;
    if (lending->offer(neighbour, region, place, loans, &count))
        return 0;
    for (size_t i = 0; i < count; i++)
        assert_true(lending->borrow(neighbour, &loans[i], (int)loans[i].descriptor));
    lending->end_offer(neighbour, loans, count, true);
    size_t more;
    assert_true(lending->offer(neighbour, region, place, NULL, &more));
    return count;
}

/// Regions are copied from where a neighbour's memory is mapped. Chunks that went elsewhere aren't
/// lent any more.
static void lending(void **state) {
    static unsigned char before[SIZE], bytes[SIZE], packed[SIZE], expected[SIZE];
    const struct gcl_page_ops *ops = device->pages;
    const struct gcl_lending *l = device->packer.lending;
    unsigned char *place = memory + (32 << 20), *elsewhere = memory + (64 << 20);
    struct gcl_region all = gcl_region_run(0, SIZE);
    size_t count;
    (void)state;
    assert_true(ops->commit((uintptr_t)place, SIZE));
    assert_false(l->offer(3, &all, place, NULL, &count));
    assert_int_equal(lend(3, &all, place), 1);
    assert_false(l->offer(4, &all, place, NULL, &count));
    // The lent chunk comes to lie elsewhere, and another one here.
    assert_true(ops->decommit((uintptr_t)place, SIZE));
    assert_true(ops->commit((uintptr_t)elsewhere, SIZE));
    assert_true(ops->commit((uintptr_t)place, SIZE));
    assert_false(l->offer(3, &all, place, NULL, &count));
    for (int round = 0; round < ROUNDS; round++) {
        struct gcl_region region = {.count = 0};
        make_region(&region, round);
        struct gcl_span bounds = gcl_region_bounds(&region);
        fill_randomly(before);
        device->bytes->copy(device, elsewhere, before, SIZE);
        l->copy(3, &region, place, packed);
        gcl_region_pack(&region, before, expected);
        assert_memory_equal(packed, expected, (size_t)gcl_region_size(&region));

        fill_randomly(before);
        device->bytes->copy(device, place, before, SIZE);
        l->copy(3, &region, place, NULL);
        gcl_region_unpack(&region, packed, bounds, before + bounds.begin);
        device->bytes->copy(device, bytes, place, SIZE);
        assert_memory_equal(bytes, before, SIZE);
        gcl_region_finish(&region);
    }
    assert_int_equal(lend(3, &all, place), 1); // in the other one's stead
    fill_randomly(before);
    device->bytes->copy(device, place, before, SIZE);
    l->copy(3, &all, place, packed);
    assert_memory_equal(packed, before, SIZE);
    assert_int_equal(device->status(), GCL_OK);
}

/// What lies between a region's boxes need not be lent.
static void lending_parts(void **state) {
    enum { RUNS = 100, LENGTH = 8 << 10, CHUNK = 2 << 20 };
    static unsigned char before[3 * CHUNK], packed[RUNS * LENGTH], expected[RUNS * LENGTH];
    unsigned char *place = memory + (96 << 20);
    struct gcl_span runs[RUNS];
    struct gcl_region region = {.count = 0};
    (void)state;
    for (int i = 0; i < RUNS; i++) {
        runs[i].begin = i * (LENGTH + 1024) + i * i + (i < RUNS / 2 ? 0 : 2 * CHUNK);
        runs[i].end = runs[i].begin + LENGTH;
    }
    for (size_t i = 0; i < sizeof before; i++)
        before[i] = (unsigned char)rand();
    assert_true(gcl_region_from_runs(runs, RUNS, &region));
    assert_true(device->pages->commit((uintptr_t)place, sizeof before));
    device->bytes->copy(device, place, before, sizeof before);
    assert_int_equal(lend(5, &region, place), 2);
    device->packer.lending->copy(5, &region, place, packed);
    gcl_region_pack(&region, before, expected);
    assert_memory_equal(packed, expected, sizeof packed);
    assert_int_equal(device->status(), GCL_OK);
    gcl_region_finish(&region);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(regions), cmocka_unit_test(pages),
                                       cmocka_unit_test(lending), cmocka_unit_test(lending_parts)};
    return cmocka_run_group_tests(tests, open_device, NULL);
}
