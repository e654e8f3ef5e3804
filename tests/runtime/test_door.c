// What stands behind the door to a device: one that only counts gets each unit of a launch exactly
// once, with scratch that nobody else uses meanwhile; what it cuts into no units is done at once.
// A dry run's device does nothing but zero what the host copies from it.
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "exec/device/cpu.h"
#include "exec/device/dry.h"
#include "exec/engine/engine.h"
#include "exec/watch/listener.h"

enum { UNITS = 5000, WORKERS = 3, LAUNCHES = 20 };

static _Atomic int claims[UNITS], leaves, threads, copies, scratches;
static atomic_bool is_shared;
static uint32_t unit_count;

static struct gcl_device_units cut_run(const struct gcl_device *device, struct gcl_run *run) {
    (void)device;
    run->block_count = unit_count;
    run->blocks_per_unit = 1;
    return (struct gcl_device_units){.count = unit_count};
}

static struct gcl_device_units cut_copy(const struct gcl_device *device,
                                        struct gcl_box_copy *copy) {
    (void)device, (void)copy;
    return (struct gcl_device_units){.count = 0};
}

static void run_units(const struct gcl_device *device, void *scratch, struct gcl_run *run,
                      uint32_t begin, uint32_t end) {
    atomic_bool *is_used = scratch;
    (void)device, (void)run;
    if (atomic_exchange(is_used, true))
        is_shared = true;
    for (uint32_t i = begin; i < end; i++)
        claims[i]++;
    atomic_store(is_used, false);
}

static void copy_units(const struct gcl_device *device, const struct gcl_box_copy *copy,
                       uint32_t begin, uint32_t end) {
    (void)device, (void)copy, (void)begin, (void)end;
    copies++;
}

static void leave_run(const struct gcl_device *device, const struct gcl_run *run) {
    (void)device, (void)run;
    leaves++;
}

static void enter_thread(const struct gcl_device *device) {
    (void)device;
    threads++;
}

static void *open_scratch(const struct gcl_device *device) {
    (void)device;
    scratches++;
    return calloc(1, sizeof(atomic_bool));
}

static void close_scratch(const struct gcl_device *device, void *scratch) {
    (void)device;
    free(scratch);
}

static const struct gcl_device_unit_ops ops = {.cut_run = cut_run,
                                               .cut_copy = cut_copy,
                                               .run_units = run_units,
                                               .copy_units = copy_units,
                                               .leave_run = leave_run,
                                               .enter_thread = enter_thread,
                                               .open_scratch = open_scratch,
                                               .close_scratch = close_scratch};
static const struct gcl_device device = {.units = &ops, .pages = &gcl_pages_host};

/// What a listener has heard.
static struct {
    _Atomic uint64_t blocks;
    _Atomic int runs;
} heard;

static bool wants_times(void *context) {
    (void)context;
    return true;
}

static void ran_units(void *context, const struct gcl_heard *units) {
    (void)context;
    heard.blocks += units->amount;
}

static void ran_command(void *context, const struct gcl_heard *command) {
    (void)context;
    heard.runs += command->kind == GCL_HEARD_RUN;
}

static struct gcl_engine *engine; ///< lives as long as the process, as engines do

static void create_engine(void) {
    static struct gcl_listeners listeners;
    gcl_listeners_add(&listeners, &(struct gcl_listener){.wants_times = wants_times,
                                                         .ran_units = ran_units,
                                                         .ran_command = ran_command});
    engine = gcl_engine_create(&(struct gcl_engine_options){
        .device = &device,
        .worker_count = WORKERS,
        .core_count = WORKERS,
        .device_count = 1,
        .listeners = &listeners,
    });
    assert_non_null(engine);
}

static void launch(void) {
    static const struct gcl_kernel kernel = {.name = "k"};
    struct gcl_command *command = gcl_engine_command(engine, GCL_COMMAND_RUN);
    assert_non_null(command);
    command->run.launch.kernel = &kernel;
    struct gcl_fence fence = gcl_engine_submit(engine, gcl_stream_legacy(engine), command);
    assert_int_equal(gcl_engine_wait(engine, fence), GCL_OK);
}

static void units_run_once(void **state) {
    (void)state;
    create_engine();
    unit_count = UNITS;
    for (int i = 0; i < LAUNCHES; i++)
        launch();
    unit_count = 0;
    launch();
    struct gcl_command *copy = gcl_engine_command(engine, GCL_COMMAND_COPY);
    assert_int_equal(gcl_engine_run(engine, gcl_stream_legacy(engine), copy), GCL_OK);
    gcl_engine_close(engine);
    for (int i = 0; i < UNITS; i++)
        assert_int_equal(claims[i], LAUNCHES);
    assert_false(is_shared);
    assert_int_equal(copies, 0);
    assert_int_equal(heard.blocks, LAUNCHES * UNITS);
    assert_int_equal(heard.runs, LAUNCHES);
    assert_in_range(leaves, LAUNCHES, LAUNCHES * (WORKERS + 1));
    assert_in_range(threads, WORKERS, WORKERS + 2);
    assert_in_range(scratches, WORKERS, WORKERS + 1);
}

