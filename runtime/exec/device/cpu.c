// A kernel's units are blocks in linear order, or groups of blocks where there are more than fit 32
// bits. A copy's units are pieces of about 1 MiB: rows where it has many, parts of its row where it
// has one.
#include "exec/device/cpu.h"

#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "exec/block/signals.h"
#include "exec/memory/escape.h"
#include "exec/memory/margin.h"
#include "exec/memory/space.h"
#include "exec/memory/written.h"
#include "exec/sanitize/sanitize.h"

#define PIECE ((size_t)1 << 20)
#define SMALL_THREADS 4096u
#define SMALL_BYTES (8 * PIECE)

// The clock is the one that kernels read (gcl_device_clock), which counts nanoseconds: programs
// take ticks for time by this rate.
enum { CLOCK_KHZ = 1000000, MEMORY_KHZ = 1600000, BUS_WIDTH = 128 };

/// For debuggers: the block that runs after all others (gcl_device_cpu_run_last).
static struct last_block {
    bool is_set;
    uint32_t index[3];
} last_block;

static bool is_sanitized(const struct gcl_run *run) {
    return (run->launch.kernel->flags & GCL_KERNEL_SANITIZED) != 0;
}

// Blocks that run together are a unit as long as that leaves units for all workers.
static uint32_t cut_kernel(struct gcl_run *run) {
    enum { UNITS = 32 };
    const uint64_t most = UINT32_C(1) << 31;
    uint64_t together = gcl_block_together(&run->launch);

    run->launch.children = &run->children;
    run->block_count = gcl_block_count(&run->launch);
    run->blocks_per_unit = (run->block_count + most - 1) / most;
    if (run->blocks_per_unit < together && run->block_count / together >= UNITS)
        run->blocks_per_unit = together;
    if (run->is_ordered || last_block.is_set)
        run->blocks_per_unit = run->block_count;
    run->waits = gcl_waiting_is_for(run->launch.kernel) && !is_sanitized(run);
    if (run->waits)
        gcl_waiting_init(&run->waiting);
    if ((run->is_cooperative && !run->waits) || is_sanitized(run))
        return 1;
    assert(run->blocks_per_unit > 0);
    return (uint32_t)((run->block_count + run->blocks_per_unit - 1) / run->blocks_per_unit);
}

// Rows that touch become one, so that most copies are one row.
static void flatten(struct gcl_box_copy *c) {
    bool has_source = c->source != NULL;
    if (c->width == c->target_pitch && (!has_source || c->width == c->source_pitch)) {
        c->width *= c->height;
        c->height = 1;
        c->target_pitch = c->target_slice;
        c->source_pitch = c->source_slice;
    }
    if (c->height == 1 && c->depth > 1) {
        c->height = c->depth;
        c->depth = 1;
        c->target_pitch = c->target_slice;
        c->source_pitch = c->source_slice;
        if (c->width == c->target_pitch && (!has_source || c->width == c->source_pitch)) {
            c->width *= c->height;
            c->height = 1;
        }
    }
}

static size_t rows_per_unit(const struct gcl_box_copy *c) {
    return c->width >= PIECE ? 1 : PIECE / (c->width ? c->width : 1);
}

static uint32_t cut_copy(struct gcl_box_copy *c) {
    flatten(c);
    size_t rows = c->height * c->depth;
    if (rows == 1)
        return (uint32_t)((c->width + PIECE - 1) / PIECE + (c->width == 0));
    return (uint32_t)((rows + rows_per_unit(c) - 1) / rows_per_unit(c));
}

static struct gcl_device_units cut_launch(const struct gcl_device *device, struct gcl_run *run) {
    struct gcl_device_units units = {.count = cut_kernel(run)};
    const uint32_t *block = run->launch.geometry.block;
    (void)device;
    units.is_small = (run->is_cooperative && !run->waits) || run->block_count == 1 ||
                     run->block_count * block[0] * block[1] * block[2] <= SMALL_THREADS;
    return units;
}

