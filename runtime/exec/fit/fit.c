#include "exec/fit/fit.h"

#include <assert.h>
#include <inttypes.h>
#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/hash.h"
#include "base/log.h"
#include "base/name.h"
#include "exec/engine/engine.h"
#include "exec/fit/cuts.h"
#include "exec/residency/residency.h"
#include "exec/residency/use.h"
#include "plan/program/footprint.h"

enum {
    STEPS = 200000,       ///< to find what one range touches, each about a microsecond
    MOST_DEPTH = 24,      ///< of halving
    LEAST_COPY = 1 << 20, ///< bytes; less comes as it is touched
};

static struct {
    struct gcl_fit_options options;
    pthread_mutex_t lock; ///< ranges of a launch come one after the other
    uint64_t version;     ///< of what memory holds: another one for each launch
    bool has_warned;      ///< of a launch that has to be whole
    struct gcl_cuts cuts;
} fit = {.lock = PTHREAD_MUTEX_INITIALIZER};

#define LESS 0.95 ///< of what moves, for which slices may become longer

/// Large arrays aren't looked into: they would have to come for that, each time anew.
static const unsigned char *contents_of(void *context, const struct gcl_span *allocation,
                                        struct gcl_span *run, uint64_t *version) {
    uint64_t size = (uint64_t)(allocation->end - allocation->begin);
    (void)context;
    if (size > gcl_residency_capacity(fit.options.residency) / GCL_FIT_PARTS)
        return NULL;
    *run = (struct gcl_span){0, allocation->end - allocation->begin};
    *version = fit.version;
    return (const unsigned char *)(uintptr_t)allocation->begin;
}

static struct gcl_memory memory(void) {
    return (struct gcl_memory){.find = fit.options.find,
                               .contents = fit.options.looks_up ? contents_of : NULL,
                               .context = fit.options.context};
}

// What blocks use.

/// Adds a region of an allocation to a use.
static bool add_region(struct gcl_use *use, int64_t begin, const struct gcl_region *region,
                       bool is_written) {
    struct gcl_region_cursor cursor = {.region = region};
    struct gcl_span run;
    bool ok = true;
    while (ok && gcl_region_next(&cursor, &run))
        ok = gcl_use_add(use, (uintptr_t)(begin + run.begin), (uintptr_t)(begin + run.end),
                         is_written);
    return ok;
}

static bool add_written(struct gcl_use *use, const struct gcl_allocation_use *a) {
    struct gcl_region_cursor cursor = {.region = &a->written};
    struct gcl_span run;
    bool ok = true;
    while (ok && gcl_region_next(&cursor, &run))
        ok = gcl_use_add_overwritten(use, (uintptr_t)(a->allocation.begin + run.begin),
                                     (uintptr_t)(a->allocation.begin + run.end));
    return ok;
}

static bool add_footprint(struct gcl_use *use, const struct gcl_footprint *footprint) {
    bool ok = true;
    for (size_t i = 0; ok && i < footprint->count; i++) {
        const struct gcl_allocation_use *a = &footprint->uses[i];
        int64_t begin = a->allocation.begin;
        ok = add_written(use, a) && add_region(use, begin, &a->touched, true) &&
             add_region(use, begin, &a->reduced, true) &&
             add_region(use, begin, &a->claimed, true) && add_region(use, begin, &a->read, false);
    }
    return ok;
}

/// A launch that is made to fit.
struct fitting {
    struct gcl_stream *stream;
    const struct gcl_run *run;
    struct gcl_evaluator *evaluator;
    struct gcl_cuts_launch *kept; ///< what is found is kept there; NULL: nowhere
    struct gcl_fence fence;
    uint64_t most; ///< bytes of one range
    bool is_vague; ///< blocks may touch what nobody knows, by pointers that lie in memory
    uint32_t count;
    bool ok;
};

/// A number that blocks at the same place of launches that look alike have in common.
static uint64_t kind_of(const struct fitting *f, const struct gcl_launch_part *part) {
    uint64_t kernel = (uintptr_t)f->run->launch.kernel;
    uint64_t hash = gcl_hash(&kernel, sizeof kernel);
    hash = gcl_hash_add(hash, part->geometry.grid, sizeof part->geometry.grid);
    hash = gcl_hash_add(hash, part->begin, sizeof part->begin);
    return gcl_hash_add(hash, part->end, sizeof part->end);
}

