// Blocks that wait for each other exist at once, each with memory of its own, and take turns.
//
// At barriers of the grid they all meet: the blocks of a cooperative launch run on one thread, in
// rounds. Blocks that only wait in loops, for what other blocks write, run on any number of
// threads: whoever finds that a block gets no further puts it aside and goes on with another one.
// A block that was put aside goes on in front of blocks that haven't begun, so that few exist at
// once where waits are short, as for locks.
#include <assert.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "exec/block/state.h"
#include "exec/block/waiting.h"

/// Of the blocks that wait, how many go on after each that begins.
enum { TURNS = 2 };
/// How often a block looks again before it is put aside: another thread gives a lock back soon.
enum { PATIENCE = 20 };

/// What a block keeps while it waits.
struct gcl_parked_block {
    struct gcl_block block;
    bool has_ended;
    bool polls;     ///< some of its threads do
    uint64_t place; ///< where its threads stand, as a hash
    unsigned char *memory;
    struct gcl_parked_block *next;
};

static size_t round_up(size_t size) {
    return (size + GCL_BLOCK_ALIGNMENT - 1) & ~(size_t)(GCL_BLOCK_ALIGNMENT - 1);
}

/// What threads wait with at barriers and warp operations is kept, too.
static bool allocate(struct gcl_parked_block *parked, const struct gcl_block_pool *pool) {
    const struct gcl_kernel *kernel = pool->launch->kernel;
    const struct gcl_block *block = &pool->block;
    size_t shared =
        round_up((size_t)kernel->shared_size + block->dynamic_shared_size + GCL_BLOCK_ALIGNMENT);
    size_t frame = round_up(gcl_block_size_frame(kernel, block->thread_count));
    size_t values = round_up(block->thread_count * sizeof *block->value);
    size_t words = round_up(block->thread_count * sizeof *block->next);

    unsigned char *memory = aligned_alloc(GCL_BLOCK_ALIGNMENT, shared + frame + values + 3 * words);
    if (!memory)
        return false;
    *parked = (struct gcl_parked_block){.block = *block, .memory = memory};
    parked->block.shared = memory;
    parked->block.dynamic_shared = memory + kernel->shared_size;
    parked->block.frame = memory + shared;
    parked->block.value = (uint64_t *)(void *)(memory + shared + frame);
    unsigned char *last = memory + shared + frame + values;
    parked->block.next = (uint32_t *)(void *)last;
    parked->block.mask = (uint32_t *)(void *)(last + words);
    parked->block.lane = (uint32_t *)(void *)(last + 2 * words);
    return true;
}

static void resume(struct gcl_block_pool *pool, struct gcl_parked_block *parked,
                   enum gcl_block_resume how) {
    pool->block = parked->block;
    parked->has_ended = gcl_block_resume(pool, how);
    parked->polls = !parked->has_ended && gcl_block_polls(pool->launch->kernel, &pool->block);
}

/// Where the threads of a block stand.
static uint64_t place_of(const struct gcl_block *block) {
    uint64_t hash = UINT64_C(0xcbf29ce484222325);
    for (uint32_t t = 0; t < block->thread_count; t++)
        hash = (hash ^ block->next[t]) * UINT64_C(0x100000001b3);
    return hash;
}

// Cooperative launches.

/// The blocks of a grid.
struct grid {
    struct gcl_parked_block *blocks;
    uint64_t count;
};

// Block after block, round after round: polling ones go on each time, grid barriers open when
// nobody polls any more.
static void run_grid(struct gcl_block_pool *pool, void *data) {
    const struct grid *grid = data;
    enum gcl_block_resume how = GCL_BLOCK_START;
    for (bool waiting = true; waiting && !gcl_block_is_faulty(pool->launch);) {
        bool polling = false;
        waiting = false;
        for (uint64_t i = 0; i < grid->count && !gcl_block_is_faulty(pool->launch); i++) {
            struct gcl_parked_block *p = &grid->blocks[i];
            if (how == GCL_BLOCK_START ||
                (!p->has_ended && (how == GCL_BLOCK_PASS_GRID || p->polls)))
                resume(pool, p, how);
            waiting |= !p->has_ended;
            polling |= p->polls;
        }
        how = polling ? GCL_BLOCK_POLL : GCL_BLOCK_PASS_GRID;
    }
}