static uint32_t cut_again(const struct gcl_device *device, struct gcl_run *run, bool gives_up,
                          bool *has_moved) {
    (void)device;
    if (!run->waits)
        return 0;
    uint64_t count = gcl_waiting_look(&run->waiting, has_moved);
    run->is_resumed = true;
    if (count > 0 && !gives_up && atomic_load(&run->launch.fault->kind) == GCL_FAULT_NONE)
        return count < UINT32_MAX / 2 ? (uint32_t)count : UINT32_MAX / 2;
    gcl_waiting_finish(&run->waiting);
    return 0;
}

static struct gcl_device_units cut_box(const struct gcl_device *device, struct gcl_box_copy *copy) {
    (void)device;
    return (struct gcl_device_units){.count = cut_copy(copy),
                                     .is_small =
                                         copy->width * copy->height * copy->depth < SMALL_BYTES};
}

// The number of the block that is to run last; the number of blocks if the launch hasn't got it.
static uint64_t find_last(const struct gcl_run *run) {
    const uint32_t *begin = run->launch.begin, *end = run->launch.end;
    uint64_t number = 0;
    for (int axis = 2; axis >= 0; axis--) {
        uint32_t index = last_block.index[axis];
        if (!last_block.is_set || index < begin[axis] || index >= end[axis])
            return run->block_count;
        number = number * (end[axis] - begin[axis]) + index - begin[axis];
    }
    return number;
}

static void run_range(struct gcl_block_pool *pool, struct gcl_run *run, uint64_t begin,
                      uint64_t end) {
    uint64_t last = find_last(run);
    if (last < begin || last >= end) {
        gcl_block_run(pool, &run->launch, begin, end);
        return;
    }
    gcl_block_run(pool, &run->launch, begin, last);
    gcl_block_run(pool, &run->launch, last + 1, end);
    gcl_block_run(pool, &run->launch, last, last + 1);
}

static void run_blocks(struct gcl_block_pool *pool, struct gcl_run *run, uint32_t begin,
                       uint32_t end) {
    bool tells_writes = (run->launch.kernel->flags & GCL_KERNEL_INIT) != 0;
    if (!tells_writes && run->launch.space && gcl_space_notes_writes(run->launch.space))
        gcl_space_note_write_anywhere(run->launch.space);
    if (is_sanitized(run)) {
        const struct gcl_sanitize_launch launch = {&run->launch, run->launch.space,
                                                   run->block_count, run->is_cooperative};
        gcl_sanitize_run(&launch, pool);
        return;
    }
    uint64_t first = begin * run->blocks_per_unit, last = end * run->blocks_per_unit;
    last = last < run->block_count ? last : run->block_count;
    if (run->waits && run->is_resumed)
        gcl_waiting_resume(&run->waiting, pool, &run->launch, end - begin);
    else if (run->waits)
        gcl_waiting_run(&run->waiting, pool, &run->launch, first, last);
    else if (run->is_cooperative)
        gcl_block_run_cooperative(pool, &run->launch);
    else
        run_range(pool, run, first, last);
}

static void run_units(const struct gcl_device *device, void *scratch, struct gcl_run *run,
                      uint32_t begin, uint32_t end) {
    sigset_t before;
    (void)device;
    if (!run->launch.regions) {
        gcl_fault_report(&run->launch, GCL_FAULT_CODE,
                         "no CPU code, which gcluster-cc --device=cuda leaves out, and no GPU "
                         "(gcluster-doctor says why)",
                         "on the CPU");
        return;
    }
    gcl_signals_guard_thread();
    bool is_changed = gcl_signals_begin_blocks(&before);
    run_blocks(scratch, run, begin, end);
    if (is_changed)
        gcl_signals_end_blocks(&before);
}

static void leave_run(const struct gcl_device *device, const struct gcl_run *run) {
    (void)device;
    if (run->launch.space)
        gcl_margin_check_launch(run->launch.space, run->launch.kernel, run->launch.arguments);
}

static const unsigned char *source_row(const struct gcl_box_copy *c, size_t slice, size_t row) {
    return c->source + slice * c->source_slice + row * c->source_pitch;
}

