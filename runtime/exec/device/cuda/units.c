// Launches go into the engine's queues, and so do copies that the driver makes by itself; what is
// left, copies from and to memory that isn't page-locked, goes through memory that is (stage.c), in
// units that several threads take, each of which waits for the GPU.
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "exec/code/vendor.h"
#include "exec/device/cuda/state.h"
#include "exec/memory/escape.h"
#include "gcluster/kernel.h"

#define UNIT ((size_t)4 << 20) // bytes of a unit of a copy

enum { SHARED_FOR_ALL = 48 << 10 }; ///< bytes that a block may have without asking

static struct gcl_device_units cut_run(const struct gcl_device *device, struct gcl_run *run) {
    (void)device;
    run->block_count = gcl_block_count(&run->launch);
    run->blocks_per_unit = run->block_count;
    assert(run->block_count > 0);
    return (struct gcl_device_units){.count = 1, .is_small = true};
}

/// Whether a copy is one row between the host's memory and the GPU's.
static bool is_row_between(const struct gcl_box_copy *c) {
    return c->source && c->height == 1 && c->depth == 1 &&
           gcl_cuda_is_apart(c->target) != gcl_cuda_is_apart(c->source);
}

static struct gcl_device_units cut_copy(const struct gcl_device *device,
                                        struct gcl_box_copy *copy) {
    size_t count = is_row_between(copy) ? (copy->width + UNIT - 1) / UNIT : 1;
    (void)device;
    if (count > UINT32_MAX)
        count = 1;
    return (struct gcl_device_units){.count = count > 1 ? (uint32_t)count : 1,
                                     .is_small = count <= 1};
}

/// What units [begin, end) of a copy are, as a copy. Units begin at words of the target.
static struct gcl_box_copy part_of(const struct gcl_box_copy *c, uint32_t begin, uint32_t end) {
    struct gcl_box_copy part = *c;
    size_t skew = (uintptr_t)c->target % sizeof(uint64_t);
    size_t from = begin > 0 ? begin * UNIT - skew : 0, to = end * UNIT - skew;
    if (!is_row_between(c) || c->width <= UNIT)
        return part;
    part.target += from;
    part.source += from;
    part.width = (to < c->width && end < (c->width + UNIT - 1) / UNIT ? to : c->width) - from;
    return part;
}

// Launches.

/// What a launch is about to be, in the driver's words.
struct call {
    const struct gcl_run *run;
    void *function, *stream;
    void **parameters;
    struct gcl_gpu_part part;
    uint32_t size[3]; ///< blocks of the part
};

struct ending {
    int error;
    enum gcl_fault_kind kind;
    const char *what;
};

/// What a kernel is told by the driver to have done; any other error: it wasn't run at all.
static const struct ending endings[] = {
    {GCL_CU_ILLEGAL_ADDRESS, GCL_FAULT_ADDRESS, "access to an address that isn't there"},
    {GCL_CU_MISALIGNED_ADDRESS, GCL_FAULT_ADDRESS, "access to a misaligned address"},
    {GCL_CU_INVALID_ADDRESS_SPACE, GCL_FAULT_ADDRESS, "access to an address of another space"},
    {GCL_CU_INVALID_PC, GCL_FAULT_ADDRESS, "call of what is no function"},
    {GCL_CU_ASSERT, GCL_FAULT_ASSERT, "an assertion failed"},
    {GCL_CU_LAUNCH_FAILED, GCL_FAULT_TRAP, "trap"},
    {GCL_CU_ILLEGAL_INSTRUCTION, GCL_FAULT_TRAP, "illegal instruction"},
    {GCL_CU_HARDWARE_STACK, GCL_FAULT_TRAP, "overflow of the stack"},
    {GCL_CU_LAUNCH_TIMEOUT, GCL_FAULT_TRAP, "it took longer than the driver lets it"},
    {GCL_CU_MEMORY_ERROR, GCL_FAULT_TRAP, "the GPU's memory has an error"},
    {GCL_CU_LINK_ERROR, GCL_FAULT_TRAP, "the link to another GPU has an error"},
    {GCL_CU_OUT_OF_RESOURCES, GCL_FAULT_MEMORY, "too many registers or too much memory a block"},
};