/// No more is kept of the launch.
static void stop_keeping(struct fitting *f) {
    gcl_cuts_drop(f->kept);
    f->kept = NULL;
}

/// What blocks of a launch use, as far as that is known; NULL: no memory.
static struct gcl_use *use_of(struct fitting *f, const struct gcl_launch_part *part) {
    const struct gcl_memory where = memory();
    struct gcl_use *use =
        gcl_use_create(fit.options.residency, kind_of(f, part), f->run->launch.kernel);
    struct gcl_footprint footprint;
    gcl_evaluator_limit(f->evaluator, STEPS);
    if (!use || !gcl_footprint_find(f->evaluator, part, &where, &footprint)) {
        gcl_use_discard(use);
        return NULL;
    }
    bool ok = add_footprint(use, &footprint) && gcl_use_settle(use);
    f->is_vague |= footprint.reads_escaped || footprint.writes_escaped;
    if (f->kept && !gcl_cuts_depend(f->kept, footprint.readings, footprint.reading_count))
        stop_keeping(f);
    gcl_footprint_finish(&footprint);
    if (ok)
        return use;
    gcl_use_discard(use);
    return NULL;
}

// Ranges.

static bool submit_call(struct fitting *f, struct gcl_host_call call) {
    struct gcl_command *command = gcl_engine_command(fit.options.engine, GCL_COMMAND_CALL);
    if (!command)
        return false;
    command->call = call;
    command->is_fit = true;
    f->fence = gcl_engine_submit(fit.options.engine, f->stream, command);
    return true;
}

/// Whether blocks have to be there together, or in one order.
static bool has_to_be_whole(const struct gcl_run *run) {
    return run->is_cooperative || run->is_ordered;
}

/// Submits a command, and what it uses before it. Takes both; NULL: there is no memory for it.
static void submit_used(struct fitting *f, struct gcl_command *command, struct gcl_use *use) {
    if (!command || !use) {
        gcl_use_discard(use);
        gcl_engine_discard(fit.options.engine, command);
        f->ok = false;
        return;
    }
    command->is_fit = true;
    command->is_vague = f->is_vague;
    gcl_use_submit(use);
    f->count++;
    f->ok = submit_call(f, (struct gcl_host_call){.name = "page in",
                                                  .data = use,
                                                  .share = gcl_use_bring,
                                                  .share_count = gcl_use_parts(use)}) &&
            f->ok;
    f->fence = gcl_engine_submit(fit.options.engine, f->stream, command);
    f->ok =
        submit_call(
            f, (struct gcl_host_call){.name = "page out", .data = use, .function = gcl_use_end}) &&
        f->ok;
}

static void keep_range(struct fitting *f, const struct gcl_launch_part *part, struct gcl_use *use) {
    struct gcl_cuts_range range = {.use = use, .is_vague = f->is_vague};
    memcpy(range.begin, part->begin, sizeof range.begin);
    memcpy(range.end, part->end, sizeof range.end);
    if (!gcl_cuts_add(f->kept, &range))
        stop_keeping(f);
}

/// Submits blocks. Takes what they use.
static void submit_range(struct fitting *f, const struct gcl_launch_part *part,
                         struct gcl_use *use) {
    if (f->kept && use)
        keep_range(f, part, use);
    struct gcl_command *command = gcl_engine_copy_run(fit.options.engine, f->run);
    if (command) {
        memcpy(command->run.launch.begin, part->begin, sizeof part->begin);
        memcpy(command->run.launch.end, part->end, sizeof part->end);
        command->run.is_cooperative = f->run->is_cooperative;
        command->run.is_ordered = f->run->is_ordered;
    }
    submit_used(f, command, use);
}

