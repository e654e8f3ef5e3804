// What the parts of the SIMT scheduler share; not for others.
//
// block.c     moves the threads of one block from cut to cut
// together.c  blocks that wait for each other
#ifndef GCL_EXEC_BLOCK_STATE_H
#define GCL_EXEC_BLOCK_STATE_H

#include <setjmp.h>

#include "exec/block/block.h"

enum { GCL_BLOCK_ALIGNMENT = 64, GCL_BLOCK_MAX_THREADS = 1024, GCL_BLOCK_STRIP = 128 };

struct gcl_block_pool {
    unsigned char *shared;
    unsigned char *frame;
    size_t shared_capacity;
    size_t frame_capacity;
    const struct gcl_block_launch *launch;
    struct gcl_block block;
    struct gcl_block strip[GCL_BLOCK_STRIP];
    uint32_t strip_length; ///< blocks that run at once, from `block` on; 0: it runs alone
    uint64_t moves;        ///< times that a block ended to wait and came to wait for something else
    jmp_buf abort;
    uint32_t next[GCL_BLOCK_MAX_THREADS];
    uint64_t value[GCL_BLOCK_MAX_THREADS];
    uint32_t mask[GCL_BLOCK_MAX_THREADS];
    uint32_t lane[GCL_BLOCK_MAX_THREADS];
};

/// What a block starts with, or waited for.
enum gcl_block_resume { GCL_BLOCK_START, GCL_BLOCK_POLL, GCL_BLOCK_PASS_GRID };

/// Lays out the pool's block for a launch. False: there is no memory, which is the launch's fault.
bool gcl_block_prepare(struct gcl_block_pool *pool, const struct gcl_block_launch *launch);
/// Makes a block the one of that number among those that run here.
void gcl_block_set_index(struct gcl_block *block, const struct gcl_block_launch *launch,
                         uint64_t number);
/// Bytes of a block's frame.
size_t gcl_block_size_frame(const struct gcl_kernel *kernel, uint32_t threads);
/// Whether the launch has a fault, so that nothing more is to be run.
bool gcl_block_is_faulty(const struct gcl_block_launch *launch);
/// Whether a thread that goes on in a region stands in a loop in which it waits for others.
bool gcl_block_is_polling(const struct gcl_kernel *kernel, uint32_t next);
/// Whether threads of a block stand in loops in which they wait for others.
bool gcl_block_polls(const struct gcl_kernel *kernel, const struct gcl_block *block);
/// Runs the pool's block from where its threads stand, in `next`, until it gets no further. True:
/// it has ended.
bool gcl_block_resume(struct gcl_block_pool *pool, enum gcl_block_resume how);
/// Calls `function`, which may run the pool's blocks, until one is left by a fault.
void gcl_block_enter(struct gcl_block_pool *pool,
                     void (*function)(struct gcl_block_pool *pool, void *data), void *data);

#endif