static void report_memory(const struct gcl_block_launch *launch) {
    gcl_fault_report(launch, GCL_FAULT_MEMORY, "no memory for blocks that exist at the same time",
                     "on the CPU");
}

void gcl_block_run_cooperative(struct gcl_block_pool *pool, const struct gcl_block_launch *launch) {
    struct grid grid = {.count = gcl_block_count(launch)};
    if (!gcl_block_prepare(pool, launch))
        return;
    grid.blocks = calloc(grid.count, sizeof *grid.blocks);
    uint64_t made = 0;
    for (; grid.blocks && made < grid.count && allocate(&grid.blocks[made], pool); made++)
        gcl_block_set_index(&grid.blocks[made].block, launch, made);
    if (made < grid.count)
        report_memory(launch);
    else
        gcl_block_enter(pool, run_grid, &grid);
    for (uint64_t i = 0; i < made; i++)
        free(grid.blocks[i].memory);
    free(grid.blocks);
}

// Blocks that wait in loops.

bool gcl_waiting_is_for(const struct gcl_kernel *kernel) {
    bool yields = false;
    for (uint32_t r = 0; kernel->cuts && r < kernel->region_count; r++) { // NULL: it has one region
        yields |= kernel->cuts[r].kind == GCL_CUT_YIELD;
        if (kernel->cuts[r].kind == GCL_CUT_GRID_BARRIER)
            return false;
    }
    return yields;
}

void gcl_waiting_init(struct gcl_waiting_blocks *waiting) {
    *waiting = (struct gcl_waiting_blocks){.first = NULL};
    pthread_mutex_init(&waiting->lock, NULL);
}

static void free_all(struct gcl_parked_block *parked) {
    for (struct gcl_parked_block *next; parked; parked = next) {
        next = parked->next;
        free(parked->memory);
        free(parked);
    }
}

void gcl_waiting_finish(struct gcl_waiting_blocks *waiting) {
    free_all(waiting->first);
    free_all(waiting->spare);
    pthread_mutex_destroy(&waiting->lock);
}

void gcl_waiting_print(const struct gcl_waiting_blocks *waiting, const struct gcl_kernel *kernel,
                       char *text, size_t size) {
    assert(waiting->first);
    const struct gcl_block *block = &waiting->first->block;
    uint32_t t = 0;
    while (t < block->thread_count - 1 && !gcl_block_is_polling(kernel, block->next[t]))
        t++;
    uint32_t line = block->next[t] < kernel->region_count ? kernel->cuts[block->next[t]].line : 0;
    const uint32_t *b = block->block_index;
    snprintf(text, size, "line %u (%llu blocks, of which thread %u of block (%u, %u, %u))", line,
             (unsigned long long)waiting->count, t, b[0], b[1], b[2]);
}

uint64_t gcl_waiting_look(struct gcl_waiting_blocks *waiting, bool *has_moved) {
    assert((waiting->count == 0) == (waiting->first == NULL));
    *has_moved = waiting->has_moved;
    waiting->has_moved = false;
    return waiting->count;
}

/// The first of the blocks that wait, which waits no longer; NULL: none does.
static struct gcl_parked_block *take_first(struct gcl_waiting_blocks *waiting) {
    pthread_mutex_lock(&waiting->lock);
    struct gcl_parked_block *parked = waiting->first;
    if (parked) {
        waiting->first = parked->next;
        waiting->last = waiting->first ? waiting->last : NULL;
        waiting->count--;
    }
    pthread_mutex_unlock(&waiting->lock);
    return parked;
}