/// Slice `index` of those that have `length` blocks along an axis.
static struct gcl_launch_part slice_of(const struct gcl_launch_part *part, unsigned axis,
                                       uint32_t length, uint32_t index) {
    struct gcl_launch_part slice = *part;
    uint64_t begin = part->begin[axis] + (uint64_t)length * index, end = begin + length;
    slice.begin[axis] = (uint32_t)begin;
    slice.end[axis] = end < part->end[axis] ? (uint32_t)end : part->end[axis];
    return slice;
}

/// Bytes that the first half of blocks along an axis uses; SIZE_MAX: it isn't known, or they can't
/// be halved.
static uint64_t half_size(struct fitting *f, const struct gcl_launch_part *part, unsigned axis) {
    uint32_t extent = part->end[axis] - part->begin[axis];
    if (extent < 2)
        return SIZE_MAX;
    struct gcl_launch_part half = slice_of(part, axis, (extent + 1) / 2, 0);
    struct gcl_use *use = use_of(f, &half);
    uint64_t size = use ? gcl_use_size(use) : SIZE_MAX;
    gcl_use_discard(use);
    return size;
}

/// The axis along which blocks of `size` bytes are cut, since half of them use least, and what that
/// is. False: half of them use about as much as all.
static bool choose_axis(struct fitting *f, const struct gcl_launch_part *part, uint64_t size,
                        unsigned *axis, uint64_t *half) {
    *half = SIZE_MAX;
    for (unsigned i = 3; i-- > 0;) {
        uint64_t found = half_size(f, part, i);
        if (found >= *half)
            continue;
        *half = found;
        *axis = i;
    }
    return *half < size - size / 8;
}

/// In how many slices blocks are cut of which a half uses `half` of `size` bytes: if that is about
/// half of them, at once in as many as it takes.
static uint32_t slice_count(const struct fitting *f, uint32_t extent, uint64_t size,
                            uint64_t half) {
    uint64_t wanted = (size + f->most - 1) / f->most;
    if (half > size / 2 + size / 16 || wanted < 2)
        return 2;
    return (uint32_t)(wanted < extent ? wanted : extent);
}

/// What moves for one block of a slice in the middle, in bytes; INFINITY: it isn't known.
static double block_moves(struct fitting *f, const struct gcl_launch_part *part, unsigned axis,
                          uint32_t length) {
    struct gcl_launch_part slice = slice_of(part, axis, length, 1);
    struct gcl_use *use = use_of(f, &slice);
    double moves = use ? (double)gcl_use_moves(use) : INFINITY;
    gcl_use_discard(use);
    return moves / (slice.end[axis] - slice.begin[axis]);
}

/// Blocks of a slice along an axis, `least` or less than four times as many, at most half of all:
/// where slices end within chunks these move for two of them, and come even if all of their bytes
/// are overwritten. Which these are of what is looked up takes longer to find than it saves.
static uint32_t slice_length(struct fitting *f, const struct gcl_launch_part *part, unsigned axis,
                             uint32_t least) {
    uint32_t half = (part->end[axis] - part->begin[axis] + 1) / 2, best = least, last = least;
    if (gcl_footprint_looks_up(f->run->launch.kernel->program))
        return least;
    double fewest = block_moves(f, part, axis, least);
    for (uint64_t unit = 2; unit / 4 < least; unit *= 2) {
        uint64_t length = (least + unit - 1) / unit * unit;
        if (length == last || length > half)
            continue;
        last = (uint32_t)length;
        double moves = block_moves(f, part, axis, last);
        if (moves >= fewest * LESS)
            continue;
        fewest = moves;
        best = last;
    }
    return best;
}

/// Submits blocks in as many ranges as it takes. Takes the use.
static void submit_part(struct fitting *f, const struct gcl_launch_part *part, struct gcl_use *use,
                        unsigned depth) {
    unsigned axis = 0;
    uint64_t size = gcl_use_size(use), half;
    if (has_to_be_whole(f->run) || depth == MOST_DEPTH || size <= f->most + f->most / 2 ||
        !choose_axis(f, part, size, &axis, &half)) {
        if (size > gcl_residency_capacity(fit.options.residency))
            gcl_use_leave(use); // what came first would go before it is touched
        submit_range(f, part, use);
        return;
    }
    gcl_use_discard(use);
    uint32_t extent = part->end[axis] - part->begin[axis];
    uint32_t count = slice_count(f, extent, size, half);
    uint32_t length = slice_length(f, part, axis, (extent + count - 1) / count);
    for (uint32_t i = 0; i < (extent + length - 1) / length; i++) {
        struct gcl_launch_part slice = slice_of(part, axis, length, i);
        struct gcl_use *used = use_of(f, &slice);
        if (used)
            submit_part(f, &slice, used, depth + 1);
        else
            f->ok = false;
    }
}

