// What moves between launches on a GPU, here the test driver's: regions of any shape are packed,
// unpacked and filled as on the CPU, and nothing else is touched.
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "exec/device/cuda/cuda.h"
#include "plan/region/region.h"

enum { SIZE = 1 << 16, ROUNDS = 400, RANDOM_RUNS = 60 };

static const struct gcl_device *device;
static unsigned char *memory; ///< of the GPU, SIZE bytes

static int64_t below(int64_t limit) {
    return rand() % limit;
}

/// Two fields of structures in rows, a triangle, boxes, or runs anywhere.
static void make_region(struct gcl_region *region, int round) {
    struct gcl_region other = {.count = 0};
    struct gcl_level levels[2] = {{32 + below(64), 1 + below(20)}, {4096, 1 + below(8)}};
    bool ok = true;
    *region = gcl_region_run(below(64), 64 + below(64));
    if (round % 4 == 0) {
        ok = gcl_region_from_box(below(16), 1 + below(8), levels, 2, region) &&
             gcl_region_from_box(20 + below(8), 1 + below(4), levels, 2, &other) &&
             gcl_region_unite(region, &other, region);
    } else if (round % 4 == 1) {
        for (int64_t row = 0; row < 40 && ok; row++) {
            other = gcl_region_run(512 * row, 512 * row + 4 * (row + 1));
            ok = gcl_region_unite(region, &other, region);
        }
    } else if (round % 4 == 2) {
        ok = gcl_region_from_box(below(100), 1 + below(30), levels, 2, region);
    } else {
        struct gcl_span runs[RANDOM_RUNS];
        for (int i = 0; i < RANDOM_RUNS; i++) {
            runs[i].begin = below(SIZE - 100);
            runs[i].end = runs[i].begin + below(100);
        }
        ok = gcl_region_from_runs(runs, RANDOM_RUNS, region);
    }
    assert_true(ok && gcl_region_bounds(region).end <= SIZE);
    gcl_region_finish(&other);
}

static void fill_randomly(unsigned char *bytes) {
    for (int i = 0; i < SIZE; i++)
        bytes[i] = (unsigned char)rand();
}

static void regions(void **state) {
    static unsigned char before[SIZE], after[SIZE], packed[SIZE], expected[SIZE];
    (void)state;
    for (int round = 0; round < ROUNDS; round++) {
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

static int open_device(void **state) {
    const struct gcl_cuda_choice choice = {.number = -1, .local_count = 1};
    char text[256];
    (void)state;
    if (gcl_device_cuda_open(&choice, &device, text, sizeof text) != GCL_CUDA_READY) {
        printf("skipped: %s\n", text);
        exit(77);
    }
    memory = (unsigned char *)device->pages->reserve(0, (size_t)1 << 30, text);
    return memory && device->pages->commit((uintptr_t)memory, SIZE) ? 0 : 1;
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(regions), cmocka_unit_test(pages)};
    return cmocka_run_group_tests(tests, open_device, NULL);
}
