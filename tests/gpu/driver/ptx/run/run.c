// A launch: which blocks are under way, and which of their warps has its turn. Blocks begin in the
// order of their index, a few at once; another one begins when one ends, or when those under way
// have had several turns each and none of them has ended: they may wait for it.
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "warp.h"

enum {
    FIRST_BLOCKS = 4, ///< blocks under way to begin with
    PATIENCE = 8,     ///< turns for each warp until another block begins
    MOST_THREADS =
        270336, ///< threads under way at which no further block begins: 132 multiprocessors
};

static _Thread_local uint64_t instruction_count;

uint64_t ptx_instruction_count(void) {
    return instruction_count;
}

static void *require(void *memory) {
    if (memory)
        return memory;
    fputs("test driver: out of host memory\n", stderr);
    abort();
}

void ptx_run_wake(struct ptx_warp *warp) {
    struct ptx_run *run = warp->block->run;
    if (warp->is_listed)
        return;
    warp->is_listed = true;
    run->ready = ptx_grow(run->ready, run->ready_count, &run->ready_capacity, sizeof *run->ready);
    run->ready[run->ready_count++] = warp;
}

static struct ptx_block *allocate_block(struct ptx_run *run) {
    struct ptx_block *block = run->free_blocks;
    if (block) {
        run->free_blocks = block->next;
        return block;
    }
    uint32_t warp_count = (run->threads + PTX_LANES - 1) / PTX_LANES;
    block = require(calloc(1, sizeof *block));
    size_t size = (sizeof *block->warps * warp_count + 63) / 64 * 64;
    block->warps = require(aligned_alloc(64, size));
    memset(block->warps, 0, size);
    block->shared = require(aligned_alloc(64, (run->shared_size + 127) / 64 * 64));
    block->run = run;
    block->warp_count = warp_count;
    return block;
}

static void free_block(struct ptx_block *block) {
    for (uint32_t i = 0; i < block->warp_count; i++)
        free(block->warps[i].local);
    free(block->warps);
    free(block->shared);
    free(block);
}

static void begin_warp(struct ptx_block *block, uint32_t number) {
    struct ptx_warp *warp = &block->warps[number];
    const uint32_t *extent = block->run->launch->block;
    warp->block = block;
    warp->number = number;
    uint32_t mask = 0;
    for (uint32_t l = 0; l < PTX_LANES; l++) {
        uint32_t thread = number * PTX_LANES + l;
        mask |= (uint32_t)(thread < block->run->threads) << l;
        warp->thread[0][l] = thread % extent[0];
        warp->thread[1][l] = thread / extent[0] % extent[1];
        warp->thread[2][l] = thread / extent[0] / extent[1];
    }
    if (ptx_warp_begin(warp, mask))
        ptx_run_wake(warp);
}

static void begin_block(struct ptx_run *run) {
    struct ptx_block *block = allocate_block(run);
    const uint32_t *grid = run->launch->grid;
    block->number = run->begun++;
    block->index[0] = (uint32_t)(block->number % grid[0]);
    block->index[1] = (uint32_t)(block->number / grid[0] % grid[1]);
    block->index[2] = (uint32_t)(block->number / grid[0] / grid[1]);
    block->live_threads = run->threads;
    memset(block->barriers, 0, sizeof block->barriers);
    for (uint64_t at = 0; at < run->shared_size; at += 8)
        memcpy(block->shared + at, &run->garbage, 8);
    for (uint32_t i = 0; i < block->warp_count && run->end == PTX_DONE; i++)
        begin_warp(block, i);
    block->next = run->blocks;
    block->previous = NULL;
    if (run->blocks)
        run->blocks->previous = block;
    run->blocks = block;
}

static void end_block(struct ptx_run *run, struct ptx_block *block) {
    if (block->next)
        block->next->previous = block->previous;
    if (block->previous)
        block->previous->next = block->next;
    else
        run->blocks = block->next;
    block->next = run->free_blocks;
    run->free_blocks = block;
    run->ended++;
}

/// One turn of a warp that is ready. Turns are mostly long, for speed, and sometimes very short.
static void turn(struct ptx_run *run) {
    uint64_t random = ptx_random(run);
    size_t index = (size_t)((random >> 32) * run->ready_count >> 32);
    struct ptx_warp *warp = run->ready[index];
    run->turn_length =
        (random & 7) == 0 ? 1 + (int64_t)(random >> 3 & 63) : 512 + (int64_t)(random >> 3 & 2047);
    warp->left = run->turn_length;
    ptx_warp_turn(warp);
    if (ptx_warp_is_ready(warp))
        return;
    warp->is_listed = false;
    run->ready[index] = run->ready[--run->ready_count];
    if (warp->block->live_threads == 0)
        end_block(run, warp->block);
}