void gcl_cuda_report(struct gcl_run *run, int error, const char *where) {
    const struct gcl_driver_error e = gcl_driver_error(gcl_cuda.driver, error);
    struct ending ending = {error, GCL_FAULT_MEMORY, e.text};
    char what[160];
    for (size_t i = 0; i < sizeof endings / sizeof endings[0]; i++) {
        if (endings[i].error == error)
            ending = endings[i];
    }
    // The driver recovers from the last of them alone.
    if (ending.error == error && ending.kind != GCL_FAULT_MEMORY)
        gcl_cuda_note(error);
    snprintf(what, sizeof what, "%s (%s)", ending.what, e.name);
    gcl_fault_report(&run->launch, ending.kind, what, where);
}

static int launch(const struct call *call) {
    const struct gcl_driver *driver = gcl_cuda.driver;
    const struct gcl_geometry *g = &call->run->launch.geometry;
    const uint32_t *n = call->size, *block = g->block;
    bool polls = (call->run->launch.kernel->flags & GCL_KERNEL_POLLS) != 0;
    if (call->run->is_cooperative) {
        int error =
            driver->launch_cooperative(call->function, n[0], n[1], n[2], block[0], block[1],
                                       block[2], g->shared_size, call->stream, call->parameters);
        // A kernel that polls is taken for one that has to be there as a whole; it may not be.
        if (error != GCL_CU_COOPERATIVE_TOO_LARGE || !polls)
            return error;
    }
    return driver->launch(call->function, n[0], n[1], n[2], block[0], block[1], block[2],
                          g->shared_size, call->stream, call->parameters, NULL);
}

/// Launches block by block.
static int launch_in_order(struct call *call) {
    const uint32_t begin[3] = {call->part.first[0], call->part.first[1], call->part.first[2]};
    const uint32_t size[3] = {call->size[0], call->size[1], call->size[2]};
    uint64_t count = call->run->block_count;
    int error = GCL_CU_OK;
    call->size[0] = call->size[1] = call->size[2] = 1;
    for (uint64_t i = 0; i < count && error == GCL_CU_OK; i++) {
        call->part.first[0] = begin[0] + (uint32_t)(i % size[0]);
        call->part.first[1] = begin[1] + (uint32_t)(i / size[0] % size[1]);
        call->part.first[2] = begin[2] + (uint32_t)(i / size[0] / size[1]);
        error = launch(call);
    }
    return error;
}

static int launch_on(struct gcl_cuda_lane *lane, const struct gcl_run *run, void *function,
                     void **parameters) {
    const struct gcl_block_launch *l = &run->launch;
    const struct gcl_kernel *kernel = l->kernel;
    struct call call = {
        .run = run, .function = function, .stream = lane->stream, .parameters = parameters};
    for (uint32_t i = 0; i < kernel->parameter_count; i++)
        parameters[i] = (void *)(uintptr_t)(l->arguments + kernel->parameters[i].offset);
    parameters[kernel->parameter_count] = &call.part;
    for (int i = 0; i < 3; i++) {
        call.part.first[i] = l->begin[i];
        call.part.grid[i] = l->geometry.grid[i];
        call.size[i] = l->end[i] - l->begin[i];
    }
    if (kernel->shared_size + l->geometry.shared_size > SHARED_FOR_ALL) {
        int error = gcl_cuda_allow_shared(kernel, function, l->geometry.shared_size);
        if (error != GCL_CU_OK)
            return error;
    }
    if (run->is_cooperative) {
        int error = gcl_cuda_lane_open_barrier(lane);
        if (error != GCL_CU_OK)
            return error;
        call.part.barrier = lane->barrier;
    }
    return run->is_ordered ? launch_in_order(&call) : launch(&call);
}

