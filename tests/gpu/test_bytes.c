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

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(regions), cmocka_unit_test(pages)};
    return cmocka_run_group_tests(tests, open_device, NULL);
}