static bool may_begin(const struct ptx_run *run) {
    return run->begun < run->block_count && (run->begun - run->ended) * run->threads < MOST_THREADS;
}

/// All threads wait: told of one of them.
static void fail_waiting(struct ptx_run *run) {
    struct ptx_warp *warp = NULL;
    for (struct ptx_block *block = run->blocks; block && !warp; block = block->next)
        for (uint32_t i = 0; i < block->warp_count && !warp; i++)
            if (block->warps[i].alive)
                warp = &block->warps[i];
    assert(warp);
    const struct ptx_group *group = warp->groups;
    while (!group->mask)
        group++;
    warp->mask = group->mask;
    ptx_fault(warp, group->at, -1, PTX_DEADLOCK,
              "all threads wait: this one at a barrier or for other lanes");
}

static void run_blocks(struct ptx_run *run) {
    uint64_t turns = 0, first = run->launch->is_cooperative ? run->block_count : FIRST_BLOCKS;
    while (run->begun < run->block_count && run->begun < first)
        begin_block(run);
    while (run->ended < run->block_count && run->end == PTX_DONE) {
        uint64_t ended = run->ended;
        if (run->ready_count == 0) {
            fail_waiting(run);
            return;
        }
        turn(run);
        turns++;
        if (run->launch->instruction_limit && run->instructions > run->launch->instruction_limit &&
            run->ready_count > 0 && run->end == PTX_DONE) {
            struct ptx_warp *warp = run->ready[0];
            const struct ptx_group *group = warp->groups;
            while (!group->mask)
                group++;
            ptx_fault(warp, group->at, -1, PTX_TIMEOUT, "time is over after %llu instructions",
                      (unsigned long long)run->instructions);
        }
        bool is_slow = turns > PATIENCE * (run->ready_count + 1);
        if ((run->ended > ended || is_slow) && may_begin(run) && run->end == PTX_DONE) {
            begin_block(run);
            turns = 0;
        }
    }
}

static void free_frames(struct ptx_run *run) {
    const struct ptx_module *module = run->code->facts.module;
    for (size_t i = 0; i < module->code_count; i++)
        while (run->free_frames[i]) {
            struct ptx_frame *next = run->free_frames[i]->parent;
            free(run->free_frames[i]);
            run->free_frames[i] = next;
        }
    free(run->free_frames);
}

/// Blocks that a fault has stopped: frames of all their lanes.
static void stop_blocks(struct ptx_run *run) {
    while (run->blocks) {
        struct ptx_block *block = run->blocks;
        for (uint32_t i = 0; i < block->warp_count; i++)
            for (uint32_t k = 0; k < block->warps[i].group_count; k++) {
                const struct ptx_group *group = &block->warps[i].groups[k];
                struct ptx_frame *frame = group->mask ? group->frame : NULL;
                while (frame) {
                    struct ptx_frame *parent = frame->parent;
                    ptx_frame_leave(run, frame, group->mask);
                    frame = parent;
                }
            }
        end_block(run, block);
    }
}

enum ptx_end ptx_run(const struct ptx_launch *launch, char *text, size_t text_size) {
    const struct ptx_code *code = ptx_code_of(launch->function);
    struct ptx_run run = {.launch = launch,
                          .code = code,
                          .text = text,
                          .text_size = text_size,
                          .seed = launch->seed,
                          .threads = launch->block[0] * launch->block[1] * launch->block[2],
                          .block_count =
                              (uint64_t)launch->grid[0] * launch->grid[1] * launch->grid[2],
                          .shared_size = code->facts.shared_size + launch->dynamic_shared};
    assert(run.threads >= 1 && run.threads <= 1024 && run.block_count > 0);
    run.garbage = ptx_random(&run) | UINT64_C(0x4000400040004000);
    run.free_frames = require(calloc(code->facts.module->code_count, sizeof *run.free_frames));
    run_blocks(&run);
    stop_blocks(&run);
    while (run.free_blocks) {
        struct ptx_block *next = run.free_blocks->next;
        free_block(run.free_blocks);
        run.free_blocks = next;
    }
    free_frames(&run);
    free(run.ready);
    instruction_count += run.instructions;
    return run.end;
}