static bool clear(const struct gcl_vendor_launch *launch, void *begin, uint64_t size) {
    return gcl_cuda_check(gcl_cuda.driver->set((uintptr_t)begin, 0, (size_t)size, launch->stream),
                          "set memory");
}

/// Lets the vendor's library do a launch. False: it doesn't. The library's order of adding depends
/// on the size of the part that a node has.
static bool put_by_vendor(const struct gcl_cuda_lane *lane, const struct gcl_block_launch *l) {
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    bool may_differ = !gcl_cuda.keeps_bits || (l->kernel->flags & GCL_KERNEL_TASK);
    const struct gcl_vendor *vendor = may_differ ? gcl_vendor_of(l->kernel) : NULL;
    if (!vendor)
        return false;
    struct gcl_vendor_launch launch = {
        .arguments = l->arguments, .stream = lane->stream, .clear = clear};
    memcpy(launch.begin, l->begin, sizeof launch.begin);
    memcpy(launch.end, l->end, sizeof launch.end);
    pthread_mutex_lock(&lock);
    bool is_put = vendor->put(&launch);
    pthread_mutex_unlock(&lock);
    return is_put;
}

void gcl_cuda_put_run(struct gcl_cuda_lane *lane, struct gcl_run *run) {
    const struct gcl_kernel *kernel = run->launch.kernel;
    char text[320];
    gcl_cuda_enter();
    if (put_by_vendor(lane, &run->launch))
        return;
    if (kernel->flags & GCL_KERNEL_TASK) {
        gcl_fault_report(&run->launch, GCL_FAULT_CODE, "NVIDIA's library doesn't do it",
                         "on the GPU");
        return;
    }
    void *function = gcl_cuda_function(kernel, text, sizeof text);
    void **parameters = malloc((kernel->parameter_count + (size_t)1) * sizeof *parameters);
    if (function && parameters) {
        int error = launch_on(lane, run, function, parameters);
        if (error != GCL_CU_OK)
            gcl_cuda_report(run, error, "on the GPU");
    } else {
        gcl_fault_report(&run->launch, function ? GCL_FAULT_MEMORY : GCL_FAULT_CODE,
                         function ? "no memory" : text, "on the GPU");
    }
    free(parameters);
}

// Copies.

size_t gcl_cuda_span(size_t pitch, size_t slice, const struct gcl_box_copy *c) {
    return slice * (c->depth - 1) + pitch * (c->height - 1) + c->width;
}

bool gcl_cuda_overlaps(const struct gcl_box_copy *c) {
    uintptr_t target = (uintptr_t)c->target, source = (uintptr_t)c->source;
    return c->source && target < source + gcl_cuda_span(c->source_pitch, c->source_slice, c) &&
           source < target + gcl_cuda_span(c->target_pitch, c->target_slice, c);
}

/// A row of a slice.
static const unsigned char *source_at(const struct gcl_box_copy *c, size_t slice, size_t row) {
    return c->source + slice * c->source_slice + row * c->source_pitch;
}

static unsigned char *target_at(const struct gcl_box_copy *c, size_t slice, size_t row) {
    return c->target + slice * c->target_slice + row * c->target_pitch;
}

/// In the host's memory alone.
static void copy_on_host(const struct gcl_box_copy *c) {
    for (size_t z = 0; z < c->depth; z++) {
        for (size_t y = 0; y < c->height; y++) {
            if (c->source)
                memmove(target_at(c, z, y), source_at(c, z, y), c->width);
            else
                memset(target_at(c, z, y), c->value, c->width);
        }
    }
}

bool gcl_cuda_put_copy(struct gcl_cuda_lane *lane, const struct gcl_box_copy *c) {
    bool ok = true;
    for (size_t z = 0; z < c->depth && ok; z++) {
        const struct gcl_cuda_rows rows = {.target = target_at(c, z, 0),
                                           .source = c->source ? source_at(c, z, 0) : NULL,
                                           .target_pitch = c->target_pitch,
                                           .source_pitch = c->source_pitch,
                                           .width = c->width,
                                           .count = c->height,
                                           .value = (unsigned char)c->value};
        ok = gcl_cuda_move_rows(&rows, lane);
    }
    return ok;
}