/// Memory for a block that begins; NULL: there is none.
static struct gcl_parked_block *take_memory(struct gcl_waiting_blocks *waiting,
                                            const struct gcl_block_pool *pool) {
    pthread_mutex_lock(&waiting->lock);
    struct gcl_parked_block *parked = waiting->spare;
    if (parked)
        waiting->spare = parked->next;
    pthread_mutex_unlock(&waiting->lock);
    if (parked)
        return parked;
    parked = malloc(sizeof *parked);
    if (parked && allocate(parked, pool))
        return parked;
    free(parked);
    return NULL;
}

static void put_aside(struct gcl_waiting_blocks *waiting, struct gcl_parked_block *parked,
                      bool has_moved) {
    parked->next = NULL;
    pthread_mutex_lock(&waiting->lock);
    waiting->has_moved |= has_moved || parked->has_ended;
    if (parked->has_ended) {
        parked->next = waiting->spare;
        waiting->spare = parked;
    } else {
        *(waiting->last ? &waiting->last->next : &waiting->first) = parked;
        waiting->last = parked;
        waiting->count++;
    }
    pthread_mutex_unlock(&waiting->lock);
}

/// What one thread does with the blocks of a launch.
struct errand {
    struct gcl_waiting_blocks *waiting;
    struct gcl_parked_block *running; ///< NULL between two blocks
    uint64_t begin, end;              ///< blocks to be begun
    uint64_t count;                   ///< blocks to go on with
};

static void run_one(struct gcl_block_pool *pool, struct errand *errand,
                    struct gcl_parked_block *parked, enum gcl_block_resume how) {
    uint64_t moves = pool->moves;
    errand->running = parked;
    resume(pool, parked, how);
    for (int i = 0; i < PATIENCE && !parked->has_ended && pool->moves == moves; i++) {
        sched_yield();
        resume(pool, parked, GCL_BLOCK_POLL);
    }
    errand->running = NULL;
    uint64_t place = place_of(&parked->block);
    bool has_moved = how == GCL_BLOCK_START || place != parked->place || pool->moves != moves;
    parked->place = place;
    put_aside(errand->waiting, parked, has_moved);
}

static void go_on(struct gcl_block_pool *pool, struct errand *errand, uint64_t count) {
    struct gcl_parked_block *parked;
    for (; count > 0 && !gcl_block_is_faulty(pool->launch); count--) {
        parked = take_first(errand->waiting);
        if (!parked)
            return;
        run_one(pool, errand, parked, GCL_BLOCK_POLL);
    }
}

static void run_errand(struct gcl_block_pool *pool, void *data) {
    struct errand *errand = data;
    for (; errand->begin < errand->end && !gcl_block_is_faulty(pool->launch); errand->begin++) {
        struct gcl_parked_block *parked = take_memory(errand->waiting, pool);
        if (!parked) {
            report_memory(pool->launch);
            return;
        }
        gcl_block_set_index(&parked->block, pool->launch, errand->begin);
        run_one(pool, errand, parked, GCL_BLOCK_START);
        go_on(pool, errand, TURNS);
    }
    go_on(pool, errand, errand->count);
}

static void start_errand(struct gcl_block_pool *pool, const struct gcl_block_launch *launch,
                         struct errand *errand) {
    if (!gcl_block_prepare(pool, launch))
        return;
    gcl_block_enter(pool, run_errand, errand);
    if (!errand->running) // else a fault has ended it
        return;
    errand->running->has_ended = true;
    put_aside(errand->waiting, errand->running, true);
}

void gcl_waiting_run(struct gcl_waiting_blocks *waiting, struct gcl_block_pool *pool,
                     const struct gcl_block_launch *launch, uint64_t begin, uint64_t end) {
    struct errand errand = {.waiting = waiting, .begin = begin, .end = end};
    start_errand(pool, launch, &errand);
}

void gcl_waiting_resume(struct gcl_waiting_blocks *waiting, struct gcl_block_pool *pool,
                        const struct gcl_block_launch *launch, uint64_t count) {
    struct errand errand = {.waiting = waiting, .count = count};
    start_errand(pool, launch, &errand);
}