static struct gcl_launch_part whole_of(const struct gcl_run *run) {
    const struct gcl_block_launch *l = &run->launch;
    struct gcl_launch_part part = {.arguments = l->arguments, .geometry = l->geometry};
    memcpy(part.begin, l->begin, sizeof part.begin);
    memcpy(part.end, l->end, sizeof part.end);
    return part;
}

/// What has to be whole and doesn't fit runs, but threads stop for what it uses: that is slow. One
/// warning says so.
static void tell_whole(const struct gcl_kernel *kernel, uint64_t size) {
    char name[128];
    gcl_log(fit.has_warned ? GCL_LOG_INFO : GCL_LOG_WARN,
            "all blocks of %s have to be there together, and use %" PRIu64
            " MiB of device memory where the device holds %zu MiB: what they use comes as they "
            "touch it, which is slow (GCL_MEMORY in gcluster(7))",
            gcl_name_demangle(kernel->name, name, sizeof name), size >> 20,
            gcl_residency_capacity(fit.options.residency) >> 20);
    fit.has_warned = true;
}

/// Waits for what the launch may look up.
static void wait_for_contents(struct gcl_stream *stream, const struct gcl_program *program) {
    if (fit.options.looks_up && gcl_footprint_looks_up(program))
        gcl_engine_reach(fit.options.engine, gcl_stream_fence(fit.options.engine, stream));
}

/// Submits the ranges that were kept of a launch that is like this one. False: none are.
static bool submit_kept(struct fitting *f, const struct gcl_launch_part *whole) {
    const struct gcl_cuts_launch *kept = f->kept;
    const struct gcl_memory where = memory();
    if (!kept || !gcl_cuts_holds(f->kept, &where))
        return false;
    f->kept = NULL; // it has them already
    for (size_t i = 0; i < kept->range_count; i++) {
        struct gcl_launch_part part = *whole;
        memcpy(part.begin, kept->ranges[i].begin, sizeof part.begin);
        memcpy(part.end, kept->ranges[i].end, sizeof part.end);
        f->is_vague = kept->ranges[i].is_vague;
        submit_range(f, &part, gcl_use_copy(kept->ranges[i].use));
    }
    return true;
}

/// Finds what blocks use and submits them.
static void submit_found(struct fitting *f, const struct gcl_launch_part *whole) {
    const struct gcl_kernel *kernel = f->run->launch.kernel;
    uint64_t begin_ns = gcl_clock_ns();
    f->evaluator = gcl_evaluator_create(kernel->program);
    if (!f->evaluator)
        return;
    fit.version++;
    struct gcl_use *use = use_of(f, whole);
    if (use && has_to_be_whole(f->run) &&
        gcl_use_size(use) > gcl_residency_capacity(fit.options.residency)) {
        tell_whole(kernel, gcl_use_size(use));
        gcl_use_discard(use);
    } else if (use) {
        submit_part(f, whole, use, 0);
    }
    gcl_evaluator_destroy(f->evaluator);
    if (f->kept && !f->ok)
        stop_keeping(f); // some of the ranges are missing
    if (f->kept)
        gcl_cuts_end(f->kept, gcl_clock_ns() - begin_ns);
}

/// Submits the blocks of a run; as none, if what they use isn't known.
static void submit_run(struct fitting *f, const struct gcl_run *run) {
    const struct gcl_kernel *kernel = run->launch.kernel;
    const struct gcl_launch_part whole = whole_of(run);
    f->run = run;
    if (fit.options.looks_up && gcl_footprint_looks_up(kernel->program))
        f->kept = gcl_cuts_place(&fit.cuts, kernel, &whole);
    bool was_kept = submit_kept(f, &whole);
    if (!was_kept)
        submit_found(f, &whole);
    gcl_log(GCL_LOG_TRACE, "%s runs as %u ranges%s", kernel->name, f->count,
            was_kept ? ", as before" : "");
}