static bool copy_slices(const struct gcl_box_copy *c, struct gcl_cuda_lane *lane) {
    return gcl_cuda_put_copy(lane, c) && gcl_cuda_lane_wait(lane, "copy");
}

/// By way of the host.
static void copy_overlapping(const struct gcl_box_copy *c, struct gcl_cuda_lane *lane) {
    unsigned char *bytes = malloc(c->width * c->height * c->depth);
    struct gcl_box_copy out = *c, in = *c;
    if (!bytes) {
        gcl_cuda_check(GCL_CU_NO_MEMORY, "copy bytes that overlap");
        return;
    }
    out.target = bytes;
    out.target_pitch = c->width;
    out.target_slice = c->width * c->height;
    in.source = bytes;
    in.source_pitch = out.target_pitch;
    in.source_slice = out.target_slice;
    if (copy_slices(&out, lane))
        copy_slices(&in, lane);
    free(bytes);
}

/// Notes the address in the word around a byte of the GPU's memory.
static void note_word(const struct gcl_box_copy *c, uintptr_t at) {
    uint64_t word;
    gcl_cuda_bytes.copy(NULL, &word, (const void *)(at / sizeof word * sizeof word), sizeof word);
    gcl_escape_note(c->space, &word, 1);
}

/// Notes what a row brings along, word by word as it lies there now.
static void note_row(const struct gcl_box_copy *c, const unsigned char *target,
                     const unsigned char *source) {
    uintptr_t begin = (uintptr_t)target, end = begin + c->width;
    uintptr_t first = (begin + 7) / 8 * 8, last = end / 8 * 8;
    if (first < last)
        gcl_escape_note(c->space, source + (first - begin), (last - first) / 8);
    if (begin < first)
        note_word(c, begin);
    if (last < end && last >= first)
        note_word(c, last);
}

static void note_addresses(const struct gcl_box_copy *c) {
    for (size_t z = 0; z < c->depth; z++) {
        for (size_t y = 0; y < c->height; y++)
            note_row(c, target_at(c, z, y), source_at(c, z, y));
    }
}

static void copy_between(const struct gcl_box_copy *c) {
    if (!gcl_cuda_is_apart(c->target) && (!c->source || !gcl_cuda_is_apart(c->source))) {
        copy_on_host(c);
        return;
    }
    struct gcl_cuda_lane *lane = gcl_cuda_lane_take();
    if (!lane)
        return;
    if (gcl_cuda_overlaps(c))
        copy_overlapping(c, lane);
    else
        copy_slices(c, lane);
    gcl_cuda_lane_give(lane);
    if (gcl_cuda_is_apart(c->target))
        gcl_cuda_note_write(c->target, gcl_cuda_span(c->target_pitch, c->target_slice, c));
    if (c->space && gcl_space_notes_escapes(c->space) && gcl_cuda_is_apart(c->target) &&
        !gcl_cuda_is_apart(c->source))
        note_addresses(c);
}

static void copy_units(const struct gcl_device *device, const struct gcl_box_copy *c,
                       uint32_t begin, uint32_t end) {
    (void)device;
    assert(!c->noted); // code that checks itself runs on the CPU
    const struct gcl_box_copy part = part_of(c, begin, end);
    copy_between(&part);
}

static void enter_thread(const struct gcl_device *device) {
    (void)device;
    gcl_cuda_enter();
}

/// Threads run no units of launches, and so have nothing to keep for them.
static void *open_scratch(const struct gcl_device *device) {
    static char nothing;
    (void)device;
    return &nothing;
}

static void close_scratch(const struct gcl_device *device, void *scratch) {
    (void)device, (void)scratch;
}

const struct gcl_device_unit_ops gcl_cuda_units = {.cut_run = cut_run,
                                                   .cut_copy = cut_copy,
                                                   .copy_units = copy_units,
                                                   .enter_thread = enter_thread,
                                                   .open_scratch = open_scratch,
                                                   .close_scratch = close_scratch};
