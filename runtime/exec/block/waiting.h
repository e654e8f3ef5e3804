// Blocks of a launch that wait for others in loops (GCL_CUT_YIELD) while threads run other blocks
// of it: each block that gets no further is put aside with its memory, and goes on later, on
// whichever thread.
#ifndef GCL_EXEC_WAITING_H
#define GCL_EXEC_WAITING_H

#include <pthread.h>
#include <stdatomic.h>

#include "exec/block/block.h"

struct gcl_parked_block;

/// The blocks of one launch that wait. Many threads use it at once.
struct gcl_waiting_blocks {
    pthread_mutex_t lock;
    struct gcl_parked_block *first, *last; ///< who waits, in the order in which they go on
    struct gcl_parked_block *spare;        ///< memory of blocks that have ended
    uint64_t count;                        ///< that wait
    atomic_bool has_moved;                 ///< a block got further since gcl_waiting_look
};

/// Whether blocks of a kernel may wait in loops for other ones, but not at barriers of the grid.
bool gcl_waiting_is_for(const struct gcl_kernel *kernel);

void gcl_waiting_init(struct gcl_waiting_blocks *waiting);
/// Frees the memory of all that has ended or waits.
void gcl_waiting_finish(struct gcl_waiting_blocks *waiting);

/// Like gcl_block_run, but blocks that get no further are put aside.
void gcl_waiting_run(struct gcl_waiting_blocks *waiting, struct gcl_block_pool *pool,
                     const struct gcl_block_launch *launch, uint64_t begin, uint64_t end);
/// `count` of the blocks that wait, if there are so many, go on until they get no further.
void gcl_waiting_resume(struct gcl_waiting_blocks *waiting, struct gcl_block_pool *pool,
                        const struct gcl_block_launch *launch, uint64_t count);
/// Prints the line of the source on which blocks wait, and which blocks. Some do, and no other
/// thread uses them.
void gcl_waiting_print(const struct gcl_waiting_blocks *waiting, const struct gcl_kernel *kernel,
                       char *text, size_t size);
/// How many blocks wait. No other thread uses them.
uint64_t gcl_waiting_look(struct gcl_waiting_blocks *waiting, bool *has_moved);

#endif