// Copies.

/// Whether a copy is one run of bytes, long enough, from or to memory that comes and goes, and may
/// be made from its begin on.
static bool is_long_row(const struct gcl_box_copy *copy) {
    const struct gcl_residency *residency = fit.options.residency;
    uintptr_t target = (uintptr_t)copy->target, source = (uintptr_t)copy->source;
    bool overlaps = source && target < source + copy->width && source < target + copy->width;
    return copy->height == 1 && copy->depth == 1 && copy->width >= LEAST_COPY && !overlaps &&
           (gcl_residency_has(residency, target, copy->width) ||
            gcl_residency_has(residency, source, copy->width));
}

/// What a part of a copy uses; NULL: no memory.
static struct gcl_use *use_of_copy(const struct gcl_box_copy *copy) {
    uintptr_t target = (uintptr_t)copy->target, source = (uintptr_t)copy->source;
    struct gcl_use *use =
        gcl_use_create(fit.options.residency, gcl_hash(&target, sizeof target), NULL);
    if (use && gcl_use_add_overwritten(use, target, target + copy->width) &&
        (!source || gcl_use_add(use, source, source + copy->width, false)) && gcl_use_settle(use))
        return use;
    gcl_use_discard(use);
    return NULL;
}

/// Submits a copy in parts that end where chunks of its target do. The last one frees what it was
/// staged in.
static void submit_copy(struct fitting *f, struct gcl_box_copy *copy) {
    for (size_t at = 0; at < copy->width && f->ok;) {
        uintptr_t begin = (uintptr_t)copy->target + at;
        size_t size = f->most - begin % GCL_CHUNK_SIZE;
        struct gcl_command *command = gcl_engine_command(fit.options.engine, GCL_COMMAND_COPY);
        if (size > copy->width - at)
            size = copy->width - at;
        if (command) {
            command->copy = *copy;
            command->copy.target += at;
            command->copy.source = copy->source ? copy->source + at : NULL;
            command->copy.width = command->copy.target_pitch = command->copy.source_pitch = size;
            command->copy.target_slice = command->copy.source_slice = size;
            command->copy.staging = NULL;
        }
        at += size;
        struct gcl_use *use = command ? use_of_copy(&command->copy) : NULL;
        if (use && at == copy->width) {
            command->copy.staging = copy->staging;
            copy->staging = NULL;
        }
        submit_used(f, command, use);
    }
}

/// A command that no part of was submitted runs as it is.
static bool submit(struct gcl_stream *stream, struct gcl_command *command,
                   struct gcl_fence *fence) {
    bool is_run = command->kind == GCL_COMMAND_RUN;
    size_t most = gcl_residency_capacity(fit.options.residency) / GCL_FIT_PARTS;
    struct fitting f = {.stream = stream, .ok = true};
    if (!gcl_residency_is_engaged(fit.options.residency) ||
        !(is_run ? command->run.launch.kernel->program != NULL : is_long_row(&command->copy)))
        return false;
    f.most = most > GCL_CHUNK_SIZE ? most / GCL_CHUNK_SIZE * GCL_CHUNK_SIZE : GCL_CHUNK_SIZE;
    if (is_run)
        wait_for_contents(stream, command->run.launch.kernel->program);
    pthread_mutex_lock(&fit.lock);
    if (is_run)
        submit_run(&f, &command->run);
    else
        submit_copy(&f, &command->copy);
    pthread_mutex_unlock(&fit.lock);
    if (f.count == 0)
        return false;
    if (!f.ok)
        gcl_engine_fail(fit.options.engine, GCL_NO_MEMORY);
    *fence = f.fence;
    gcl_engine_discard(fit.options.engine, command);
    return true;
}

void gcl_fit_start(const struct gcl_fit_options *options) {
    assert(!fit.options.engine);
    fit.options = *options;
    gcl_engine_set_fitter(options->engine, submit);
}
