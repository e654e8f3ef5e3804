// What several nodes have changed is put together on a GPU, here the test driver's, as it is on the
// CPU: merges of regions of any shape and all reductions, also where the GPU has no memory left.
#include "device.h"
#include "exec/device/cpu.h"
#include "plan/schedule/combine.h"

enum { NODES = 3, ROUNDS = 12 };

struct trial {
    struct gcl_combination combination;
    struct gcl_region bytes[NODES], within[NODES]; ///< that a node may change; in the stretch
    struct gcl_span stretch;
    size_t self;
    unsigned char before[SIZE], after[NODES][SIZE]; ///< on all nodes, and on each
    unsigned char packed[NODES][SIZE];
};

/// What a device has when a reduction begins, and at the end.
struct outcome {
    unsigned char begun[SIZE], merged[SIZE];
};

/// Of elements one or many runs, of bytes any region.
static void make_elements(struct gcl_region *region, int round, int64_t element) {
    struct gcl_span runs[RANDOM_RUNS];
    if (element == 1) {
        make_region(region, round);
        return;
    }
    for (int i = 0; i < RANDOM_RUNS; i++) {
        runs[i].begin = below((SIZE - 200) / element) * element;
        runs[i].end = runs[i].begin + below(20) * element;
    }
    assert_true(gcl_region_from_runs(runs, round % 3 ? RANDOM_RUNS : 1, region));
}

/// Anything, but of floats numbers that add exactly, or for others than sums none at all.
static void fill_elements(unsigned char *bytes, const struct gcl_combination *c) {
    bool is_sum = c->reduction == GCL_REDUCTION_FADD;
    fill_randomly(bytes);
    if (!is_sum && c->reduction != GCL_REDUCTION_FMIN && c->reduction != GCL_REDUCTION_FMAX)
        return;
    for (size_t i = 0; i < SIZE; i += c->element) {
        double wide =
            !is_sum && below(9) == 0 ? __builtin_nan("") : (double)(below(2001) - 1000) / 8;
        float narrow = (float)wide;
        memcpy(bytes + i, c->element == 4 ? (void *)&narrow : (void *)&wide, c->element);
    }
}

static void copy_region(const struct gcl_region *region, unsigned char *to,
                        const unsigned char *from) {
    struct gcl_region_cursor cursor = {.region = region};
    struct gcl_span run;
    while (gcl_region_next(&cursor, &run))
        memcpy(to + run.begin, from + run.begin, (size_t)(run.end - run.begin));
}

static void make_trial(struct trial *t, int round) {
    static unsigned char values[SIZE];
    int64_t element = t->combination.element;
    bool is_merge = t->combination.kind == GCL_COMBINATION_MERGE;
    t->stretch.begin = below(SIZE / 2) / 8 * 8;
    t->stretch.end = t->stretch.begin + 8 + below(SIZE / 2 - 8) / 8 * 8;
    t->self = (size_t)below(NODES);
    fill_elements(t->before, &t->combination);
    for (size_t node = 0; node < NODES; node++) {
        t->bytes[node] = t->within[node] = (struct gcl_region){.count = 0};
        if (round % 5 != (int)node) // one that changes nothing
            make_elements(&t->bytes[node], (int)below(4), element);
        fill_elements(values, &t->combination);
        // Of what a node may change it leaves much as it was.
        for (size_t i = 0; is_merge && i < SIZE; i++)
            values[i] = below(3) ? t->before[i] : values[i];
        memcpy(t->after[node], t->before, SIZE);
        copy_region(&t->bytes[node], t->after[node], values);
        assert_true(gcl_region_clip(&t->bytes[node], t->stretch, &t->within[node]));
        gcl_region_pack(&t->within[node], t->after[node], t->packed[node]);
    }
}

static void finish_trial(struct trial *t) {
    for (size_t node = 0; node < NODES; node++) {
        gcl_region_finish(&t->bytes[node]);
        gcl_region_finish(&t->within[node]);
    }
}

/// Lets a device put together at `place` what the nodes have.
static void run(const struct trial *t, const struct gcl_device_byte_ops *ops, unsigned char *place,
                struct outcome *o) {
    struct gcl_device_part parts[NODES];
    const struct gcl_region *own = &t->bytes[t->self];
    ops->copy(device, place, t->before, SIZE);
    void *twin = ops->keep_twin(device, place, own);
    assert_non_null(twin);
    if (t->combination.kind == GCL_COMBINATION_REDUCE)
        ops->make_neutral(device, place, own, &t->combination);
    ops->copy(device, o->begun, place, SIZE);
    ops->copy(device, place, t->after[t->self], SIZE);
    for (size_t i = 0; i < NODES; i++)
        parts[i] = (struct gcl_device_part){&t->within[i], i == t->self ? NULL : t->packed[i]};
    const struct gcl_device_merge merge = {&t->combination, place, t->stretch, twin, own,
                                           parts,           NODES};
    assert_int_equal(ops->merge(device, &merge), GCL_OK);
    ops->forget_twin(device, twin);
    ops->copy(device, o->merged, place, SIZE);
}

static void try(const struct gcl_combination *combination) {
    static struct trial t;
    static struct outcome expected, found;
    static unsigned char place[SIZE];
    for (int round = 0; round < ROUNDS; round++) {
        t.combination = *combination;
        make_trial(&t, round);
        run(&t, &gcl_device_cpu_bytes, place, &expected);
        run(&t, device->bytes, memory, &found);
        assert_memory_equal(found.begun, expected.begun, SIZE);
        assert_memory_equal(found.merged, expected.merged, SIZE);
        finish_trial(&t);
    }
}

static void try_all(void) {
    for (uint16_t element = 1; element <= 8; element *= 2)
        try(&(struct gcl_combination){.kind = GCL_COMBINATION_MERGE, .element = element});
    for (unsigned r = 0; r < GCL_REDUCTIONS; r++) {
        for (unsigned element = 4; element <= 8; element *= 2) {
            if (gcl_combine_can((enum gcl_reduction)r, element))
                try(&(struct gcl_combination){.kind = GCL_COMBINATION_REDUCE,
                                              .reduction = (uint8_t)r,
                                              .element = (uint16_t)element});
        }
    }
    assert_int_equal(device->status(), GCL_OK);
}

static void all(void **state) {
    (void)state;
    try_all();
}

static void without_memory(void **state) {
    (void)state;
    use_up(true);
    try_all();
    use_up(false);
}

/// However many twins there are, the program gets nearly all of the GPU's memory, as it may.
static void twins_leave_memory(void **state) {
    enum { TWINS = 400, LIMIT = 4 << 20 };
    void *twins[TWINS];
    const struct gcl_region all = gcl_region_run(0, SIZE);
    size_t without = use_up(true);
    (void)state;
    use_up(false);
    for (int i = 0; i < TWINS; i++)
        assert_non_null(twins[i] = device->bytes->keep_twin(device, memory, &all));
    size_t with = use_up(true);
    for (int i = 0; i < TWINS; i++)
        device->bytes->forget_twin(device, twins[i]);
    use_up(false);
    assert_true(with + LIMIT >= without);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(all), cmocka_unit_test(without_memory),
                                       cmocka_unit_test(twins_leave_memory)};
    return cmocka_run_group_tests(tests, open_device, NULL);
}
