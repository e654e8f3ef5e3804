// The SIMT scheduler: moves the threads of a block from cut to cut.
//
// Invariant between steps: either all threads stand before the same cut (`here`, and `next` is not
// kept), or `here` is GCL_DIVERGED and next[t] tells for each thread. Cuts are numbered in source
// order, so running the lowest first lets lanes that left a loop early wait for the others.
#include "exec/block/block.h"

#include <assert.h>
#include <sched.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "base/log.h"
#include "base/name.h"
#include "exec/block/debugger.h"
#include "exec/block/running.h"
#include "exec/block/state.h"
#include "exec/block/threads.h"
#include "exec/block/warp.h"
#include "exec/memory/margin.h"

enum {
    WARP = GCL_WARP_LANES,
    ALIGNMENT = GCL_BLOCK_ALIGNMENT,
    LONG_WAIT = 1 << 28,
    LONG_POLL = 1 << 20
};
// Rounds of polling before other blocks have their turn: a number that few things repeat after.
enum { ROUNDS = 61 };
enum { PAGE = 4096, GUARD = 1 << 20 }; // bytes; of what nobody may access, before and behind
// Where in a page shared memory and frames begin: not where device memory does, nor where the other
// one does, as a processor that loads what lies where it has just stored, but in another page,
// waits for the store.
enum { SHARED_PLACE = 17 * ALIGNMENT, FRAME_PLACE = 43 * ALIGNMENT };
// A strip (GCL_KERNEL_STRIPS) has rows long enough to be fetched ahead, a few of which stay in the
// first cache, and all of them in the second one, while they are read again from other rows.
enum { STRIP_BLOCKS = GCL_BLOCK_STRIP, STRIP_ROW = 1024, STRIP_THREADS = 8192 };

static _Thread_local struct gcl_block_pool *current;

const struct gcl_block *gcl_block_current(void) {
    return current ? &current->block : NULL;
}

const struct gcl_block_launch *gcl_block_launch_current(void) {
    return current->launch;
}

size_t gcl_block_size_frame(const struct gcl_kernel *kernel, uint32_t threads) {
    return kernel->kept_size + (size_t)kernel->frame_size * threads;
}

size_t gcl_block_frame_size(void) {
    const struct gcl_kernel *kernel = current->launch->kernel;
    return gcl_block_size_frame(kernel, current->block.thread_count);
}

bool gcl_block_touch(uintptr_t address, bool is_written) {
    const struct gcl_block_launch *launch = current->launch;
    return launch->space && gcl_margin_touch(launch->space, launch->kernel, address, is_written);
}

struct gcl_block_pool *gcl_block_pool_create(void) {
    return calloc(1, sizeof(struct gcl_block_pool));
}