static void copy_row(const struct gcl_box_copy *c, size_t slice, size_t row, size_t at,
                     size_t size) {
    unsigned char *target = c->target + slice * c->target_slice + row * c->target_pitch + at;
    if (c->noted)
        gcl_written_note_copy(c->noted, target, c->source ? source_row(c, slice, row) + at : NULL,
                              size);
    if (!c->source) {
        memset(target, c->value, size);
        return;
    }
    const unsigned char *source = source_row(c, slice, row) + at;
    if (c->space)
        gcl_escape_copy(c->space, target, source, size);
    else
        memmove(target, source, size);
}

static void copy_units(const struct gcl_device *device, const struct gcl_box_copy *c,
                       uint32_t begin, uint32_t end) {
    size_t rows = c->height * c->depth;
    (void)device;
    if (rows == 1) {
        size_t first = begin * PIECE, last = end * PIECE;
        assert(first <= c->width);
        copy_row(c, 0, 0, first, (last < c->width ? last : c->width) - first);
        return;
    }
    size_t last = end * rows_per_unit(c);
    for (size_t r = begin * rows_per_unit(c); r < last && r < rows; r++)
        copy_row(c, r / c->height, r % c->height, 0, c->width);
}

// Threads.

static void enter_thread(const struct gcl_device *device) {
    (void)device;
    gcl_signals_enter_thread();
}

static void *open_scratch(const struct gcl_device *device) {
    (void)device;
    return gcl_block_pool_create();
}

static void close_scratch(const struct gcl_device *device, void *scratch) {
    (void)device;
    gcl_block_pool_destroy(scratch);
}

// Properties.

static void read_name(const char *line, struct gcl_device_properties *p) {
    const char *colon = strchr(line, ':');
    if (strncmp(line, "model name", 10) != 0 || !colon || p->name[0])
        return;
    snprintf(p->name, sizeof p->name, "%s", colon + 1 + strspn(colon + 1, " \t"));
    p->name[strcspn(p->name, "\n")] = 0;
}

static struct gcl_device_properties shown;

static void read_properties(void) {
    struct gcl_device_properties p = {.clock_khz = CLOCK_KHZ,
                                      .memory_clock_khz = MEMORY_KHZ,
                                      .memory_bus_width = BUS_WIDTH,
                                      .double_ratio = 2};
    FILE *file = fopen("/proc/cpuinfo", "r");
    long l2_size = sysconf(_SC_LEVEL2_CACHE_SIZE);
    char line[512];

    while (file && !p.name[0] && fgets(line, sizeof line, file))
        read_name(line, &p);
    if (file)
        fclose(file);
    if (!p.name[0])
        snprintf(p.name, sizeof p.name, "CPU");
    p.l2_size = l2_size > 0 && l2_size <= INT32_MAX ? (int)l2_size : 1 << 20;
    shown = p;
}

static const struct gcl_device_properties *properties(void) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, read_properties);
    return &shown;
}

static const struct gcl_device_unit_ops units = {.cut_run = cut_launch,
                                                 .cut_again = cut_again,
                                                 .cut_copy = cut_box,
                                                 .run_units = run_units,
                                                 .copy_units = copy_units,
                                                 .leave_run = leave_run,
                                                 .enter_thread = enter_thread,
                                                 .open_scratch = open_scratch,
                                                 .close_scratch = close_scratch};

// Limits of a recent GPU, so that programs written for one fit.
static const struct gcl_limits limits = {.capability = 90,
                                         .threads_per_core = 2048,
                                         .blocks_per_core = 32,
                                         .registers_per_core = 65536,
                                         .shared_size = 48 << 10,
                                         .shared_size_optin = 227 << 10,
                                         .shared_size_per_core = 228 << 10};

static struct gcl_device cpu;

static void begin(void) {
    cpu = (struct gcl_device){.units = &units,
                              .bytes = &gcl_device_cpu_bytes,
                              .packer = gcl_device_cpu_packer,
                              .pages = &gcl_pages_host,
                              .limits = &limits,
                              .properties = properties};
    gcl_signals_install();
}

void gcl_device_cpu_run_last(const uint32_t block[3]) {
    last_block.is_set = true;
    memcpy(last_block.index, block, sizeof last_block.index);
}

const struct gcl_device *gcl_device_cpu(void) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, begin);
    return &cpu;
}