static void dry_device_zeroes(void **state) {
    struct gcl_device *dry = gcl_device_dry_create(gcl_device_cpu());
    unsigned char memory[64], host[64];
    struct gcl_run run = {.block_count = 0};
    (void)state;
    memset(memory, 1, sizeof memory);
    memset(host, 2, sizeof host);
    gcl_device_dry_set_range(dry, (uintptr_t)memory, (uintptr_t)memory + sizeof memory);
    struct gcl_box_copy in = {memory, host, 64, 64, 64, 64, 64, 1, 1, 0, NULL, NULL, NULL};
    struct gcl_box_copy out = {host, memory, 64, 64, 64, 64, 64, 1, 1, 0, NULL, NULL, NULL};
    assert_int_equal(dry->units->cut_run(dry, &run).count, 0);
    assert_int_equal(dry->units->cut_copy(dry, &in).count, 0);
    assert_int_equal(dry->units->cut_copy(dry, &out).count, 1);
    dry->units->copy_units(dry, &out, 0, 1);
    for (size_t i = 0; i < sizeof host; i++)
        assert_int_equal(host[i], 0);
    assert_null(dry->bytes);
    free(dry);
}

/// What the law of a merge gives: the bytes before, with each node's changes in their order.
static void merges_keep_changes(void **state) {
    const struct gcl_device *cpu = gcl_device_cpu();
    struct gcl_region all = gcl_region_run(0, 8);
    const struct gcl_combination combination = {.kind = GCL_COMBINATION_MERGE, .element = 1};
    unsigned char place[8] = {1, 2, 3, 4, 5, 6, 7, 8};
    const unsigned char theirs[8] = {1, 9, 3, 4, 5, 6, 9, 8};
    (void)state;
    void *twin = cpu->bytes->keep_twin(cpu, place, &all);
    assert_non_null(twin);
    place[0] = 7; // this node's blocks
    const struct gcl_device_part parts[] = {{&all, NULL}, {&all, theirs}};
    const struct gcl_device_merge merge = {&combination, place, {0, 8}, twin, &all, parts, 2};
    assert_int_equal(cpu->bytes->merge(cpu, &merge), GCL_OK);
    assert_memory_equal(place, ((const unsigned char[]){7, 9, 3, 4, 5, 6, 9, 8}), sizeof place);
    cpu->bytes->forget_twin(cpu, twin);
    cpu->bytes->fill(cpu, place, &all, 4);
    assert_int_equal(place[0] + place[7], 8);
}

enum { NODES = 4, MERGED = 300 };

/// Any few runs, or one that is longer than all of them together.
static struct gcl_region any_region(void) {
    struct gcl_region region = {.count = 0};
    for (int i = rand() % 5; i > 0; i--) {
        int64_t begin = rand() % MERGED;
        struct gcl_region run = gcl_region_run(begin, begin + rand() % (MERGED - begin) + 1);
        assert_true(gcl_region_unite(&region, &run, &region));
        if (gcl_region_size(&region) > MERGED / 2 && rand() % 2)
            break;
    }
    return region;
}

/// What each node has after a launch that changes some bytes of its region, as few values as there
/// are, so that some are what they were.
static void change(const struct gcl_region *region, const unsigned char *before,
                   unsigned char *after) {
    memcpy(after, before, MERGED);
    for (int64_t i = 0; i < MERGED; i++) {
        if (gcl_region_contains_byte(region, i) && rand() % 3 == 0)
            after[i] = (unsigned char)(rand() % 3);
    }
}

/// Random nodes, regions and stretches against the law, byte by byte.
static void merges_of_many_keep_changes(void **state) {
    const struct gcl_device *cpu = gcl_device_cpu();
    const struct gcl_combination combination = {.kind = GCL_COMBINATION_MERGE, .element = 1};
    (void)state;
    for (unsigned round = 0; round < 5000; round++) {
        unsigned char before[MERGED], after[NODES][MERGED], packed[NODES][MERGED];
        struct gcl_region regions[NODES], parts[NODES];
        struct gcl_device_part given[NODES];
        size_t count = 1 + (size_t)rand() % NODES, self = (size_t)rand() % count;
        int64_t begin = rand() % MERGED, end = begin + 1 + rand() % (MERGED - begin);
        const struct gcl_region stretch = gcl_region_run(begin, end);
        for (size_t i = 0; i < MERGED; i++)
            before[i] = (unsigned char)(rand() % 3);
        for (size_t i = 0; i < count; i++) {
            regions[i] = any_region();
            parts[i] = (struct gcl_region){.count = 0};
            change(&regions[i], before, after[i]);
            assert_true(gcl_region_intersect(&regions[i], &stretch, &parts[i]));
            gcl_region_pack(&parts[i], after[i], packed[i]);
            bool is_here = i == self || gcl_region_is_empty(&parts[i]);
            given[i] = (struct gcl_device_part){&parts[i], is_here ? NULL : packed[i]};
        }
        void *twin = cpu->bytes->keep_twin(cpu, before, &regions[self]);
        unsigned char place[MERGED];
        memcpy(place, after[self], MERGED);
        const struct gcl_device_merge merge = {&combination,   place, {begin, end}, twin,
                                               &regions[self], given, count};
        assert_int_equal(cpu->bytes->merge(cpu, &merge), GCL_OK);
        for (int64_t i = 0; i < MERGED; i++) {
            unsigned char expected = i < begin || i >= end ? after[self][i] : before[i];
            for (size_t n = 0; n < count && i >= begin && i < end; n++)
                expected = after[n][i] != before[i] ? after[n][i] : expected;
            assert_int_equal(place[i], expected);
        }
        cpu->bytes->forget_twin(cpu, twin);
        for (size_t i = 0; i < count; i++) {
            gcl_region_finish(&regions[i]);
            gcl_region_finish(&parts[i]);
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(units_run_once),
        cmocka_unit_test(dry_device_zeroes),
        cmocka_unit_test(merges_keep_changes),
        cmocka_unit_test(merges_of_many_keep_changes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
