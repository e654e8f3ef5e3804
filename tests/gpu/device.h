// What tests of a GPU's memory share: the device, and regions of any shape.
#ifndef GCL_TEST_GPU_DEVICE_H
#define GCL_TEST_GPU_DEVICE_H

#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "exec/device/cuda/cuda.h"
#include "plan/region/region.h"

enum { SIZE = 1 << 16, RANDOM_RUNS = 60 };

static const struct gcl_device *device;
static unsigned char *memory; ///< of the GPU, SIZE bytes

static inline int64_t below(int64_t limit) {
    return rand() % limit;
}

/// Two fields of structures in rows, a triangle, boxes, or runs anywhere.
static inline void make_region(struct gcl_region *region, int round) {
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

static inline void fill_randomly(unsigned char *bytes) {
    for (int i = 0; i < SIZE; i++)
        bytes[i] = (unsigned char)rand();
}

static inline int open_device(void **state) {
    const struct gcl_cuda_choice choice = {.number = 0, .sharers = 1, .has_neighbours = true};
    char text[256];
    (void)state;
    if (gcl_device_cuda_open(&choice, &device, text, sizeof text) != GCL_CUDA_READY) {
        printf("skipped: %s\n", text);
        exit(77);
    }
    memory = (unsigned char *)device->pages->reserve(0, (size_t)1 << 30, text);
    return memory && device->pages->commit((uintptr_t)memory, SIZE) ? 0 : 1;
}

/// Takes what the GPU has left, or gives it back: what begins behind `memory`. Returns its bytes.
static inline size_t use_up(bool is_taken) {
    static size_t taken;
    const size_t step = (size_t)2 << 20;
    const uintptr_t begin = (uintptr_t)memory + step;
    while (is_taken && device->pages->commit(begin + taken, step))
        taken += step;
    if (!is_taken && taken > 0)
        assert_true(device->pages->decommit(begin, taken));
    taken = is_taken ? taken : 0;
    return taken;
}

#endif