// Memory with a guard on both sides, so that indices that are wrong don't reach what isn't the
// kernel's; free takes NULL, and what lies `place` bytes behind where that memory begins.
static unsigned char *map_guarded(size_t size) {
    unsigned char *all =
        mmap(NULL, size + 2 * (size_t)GUARD, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (all == MAP_FAILED)
        return NULL;
    if (mprotect(all + GUARD, size, PROT_READ | PROT_WRITE) == 0)
        return all + GUARD;
    munmap(all, size + 2 * (size_t)GUARD);
    return NULL;
}

static void free_guarded(unsigned char *memory, size_t size, size_t place) {
    if (memory)
        munmap(memory - place - GUARD, place + size + 2 * (size_t)GUARD);
}

void gcl_block_pool_destroy(struct gcl_block_pool *pool) {
    if (!pool)
        return;
    free_guarded(pool->shared, pool->shared_capacity, SHARED_PLACE);
    free_guarded(pool->frame, pool->frame_capacity, FRAME_PLACE);
    free(pool);
}

static bool reserve(unsigned char **memory, size_t *capacity, size_t size, size_t place) {
    if (size <= *capacity)
        return true;
    size_t all = (place + size + PAGE - 1) & ~(size_t)(PAGE - 1);
    unsigned char *grown = map_guarded(all);
    if (!grown)
        return false;
    free_guarded(*memory, *capacity, place);
    *memory = grown + place;
    *capacity = all - place;
    return true;
}

bool gcl_block_misses_shared(uintptr_t address) {
    uintptr_t begin = (uintptr_t)current->shared - SHARED_PLACE - GUARD;
    size_t size = SHARED_PLACE + current->shared_capacity + 2 * (size_t)GUARD;
    return current->shared && address - begin < size;
}

static void set_fault(struct gcl_fault *fault, enum gcl_fault_kind kind, const char *text) {
    int none = GCL_FAULT_NONE;
    if (!atomic_compare_exchange_strong(&fault->kind, &none, (int)kind))
        return;
    snprintf(fault->text, sizeof fault->text, "%s", text);
    atomic_store(&fault->ready, true);
}

static bool lies_in(uint32_t inner, uint32_t outer) {
    uint32_t begin = inner % GCL_RUNNING_COUNT, from = outer % GCL_RUNNING_COUNT;
    return inner && begin >= from &&
           begin + inner / GCL_RUNNING_COUNT <= from + outer / GCL_RUNNING_COUNT;
}

// Of blocks that run side by side, the one whose code runs. Code for part of a block has noted
// there itself which of the threads run.
static const struct gcl_block *running_block(void) {
    struct gcl_block *strip = current->strip;
    if (current->strip_length == 0)
        return &current->block;
    uint32_t number = strip->running % GCL_RUNNING_COUNT / strip->thread_count;
    uint32_t running = strip->running - number * strip->thread_count;
    if (!lies_in(strip[number].running, running))
        strip[number].running = running;
    return &strip[number];
}

void gcl_fault_report(const struct gcl_block_launch *launch, enum gcl_fault_kind kind,
                      const char *what, const char *place) {
    char name[60], line[128] = "", text[sizeof launch->fault->text];
    if (launch->file)
        snprintf(line, sizeof line, ", launched at %s:%u", launch->file, launch->line);
    snprintf(text, sizeof text, "%s: kernel %s, %s%s", what,
             gcl_name_demangle(launch->kernel->name, name, sizeof name), place, line);
    set_fault(launch->fault, kind, text);
}

_Noreturn void gcl_block_leave(void) {
    longjmp(current->abort, 1);
}

static _Noreturn void stop(enum gcl_fault_kind kind, const char *what) {
    char place[192];
    gcl_running_print(running_block(), place, sizeof place);
    gcl_fault_report(current->launch, kind, what, place);
    gcl_threads_leave();
    gcl_block_leave();
}

_Noreturn void gcl_block_abort(enum gcl_fault_kind kind, const char *format, ...) {
    char what[320];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(what, sizeof what, format, arguments);
    va_end(arguments);
    current->block.running = current->block.thread + GCL_RUNNING_COUNT;
    gcl_debugger_stop();
    stop(kind, what);
}

_Noreturn void gcl_block_abort_somewhere(enum gcl_fault_kind kind, const char *format, ...) {
    char what[320];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(what, sizeof what, format, arguments);
    va_end(arguments);
    gcl_debugger_stop_at_signal();
    stop(kind, what);
}

static const struct gcl_cut *cut_at(const struct gcl_kernel *kernel, uint32_t number) {
    assert(number < kernel->region_count);
    return &kernel->cuts[number];
}

static bool waits_for_warp(const struct gcl_kernel *kernel, uint32_t next) {
    return next != GCL_EXIT && cut_at(kernel, next)->kind >= GCL_CUT_WARP_SYNC;
}

bool gcl_block_is_polling(const struct gcl_kernel *kernel, uint32_t next) {
    return next < GCL_DIVERGED && cut_at(kernel, next)->kind == GCL_CUT_YIELD;
}

static bool waits_for_block(const struct gcl_kernel *kernel, uint32_t next) {
    return next != GCL_EXIT && cut_at(kernel, next)->kind == GCL_CUT_BARRIER;
}

// Threads [begin, end) go on behind cut `here`; afterwards next[] is right for them.
static void run_range(const struct gcl_block_launch *launch, struct gcl_block *block, uint32_t here,
                      uint32_t begin, uint32_t end) {
    assert(begin < end && end <= block->thread_count);
    uint32_t after = launch->regions[here](block, begin, end, GCL_ANYWHERE);
    if (after == GCL_DIVERGED)
        return;
    for (uint32_t t = begin; t < end; t++)
        block->next[t] = after;
}

// Runs all threads of the block that stand before the cut `here`, up to the next one.
static void run_standing(const struct gcl_block_launch *launch, struct gcl_block *block,
                         uint32_t here) {
    uint32_t after = launch->regions[here](block, 0, block->thread_count, here);
    if (after == GCL_DIVERGED)
        return;
    for (uint32_t t = 0; t < block->thread_count; t++) {
        if (block->next[t] == here)
            block->next[t] = after;
    }
}

uint32_t gcl_region_run_stretches(gcl_region *region, struct gcl_block *block, uint32_t begin,
                                  uint32_t end, uint32_t here) {
    uint32_t *next = block->next, common = GCL_DIVERGED;
    bool is_first = true;
    for (uint32_t from = begin, to; from < end; from = to) {
        bool runs = next[from] == here;
        for (to = from + 1; to < end && (next[to] == here) == runs;)
            to++;
        if (!runs)
            continue;
        uint32_t after = region(block, from, to, GCL_ANYWHERE);
        for (uint32_t t = from; t < to && after != GCL_DIVERGED; t++)
            next[t] = after;
        common = is_first || after == common ? after : GCL_DIVERGED;
        is_first = false;
    }
    return common;
}

static void run_group(const struct gcl_block_launch *launch, struct gcl_block *block, uint32_t here,
                      uint32_t first, uint32_t group) {
    while (group) {
        uint32_t begin = (uint32_t)__builtin_ctz(group);
        uint32_t rest = ~(group >> begin);
        uint32_t length = rest ? (uint32_t)__builtin_ctz(rest) : WARP;
        run_range(launch, block, here, first + begin, first + begin + length);
        group = length == WARP ? 0 : group & ~((UINT32_MAX >> (WARP - length)) << begin);
    }
}

// A set of lanes that wait together: the same cut, the same mask.
struct group {
    uint32_t here;
    uint32_t lanes;
};

static uint32_t lanes_like(const struct gcl_block *block, uint32_t first, uint32_t count,
                           uint32_t lane) {
    uint32_t lanes = 0;
    for (uint32_t l = lane; l < count; l++) {
        bool same = block->next[first + l] == block->next[first + lane] &&
                    block->mask[first + l] == block->mask[first + lane];
        lanes |= (uint32_t)same << l;
    }
    return lanes;
}

// The lowest group of the warp that can go on. A mask may name lanes that wait elsewhere and
// never come; real code has such masks, and no hardware checks them: if no group is complete, the
// lowest one goes. Lanes that poll come, though, once they have seen what they look for.
static bool choose_group(const struct gcl_kernel *kernel, const struct gcl_block *block,
                         uint32_t first, uint32_t count, struct group *group) {
    uint32_t alive = 0, polling = 0, seen = 0;
    struct group lowest = {.here = GCL_EXIT}, ready = {.here = GCL_EXIT};

    for (uint32_t l = 0; l < count; l++) {
        alive |= (uint32_t)(block->next[first + l] != GCL_EXIT) << l;
        polling |= (uint32_t)gcl_block_is_polling(kernel, block->next[first + l]) << l;
    }
    for (uint32_t l = 0; l < count; l++) {
        uint32_t here = block->next[first + l];
        if (seen >> l & 1 || !waits_for_warp(kernel, here))
            continue;
        uint32_t lanes = lanes_like(block, first, count, l);
        uint32_t lacking = block->mask[first + l] & alive & ~lanes;
        seen |= lanes;
        if (here < lowest.here && !(lacking & polling))
            lowest = (struct group){here, lanes};
        if (here < ready.here && !lacking)
            ready = (struct group){here, lanes};
    }
    *group = ready.here != GCL_EXIT ? ready : lowest;
    return group->here != GCL_EXIT;
}

// Threads that wait for another block or warp in a loop with warp operations never get further. A
// person who waits too should learn where.
static void report_long_wait(const struct gcl_kernel *kernel, const struct gcl_block *block,
                             uint32_t here) {
    char name[128];
    gcl_log(GCL_LOG_WARN,
            "%s: a warp of block (%u, %u, %u) has passed %llu warp operations since its last "
            "barrier, now before region %u; if its threads wait for other warps or blocks there, "
            "the launch will not end",
            gcl_name_demangle(kernel->name, name, sizeof name), block->block_index[0],
            block->block_index[1], block->block_index[2], (unsigned long long)LONG_WAIT, here);
}

// Runs one warp until each of its threads stands before a barrier or has returned.
static void run_warp(const struct gcl_block_launch *launch, struct gcl_block *block, uint32_t first,
                     uint32_t count) {
    const struct gcl_kernel *kernel = launch->kernel;
    assert(first % WARP == 0 && count > 0 && count <= WARP);
    struct group group;
    for (uint64_t steps = 1; choose_group(kernel, block, first, count, &group); steps++) {
        if (steps == LONG_WAIT)
            report_long_wait(kernel, block, group.here);
        if (launch->watch)
            launch->watch->warp(block, first, group.lanes);
        gcl_warp_exchange(cut_at(kernel, group.here), block, first, group.lanes);
        run_group(launch, block, group.here, first, group.lanes);
    }
}

static void reduce_barrier(struct gcl_block *block, uint32_t operation) {
    uint64_t result = gcl_warp_neutral(operation);
    if (operation == GCL_REDUCE_NONE)
        return;
    for (uint32_t t = 0; t < block->thread_count; t++)
        result = gcl_warp_combine(operation, result, block->value[t]);
    for (uint32_t t = 0; t < block->thread_count; t++)
        block->value[t] = result;
}

// As reduce_barrier, over the threads whose barrier has that operation.
static void reduce_diverged(const struct gcl_kernel *kernel, struct gcl_block *block,
                            uint32_t operation) {
    uint64_t result = gcl_warp_neutral(operation);
    for (int pass = 0; pass < 2; pass++) {
        for (uint32_t t = 0; t < block->thread_count; t++) {
            uint32_t next = block->next[t];
            if (!waits_for_block(kernel, next) || cut_at(kernel, next)->operation != operation)
                continue;
            if (pass == 0)
                result = gcl_warp_combine(operation, result, block->value[t]);
            else
                block->value[t] = result;
        }
    }
}

// Where all threads stand, or GCL_DIVERGED.
static uint32_t common_next(const struct gcl_block *block) {
    for (uint32_t t = 1; t < block->thread_count; t++) {
        if (block->next[t] != block->next[0])
            return GCL_DIVERGED;
    }
    return block->next[0];
}

static bool contains(const uint32_t *list, uint32_t count, uint32_t value) {
    for (uint32_t i = 0; i < count; i++) {
        if (list[i] == value)
            return true;
    }
    return false;
}

// As run_standing; the threads that ran are put aside, where no later call finds them.
static void run_aside(const struct gcl_block_launch *launch, struct gcl_block *block, uint32_t here,
                      uint32_t *aside) {
    bool runs[GCL_BLOCK_MAX_THREADS];
    for (uint32_t t = 0; t < block->thread_count; t++)
        runs[t] = block->next[t] == here;
    run_standing(launch, block, here);
    for (uint32_t t = 0; t < block->thread_count; t++) {
        if (!runs[t])
            continue;
        aside[t] = block->next[t];
        block->next[t] = GCL_ANYWHERE;
    }
}

// Threads before cuts for which `goes` holds go on, one call a cut: a region with warp operations
// inside has to see all lanes that stand before it. Where several cuts open, a thread that comes
// from one to another stays there. False if no thread went.
static bool release(const struct gcl_block_launch *launch, struct gcl_block *block,
                    bool (*goes)(const struct gcl_kernel *, uint32_t)) {
    uint32_t cuts[GCL_BLOCK_MAX_THREADS], aside[GCL_BLOCK_MAX_THREADS], count = 0;
    for (uint32_t t = 0; t < block->thread_count; t++) {
        uint32_t here = block->next[t];
        if (t > 0 && here == block->next[t - 1])
            continue;
        if (goes(launch->kernel, here) && !contains(cuts, count, here))
            cuts[count++] = here;
    }
    if (count == 1)
        run_standing(launch, block, cuts[0]);
    for (uint32_t i = 0; i < count && count > 1; i++)
        run_aside(launch, block, cuts[i], aside);
    for (uint32_t t = 0; t < block->thread_count && count > 1; t++) {
        if (block->next[t] == GCL_ANYWHERE)
            block->next[t] = aside[t];
    }
    return count > 0;
}

bool gcl_block_polls(const struct gcl_kernel *kernel, const struct gcl_block *block) {
    for (uint32_t t = 0; t < block->thread_count; t++) {
        if (gcl_block_is_polling(kernel, block->next[t]))
            return true;
    }
    return false;
}

static bool any_waits_for_block(const struct gcl_kernel *kernel, const struct gcl_block *block) {
    for (uint32_t t = 0; t < block->thread_count; t++) {
        if (waits_for_block(kernel, block->next[t]))
            return true;
    }
    return false;
}

static void run_warps(const struct gcl_block_launch *launch, struct gcl_block *block) {
    for (uint32_t first = 0; first < block->thread_count; first += WARP) {
        uint32_t left = block->thread_count - first;
        run_warp(launch, block, first, left < WARP ? left : WARP);
    }
}

// Threads before the lowest cut that only orders go on. False if none stands before such a cut.
static bool pass_order(const struct gcl_block_launch *launch, struct gcl_block *block) {
    uint32_t lowest = GCL_EXIT;
    for (uint32_t t = 0; t < block->thread_count; t++) {
        uint32_t here = block->next[t];
        if (here < lowest && here < GCL_DIVERGED &&
            cut_at(launch->kernel, here)->kind == GCL_CUT_ORDER)
            lowest = here;
    }
    if (lowest != GCL_EXIT)
        run_standing(launch, block, lowest);
    return lowest != GCL_EXIT;
}

// Polling threads look again. False: all of them go on polling where they do.
static bool pass_polls(const struct gcl_block_launch *launch, struct gcl_block *block) {
    uint32_t before[GCL_BLOCK_MAX_THREADS];
    bool got_further = false;
    memcpy(before, block->next, block->thread_count * sizeof *before);
    release(launch, block, gcl_block_is_polling);
    run_warps(launch, block); // to their next look at memory
    for (uint32_t t = 0; t < block->thread_count; t++)
        got_further |=
            gcl_block_is_polling(launch->kernel, before[t]) && block->next[t] != before[t];
    return got_further;
}

// Lets the threads go on that can. A barrier waits for polling threads too, so they come first.
// False if nobody got further: what is left polls, waits for the grid or has returned.
static bool pass_block(const struct gcl_block_launch *launch, struct gcl_block *block) {
    const struct gcl_kernel *kernel = launch->kernel;
    if (pass_order(launch, block))
        return true;
    if (gcl_block_polls(kernel, block))
        return pass_polls(launch, block);
    if (launch->watch && any_waits_for_block(kernel, block))
        launch->watch->barrier(block, true);
    reduce_diverged(kernel, block, GCL_REDUCE_COUNT);
    reduce_diverged(kernel, block, GCL_REDUCE_AND);
    reduce_diverged(kernel, block, GCL_REDUCE_OR);
    return release(launch, block, waits_for_block);
}

// Whether threads that all stand before cut `here` have waited for each other.
static bool is_met(const struct gcl_kernel *kernel, uint32_t here) {
    return here < GCL_DIVERGED && (cut_at(kernel, here)->kind == GCL_CUT_BARRIER ||
                                   cut_at(kernel, here)->kind == GCL_CUT_ORDER);
}

// Runs the block from where its threads stand until all have returned (GCL_EXIT) or none gets
// further on its own; returns where they stand. Threads that wait for each other at barriers in a
// loop, too, always get a little further, so that after many rounds other blocks have their turn.
static uint32_t run_block(const struct gcl_block_launch *launch, struct gcl_block *block,
                          uint32_t here) {
    const struct gcl_kernel *kernel = launch->kernel;
    for (unsigned rounds = 0;;) {
        while (is_met(kernel, here)) {
            if (launch->watch && waits_for_block(kernel, here))
                launch->watch->barrier(block, false);
            reduce_barrier(block, cut_at(kernel, here)->operation);
            here = launch->regions[here](block, 0, block->thread_count, GCL_ANYWHERE);
        }
        if (here == GCL_EXIT)
            return here;
        if (here != GCL_DIVERGED) {
            for (uint32_t t = 0; t < block->thread_count; t++)
                block->next[t] = here;
        }
        run_warps(launch, block);
        here = common_next(block);
        if (here == GCL_EXIT || is_met(kernel, here))
            continue;
        bool has_polled = gcl_block_polls(kernel, block);
        if (!pass_block(launch, block) || (has_polled && ++rounds == ROUNDS)) {
            current->moves += rounds > 0 && rounds < ROUNDS;
            return common_next(block);
        }
        here = common_next(block);
    }
}

bool gcl_block_prepare(struct gcl_block_pool *pool, const struct gcl_block_launch *launch) {
    const struct gcl_kernel *kernel = launch->kernel;
    struct gcl_block *block = &pool->block;
    uint32_t threads =
        launch->geometry.block[0] * launch->geometry.block[1] * launch->geometry.block[2];
    size_t shared = (size_t)kernel->shared_size + launch->geometry.shared_size;

    assert(threads >= 1 && threads <= GCL_BLOCK_MAX_THREADS);
    if (!reserve(&pool->shared, &pool->shared_capacity, shared + ALIGNMENT, SHARED_PLACE) ||
        !reserve(&pool->frame, &pool->frame_capacity, gcl_block_size_frame(kernel, threads),
                 FRAME_PLACE)) {
        set_fault(launch->fault, GCL_FAULT_MEMORY, "no memory for a block's own state");
        return false;
    }
    pool->launch = launch;
    pool->strip_length = 0;
    *block = (struct gcl_block){
        .thread_count = threads,
        .dynamic_shared_size = launch->geometry.shared_size,
        .arguments = launch->arguments,
        .shared = pool->shared,
        .dynamic_shared = pool->shared + kernel->shared_size,
        .frame = pool->frame,
        .next = pool->next,
        .value = pool->value,
        .mask = pool->mask,
        .lane = pool->lane,
    };
    memcpy(block->block_size, launch->geometry.block, sizeof block->block_size);
    memcpy(block->grid_size, launch->geometry.grid, sizeof block->grid_size);
    return true;
}

uint64_t gcl_block_count(const struct gcl_block_launch *launch) {
    uint64_t count = 1;
    for (int axis = 0; axis < 3; axis++)
        count *= launch->end[axis] - launch->begin[axis];
    return count;
}

void gcl_block_set_index(struct gcl_block *block, const struct gcl_block_launch *launch,
                         uint64_t number) {
    for (int axis = 0; axis < 3; axis++) {
        uint32_t extent = launch->end[axis] - launch->begin[axis];
        block->block_index[axis] = launch->begin[axis] + (uint32_t)(number % extent);
        number /= extent;
    }
}

static void step_index(struct gcl_block *block, const struct gcl_block_launch *launch) {
    for (int axis = 0; axis < 3; axis++) {
        if (++block->block_index[axis] < launch->end[axis])
            return;
        block->block_index[axis] = launch->begin[axis];
    }
}

bool gcl_block_is_faulty(const struct gcl_block_launch *launch) {
    return atomic_load_explicit(&launch->fault->kind, memory_order_relaxed) != GCL_FAULT_NONE;
}

// Some threads of the block wait for the grid.
static _Noreturn void refuse_grid_barrier(struct gcl_block *block) {
    for (block->thread = 0; block->next[block->thread] == GCL_EXIT;)
        block->thread++;
    gcl_block_abort(GCL_FAULT_BARRIER, "grid barrier in a launch that is not cooperative "
                                       "(use cudaLaunchCooperativeKernel)");
}

static void report_long_poll(const struct gcl_kernel *kernel, const struct gcl_block *block) {
    char name[128];
    gcl_log(GCL_LOG_WARN,
            "%s: a thread of block (%u, %u, %u) waits in a loop for what another block writes; if "
            "that comes later, the launch will not end",
            gcl_name_demangle(kernel->name, name, sizeof name), block->block_index[0],
            block->block_index[1], block->block_index[2]);
}

// The block gets no further, and waits for blocks that other threads run. True: it has ended.
static bool wait_for_others(const struct gcl_block_launch *launch, struct gcl_block *block) {
    uint32_t here = GCL_DIVERGED;
    for (uint32_t looks = 1;
         here != GCL_EXIT && gcl_block_polls(launch->kernel, block) && !gcl_block_is_faulty(launch);
         looks++) {
        if (looks == LONG_POLL)
            report_long_poll(launch->kernel, block);
        sched_yield();
        here = run_block(launch, block, common_next(block));
    }
    return here == GCL_EXIT || gcl_block_is_faulty(launch);
}

static void run_blocks(const struct gcl_block_launch *launch, struct gcl_block *block,
                       uint64_t count) {
    gcl_region *start = launch->regions[0];
    assert(block->thread_count > 0);
    for (uint64_t i = 0; i < count && !gcl_block_is_faulty(launch); i++) {
        if (launch->watch)
            launch->watch->enter(block, true);
        block->running = 0;
        uint32_t here = start(block, 0, block->thread_count, GCL_ANYWHERE);
        if (here != GCL_EXIT && run_block(launch, block, here) != GCL_EXIT &&
            !wait_for_others(launch, block))
            refuse_grid_barrier(block);
        if (launch->watch)
            launch->watch->leave(block);
        step_index(block, launch);
    }
}

static uint32_t least(uint32_t a, uint64_t b) {
    return b < a ? (uint32_t)b : a;
}

// Blocks of no more rows than run at once gain nothing.
static bool makes_strips(const struct gcl_block_launch *launch) {
    return (launch->kernel->flags & GCL_KERNEL_STRIPS) != 0 &&
           launch->geometry.block[1] * launch->geometry.block[2] > GCL_STRIP_ROWS;
}

uint32_t gcl_block_together(const struct gcl_block_launch *launch) {
    const uint32_t *size = launch->geometry.block;
    if (!makes_strips(launch))
        return 1;
    uint32_t most = least(STRIP_BLOCKS, STRIP_THREADS / (size[0] * size[1] * size[2]));
    most = least(most, STRIP_ROW / size[0]);
    most = least(most, launch->end[0] - launch->begin[0]);
    return most > 0 ? most : 1;
}

static void run_strips(struct gcl_block_pool *pool, uint64_t count) {
    const struct gcl_block_launch *launch = pool->launch;
    struct gcl_block *block = &pool->block, *strip = pool->strip;
    uint32_t most = least(gcl_block_together(launch), count);
    for (uint32_t i = 0; i < most; i++)
        strip[i] = *block;
    for (uint32_t length; count > 0 && !gcl_block_is_faulty(launch); count -= length) {
        length = least(least(most, count), launch->end[0] - block->block_index[0]);
        for (uint32_t i = 0; i < length; i++) {
            memcpy(strip[i].block_index, block->block_index, sizeof block->block_index);
            strip[i].block_index[0] += i;
            strip[i].running = 0;
        }
        pool->strip_length = length;
        launch->regions[0](strip, 0, length * block->thread_count, GCL_ANYWHERE);
        block->block_index[0] += length - 1;
        step_index(block, launch);
    }
}

void gcl_block_enter(struct gcl_block_pool *pool,
                     void (*function)(struct gcl_block_pool *pool, void *data), void *data) {
    current = pool;
    if (!setjmp(pool->abort))
        function(pool, data);
    gcl_debugger_leave();
    current = NULL;
}

static void run_all(struct gcl_block_pool *pool, void *count) {
    if (makes_strips(pool->launch))
        run_strips(pool, *(const uint64_t *)count);
    else
        run_blocks(pool->launch, &pool->block, *(const uint64_t *)count);
}

void gcl_block_run(struct gcl_block_pool *pool, const struct gcl_block_launch *launch,
                   uint64_t begin, uint64_t end) {
    uint64_t count = end - begin;
    assert(begin <= end);
    if (!gcl_block_prepare(pool, launch))
        return;
    gcl_block_set_index(&pool->block, launch, begin);
    gcl_block_enter(pool, run_all, &count);
}

static bool waits_for_grid(const struct gcl_kernel *kernel, uint32_t next) {
    return next < GCL_DIVERGED && cut_at(kernel, next)->kind == GCL_CUT_GRID_BARRIER;
}

bool gcl_block_resume(struct gcl_block_pool *pool, enum gcl_block_resume how) {
    const struct gcl_block_launch *launch = pool->launch;
    struct gcl_block *block = &pool->block;
    block->running = 0;
    if (launch->watch)
        launch->watch->enter(block, how == GCL_BLOCK_START);
    if (launch->watch && how == GCL_BLOCK_PASS_GRID)
        launch->watch->barrier(block, false);
    if (how == GCL_BLOCK_START)
        run_range(launch, block, 0, 0, block->thread_count);
    else if (how == GCL_BLOCK_PASS_GRID)
        release(launch, block, waits_for_grid);
    bool has_ended = run_block(launch, block, common_next(block)) == GCL_EXIT;
    if (launch->watch)
        launch->watch->leave(block);
    return has_ended;
}
